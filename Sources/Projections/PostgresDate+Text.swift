internal import EngagementEvents
package import Postgres

extension PostgresDate {
  /// `YYYY-MM-DD`.
  package var text: String {
    String(Timestamp(microseconds: Int64(daysSince1970) * 86_400_000_000).rfc3339.prefix(10))
  }
}
