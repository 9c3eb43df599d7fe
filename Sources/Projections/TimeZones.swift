internal import EventStore
package import Postgres

/// The zones that days can be cut in: the database's own, so that every day is cut by the same rules.
package enum TimeZones {
  /// - Throws: `StoreError.invalidValue` unless Postgres knows the zone by exactly this name.
  package static func require(_ zone: String, on connection: borrowing Connection) throws {
    // Listing all names takes Postgres longer than most reports; the usual ones are known without.
    let isKnown = try connection.value(
      of: """
        select \(zone) = 'UTC' or exists (select from app where zone = \(zone))
          or exists (select from rate_frame where zone = \(zone))
          or exists (select from pg_timezone_names where name = \(zone))
        """, as: Bool.self)
    guard !isKnown else { return }
    let likely = try connection.query(
      """
      select name from pg_timezone_names
      where name ilike '%' || regexp_replace(\(zone), '^.*/', '') || '%' and name not like 'posix/%'
      order by name limit 3
      """
    ).map { row in try row.value(0, as: String.self) }
    let hint = likely.isEmpty ? "" : " Did you mean \(likely.joined(separator: ", "))?"
    throw StoreError(
      .invalidValue, "There is no time zone named '\(zone)'.\(hint)",
      remedy: "Give an IANA name such as Europe/Berlin or UTC.")
  }
}
