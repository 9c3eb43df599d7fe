package import Postgres

/// The weekly partitions of the event table.
package enum EventPartitions {
  /// What an event's time may be at most without being implausible, and a good month ahead.
  private static let daysBack: Int32 = 400
  private static let daysAhead: Int32 = 35

  /// Makes the partitions from 400 days before today to 35 days after it that are missing.
  ///
  /// - Returns: how many were made.
  @discardableResult
  package static func prepare(on connection: borrowing Connection) throws -> Int {
    let statement: SQL = """
      select make_event_partitions(
        (now() at time zone 'UTC')::date - \(daysBack), (now() at time zone 'UTC')::date + \(daysAhead))
      """
    return Int(try connection.value(of: statement, as: Int32.self))
  }

  /// Makes the partitions of these days, for an import of history; days of one week share one.
  ///
  /// - Parameter days: since 1970.
  package static func cover(_ days: some Sequence<Int32>, on connection: borrowing Connection) throws {
    // 1970-01-05 was a Monday.
    for week in Set(days.map { ($0 - 4) / 7 }) {
      let monday = PostgresDate(daysSince1970: week * 7 + 4)
      _ = try connection.query("select make_event_partitions(\(monday), \(monday))")
    }
  }
}
