package import Postgres

/// What lets a reader go through the log by position and miss nothing.
///
/// A position is taken before its event commits, so that a later one can be seen earlier. Writers hold this lock in share
/// mode for the length of their transaction. A reader takes it alone for a moment: then no position has been taken
/// without being committed, and everything up to the last one can be read.
package enum PositionBarrier {
  private static let key: Int64 = 7_081_002

  /// A writer's first statement in its transaction.
  static var share: SQL { "select pg_advisory_xact_lock_shared(\(key))" }

  /// The last position up to which everything is committed and no further commit can come in.
  ///
  /// Gaps are normal: duplicates and rolled back batches leave them.
  /// - Returns: 0 while nothing was ever appended; nil if the writers held the barrier for longer than `patience`, a
  ///   number of milliseconds, since a waiting reader holds up the writers behind it.
  package static func lastPosition(on connection: borrowing Connection, patience: Int = 1_000) throws -> Int64? {
    do {
      return try connection.withTransaction { (connection: borrowing Connection) in
        try connection.script("set local lock_timeout = \(patience)")
        _ = try connection.query("select pg_advisory_xact_lock(\(key))")
        return try connection.query(
          "select case when is_called then last_value else 0 end from event_position"
        ).map { row in try row.value(0, as: Int64.self) }[0]
      }
    } catch let error as PostgresError where error.sqlState == "55P03" {
      return nil
    }
  }
}
