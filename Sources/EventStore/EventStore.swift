package import Postgres
internal import Schema

/// A store of events in a Postgres database: how to reach it, and the secret that its device keys are made with.
package struct EventStore: Sendable {
  /// The database, as the login that was given for it.
  package let database: ConnectionConfiguration
  package let secret: StoreSecret

  package init(database: ConnectionConfiguration, secret: StoreSecret) {
    self.database = database
    self.secret = secret
  }

  /// Makes sure that the database holds a store, of whatever version.
  ///
  /// - Throws: `StoreError.missing` where it does not.
  package func requireSchema() throws {
    let isThere = try connectAsLogin().value(
      of: "select to_regclass('pushlift.schema_migration') is not null", as: Bool.self)
    guard !isThere else { return }
    throw StoreError(
      .missing, "There is no store in the database \(database).",
      remedy: "pushlift serve, key create or migrate makes one; --database names another.")
  }

  /// Brings the schema up to date, makes partitions where the login may, and makes sure of the device secret.
  ///
  /// - Returns: the migrations that were applied.
  package func prepare() throws -> [String] {
    let login = try connectAsLogin()
    let applied = try Migrator().run(on: login)
    try confirmSecret(on: login)
    // Whoever only reads need not.
    if try login.value(of: "select has_function_privilege('make_event_partitions(date, date)', 'execute')") {
      try EventPartitions.prepare(on: login)
    }
    return applied
  }

  /// A connection of the login that was given, in none of the roles.
  func connectAsLogin() throws(StoreError) -> Connection {
    do {
      return try Connection(
        database.with(applicationName: "pushlift migrate").with(setting: "search_path", "pushlift, pg_temp"))
    } catch {
      throw StoreError(.unavailable, "The store cannot be reached: \(error)", cause: error)
    }
  }

  /// Records what the secret hashes to the first time, and refuses another secret from then on.
  private func confirmSecret(on login: borrowing Connection) throws {
    func read() throws -> UUID128? {
      try login.query("select hash from secret_check where name = 'device'")
        .map { row in try row.value(0, as: UUID128.self) }.first
    }
    if try read() == nil {
      try connect(.administering).execute(
        "insert into secret_check (name, hash) values ('device', \(secret.check)) on conflict (name) do nothing"
      )
    }
    guard try read() == secret.check else {
      throw StoreError(
        .secret,
        "The device secret is not the one this store was filled with: every device would count as a new one.",
        remedy:
          "Bring the former secret back (the file device-secret in the data folder, or PUSHLIFT_SECRET).")
    }
  }
}
