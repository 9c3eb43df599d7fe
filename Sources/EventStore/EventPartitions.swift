package import Postgres

/// The weekly partitions of the event table.
package enum EventPartitions {
  /// What an event's time may be at most without being implausible, and a good month ahead.
  private static let daysBack: Int32 = 400
  private static let daysAhead: Int32 = 35

  /// Makes the partitions from 400 days before today to 35 days after it that are missing.
  ///
  /// A new one needs a lock that holds up writers behind it, so that it is waited for only a moment: where something long
  /// is under way, the next caller makes it, and there is a month for that.
  ///
  /// - Returns: how many were made.
  @discardableResult
  package static func prepare(on connection: borrowing Connection) throws -> Int {
    do {
      return try connection.withTransaction { (connection: borrowing Connection) in
        try connection.script(BriefLock.bound)
        let statement: SQL = """
          select make_event_partitions(
            (now() at time zone 'UTC')::date - \(daysBack), (now() at time zone 'UTC')::date + \(daysAhead))
          """
        return Int(try connection.value(of: statement, as: Int32.self))
      }
    } catch let error as PostgresError where error.isLockDenied {
      guard try lastDay(on: connection) > today(on: connection) else {
        throw StoreError(
          .overloaded, "The log's next partition cannot be made: the log is too busy.",
          remedy: "Run pushlift maintain when verify and rebuild are through.", cause: error)
      }
      return 0
    }
  }

  /// The last day that has a partition of its own.
  package static func lastDay(on connection: borrowing Connection) throws -> PostgresDate {
    try connection.value(
      of: """
        select coalesce(
          max((regexp_match(pg_get_expr(relpartbound, oid), 'TO \\(''(\\d{4}-\\d\\d-\\d\\d)'))[1]::date) - 1, '1970-01-01')
        from pg_class where oid in (select inhrelid from pg_inherits where inhparent = 'event'::regclass)
        """)
  }

  private static func today(on connection: borrowing Connection) throws -> PostgresDate {
    try connection.value(of: "select (now() at time zone 'UTC')::date")
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
