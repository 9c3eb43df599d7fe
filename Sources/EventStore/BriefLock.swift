package import Postgres

/// How long a lock is waited for that holds up everybody behind it.
package enum BriefLock {
  /// A statement that bounds the wait for each lock of the transaction.
  ///
  /// Half a second more than `deadlock_timeout`, after which Postgres ends an autovacuum that is in the way. Who gives up
  /// before, at every try, waits for it to its end, and on a large table that takes hours.
  package static let bound = """
    select set_config('lock_timeout', (setting::int + 500)::text, true) from pg_settings where name = 'deadlock_timeout'
    """
}

extension PostgresError {
  /// Whether a lock was not to be had within `lock_timeout`.
  package var isLockTimeout: Bool { sqlState == "55P03" }

  /// Whether a lock was not to be had, within `lock_timeout` or since two waited for one another: Postgres finds that out before the
  /// time of ``BriefLock/bound`` is over, and ends one of them. Whoever tries again gets it later in either case.
  package var isLockDenied: Bool { isLockTimeout || sqlState == "40P01" }
}
