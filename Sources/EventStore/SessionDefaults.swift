internal import Postgres

extension ConnectionConfiguration {
  /// What every session of pushlift goes by, whatever the server, the database or the login has as its default.
  ///
  /// A `statement_timeout` that is meant for people's queries would end a rebuild at the same place each time; without
  /// `standard_conforming_strings` statements and functions mean something else. `default_transaction_read_only` is left as it is:
  /// who sets it wants nothing written.
  var withSessionDefaults: ConnectionConfiguration {
    Self.sessionDefaults.reduce(self) { $0.with(setting: $1.name, $1.value) }
  }

  fileprivate static let searchPath = "pushlift, pg_temp"

  private static let sessionDefaults: [(name: String, value: String)] = [
    ("search_path", searchPath),
    // An answer promises what is on disk, and days are cut in UTC.
    ("synchronous_commit", "on"), ("TimeZone", "UTC"),
    // To compile a plan takes longer than what it would save.
    ("jit", "off"),
    // Purposes that want bounds have their own.
    ("statement_timeout", "0"), ("lock_timeout", "0"), ("idle_in_transaction_session_timeout", "0"),
    ("idle_session_timeout", "0"),
    // Nothing tries again for what only stricter levels refuse.
    ("default_transaction_isolation", "read committed"), ("default_transaction_deferrable", "off"),
    // Those that may see all rows otherwise get an error, and no rows.
    ("row_security", "on"),
    ("standard_conforming_strings", "on"), ("array_nulls", "on"), ("transform_null_equals", "off"),
    ("quote_all_identifiers", "off"), ("DateStyle", "ISO, MDY"), ("IntervalStyle", "postgres"),
  ]
}

/// Between pushlift and Postgres there may be a pooler, which hands out sessions that others have begun.
enum Pooler {
  static let remedy = """
    There is a pooler (such as PgBouncer) on the way to Postgres, which does not pass on what a session has to begin with: \
    let --database name Postgres itself.
    """

  /// Makes sure that the session began as it was asked to. Otherwise it would act as the login instead of the role, and commit without
  /// waiting for the disk where that is the default.
  static func refuse(on connection: borrowing Connection) throws(StoreError) {
    let path = try? connection.value(of: "select current_setting('search_path')", as: String.self)
    // A server that goes away meanwhile is told of by the next statement.
    guard let path, path != ConnectionConfiguration.searchPath else { return }
    throw StoreError(.unavailable, "The session did not begin as it was asked to.", remedy: remedy)
  }
}
