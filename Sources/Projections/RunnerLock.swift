internal import EventStore
internal import Postgres

/// Held by the one process that writes to the serving tables: the job, or the last moments of a rebuild.
enum RunnerLock {
  private static let key: Int64 = 7_081_003

  /// - Parameter patience: how long to wait for another process, to the millisecond.
  /// - Returns: false where another process still holds it.
  static func take(patience: Duration, on connection: borrowing Connection) throws -> Bool {
    if try connection.value(of: "select pg_try_advisory_lock(\(key))", as: Bool.self) { return true }
    let milliseconds = Int(patience / .milliseconds(1))
    guard milliseconds > 0 else { return false }
    do {
      // The lock is the session's and outlives the transaction, which is only there to bound the wait.
      try connection.withTransaction { (connection: borrowing Connection) in
        try connection.script("set local lock_timeout = \(milliseconds)")
        _ = try connection.query("select pg_advisory_lock(\(key))")
      }
      return true
    } catch let error as PostgresError where error.isLockTimeout {
      return false
    }
  }

  /// Lends the connection while it holds the lock, for which it waits two minutes at most.
  ///
  /// - Throws: `StoreError.overloaded` where another process kept it for that long.
  static func withLock<Value>(
    on connection: borrowing Connection, _ body: (borrowing Connection) throws -> Value
  ) throws -> Value {
    guard try take(patience: .seconds(120), on: connection) else {
      throw StoreError(
        .overloaded, "Another process kept aggregating for two minutes.", remedy: "Try again later.")
    }
    defer { giveBack(on: connection) }
    return try body(connection)
  }

  static func giveBack(on connection: borrowing Connection) {
    _ = try? connection.query("select pg_advisory_unlock(\(key))")
  }
}
