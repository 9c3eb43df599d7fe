internal import Postgres

/// What is known of events that were dropped with their partition.
enum RetiredEvents {
  /// When the last of them had arrived; nil where nothing was ever dropped.
  static func lastArrival(on connection: borrowing Connection) throws -> PostgresTimestamp? {
    try connection.value(
      of: "select max(last_received_at) from retired_partition", as: PostgresTimestamp?.self)
  }

  /// The latest time that one of them can have had: none is counted that is dated more than a day ahead of its arrival.
  static let lastTime: SQL = "(select max(last_received_at) + interval '24 hours' from retired_partition)"

  /// The first day of a zone all of whose notifications still have all their events; nil where nothing was ever dropped.
  static func firstWholeDay(_ zone: String, on connection: borrowing Connection) throws -> PostgresDate? {
    try connection.value(
      of: """
        select (\(lastTime) at time zone \(zone))::date + 1
        """, as: PostgresDate?.self)
  }
}
