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
}
