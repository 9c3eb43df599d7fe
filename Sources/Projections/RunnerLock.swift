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

  static func giveBack(on connection: borrowing Connection) {
    _ = try? connection.query("select pg_advisory_unlock(\(key))")
  }
}

extension PostgresError {
  /// Whether a lock was not to be had within `lock_timeout`.
  var isLockTimeout: Bool { sqlState == "55P03" }
}
