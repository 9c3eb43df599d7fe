package import Postgres

/// What lets a reader go through the log by position and miss nothing.
///
/// A position is taken before its event commits, so that a later one can be seen earlier. Writers hold this lock in share
/// mode for the length of their transaction. A reader takes it alone for a moment: then no position has been taken
/// without being committed, and everything up to the last one can be read.
package enum PositionBarrier {
  private static let key: Int64 = 7_081_002

  /// A writer's first statement in its transaction.
  static let share = "select pg_advisory_xact_lock_shared(\(key))"

  /// The last position up to which everything is committed and no further commit can come in.
  ///
  /// Gaps are normal: duplicates and rolled back batches leave them.
  /// - Parameter patience: how long to wait for writers under way, in milliseconds; a waiting reader holds up the writers
  ///   behind it.
  /// - Returns: 0 while nothing was ever appended; nil if patience ran out, where the next try may have more luck.
  package static func lastPosition(on connection: borrowing Connection, patience: Int = 1_000) throws
    -> Int64?
  {
    do {
      return try connection.withTransaction { (connection: borrowing Connection) in
        try connection.script("set local lock_timeout = \(patience)")
        _ = try connection.query("select pg_advisory_xact_lock(\(key))")
        return try connection.value(
          of: "select case when is_called then last_value else 0 end from event_position", as: Int64.self)
      }
    } catch let error as PostgresError where error.isLockTimeout {
      return nil
    }
  }
}
