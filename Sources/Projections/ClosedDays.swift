internal import EventStore
package import Postgres

/// Days whose figures will only change by events that come late.
package enum ClosedDays {
  /// The last day of the query's zone whose notifications all had their window closed at the watermark; nil while
  /// nothing has been aggregated.
  ///
  /// - Throws: `StoreError.invalidValue` for a zone that Postgres does not know.
  package static func last(_ query: RateQuery, on connection: borrowing Connection) throws -> PostgresDate? {
    try TimeZones.require(query.zone, on: connection)
    guard let watermark = try EngagementProjection.checkpoint(on: connection).watermark else { return nil }
    let open = try firstOpen(query, watermark, on: connection)
    return PostgresDate(daysSince1970: open.daysSince1970 - 1)
  }

  /// The first day of the query's zone with a delivery; nil where the app has none.
  package static func first(_ query: RateQuery, on connection: borrowing Connection) throws -> PostgresDate? {
    try connection.value(
      of: """
        select (min(delivered_at) at time zone \(query.zone))::date from unit_outcome
        where app_id = \(query.app.id.rawValue) and delivered_at is not null
        """)
  }

  /// The last thirty closed days of an app with many notifications; nil where it has no more than so many, or no closed day.
  package static func lastThirty(
    _ query: RateQuery, ofMoreThan units: Int, on connection: borrowing Connection
  ) throws -> ClosedRange<PostgresDate>? {
    let hasMore = try connection.value(
      of: """
        select coalesce(sum(delivered), 0) > \(units) from daily_rate where app_id = \(query.app.id.rawValue)
        """, as: Bool.self)
    guard hasMore, let last = try last(query, on: connection) else { return nil }
    return PostgresDate(daysSince1970: last.daysSince1970 - 29)...last
  }

  /// The first day with a notification whose window may have been open at the watermark.
  static func firstOpen(
    _ query: RateQuery, _ watermark: PostgresTimestamp, on connection: borrowing Connection
  ) throws -> PostgresDate {
    try connection.value(
      of: """
        select ((\(watermark) - \(query.windowSeconds) * interval '1 second') at time zone \(query.zone))::date
        """)
  }
}
