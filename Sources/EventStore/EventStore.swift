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
  package func requireSchema() throws { try requireSchema(on: connectAsLogin()) }

  private func requireSchema(on login: borrowing Connection) throws {
    let isThere = try Self.withRights(on: login) {
      try login.value(of: "select to_regclass('pushlift.schema_migration') is not null", as: Bool.self)
    }
    guard !isThere else { return }
    throw StoreError(
      .missing, "There is no store in the database \(database).",
      remedy: "pushlift serve, key create or migrate makes one; --database names another.")
  }

  /// Brings the schema up to date, makes partitions where the login may, and makes sure of the device secret.
  ///
  /// - Parameter makes: makes the schema where there is none; otherwise that is an error, `StoreError.missing`.
  /// - Returns: the migrations that were applied.
  package func prepare(makes: Bool = true) throws -> [String] {
    let login = try connectAsLogin()
    if !makes { try requireSchema(on: login) }
    let applied = try Self.withRights(on: login) { try Migrator().run(on: login) }
    try confirmSecret(on: login)
    // Whoever only reads need not.
    if try login.value(of: "select has_function_privilege('make_event_partitions(date, date)', 'execute')") {
      try EventPartitions.prepare(on: login)
    }
    return applied
  }

  /// Brings the schema of a store up to date that has not had a device secret yet, be it empty or none.
  ///
  /// - Returns: the migrations that were applied; nil, and nothing is done, where the store has had a secret.
  static func migrateIfNew(_ database: ConnectionConfiguration) throws -> [String]? {
    let login = try connectAsLogin(database)
    return try withRights(on: login) {
      let hasCheck = try login.value(
        of: "select to_regclass('pushlift.secret_check') is not null", as: Bool.self)
      if hasCheck, try login.value(of: "select exists (select from secret_check)", as: Bool.self) {
        return nil
      }
      return try Migrator().run(on: login)
    }
  }

  /// A connection of the login that was given, in none of the roles.
  func connectAsLogin() throws(StoreError) -> Connection { try Self.connectAsLogin(database) }

  private static func connectAsLogin(_ database: ConnectionConfiguration) throws(StoreError) -> Connection {
    try open(database.with(applicationName: "pushlift migrate").withSessionDefaults)
  }

  /// Tells what a login is to be granted that is a member of no role at all.
  private static func withRights<Value>(on login: borrowing Connection, _ body: () throws -> Value) throws
    -> Value
  {
    do {
      return try body()
    } catch let error as PostgresError where error.sqlState == "42501" {
      let name = try login.value(of: "select quote_ident(current_user)", as: String.self)
      throw StoreError(
        .database, "The login \(name) has no right to the store in this database.",
        remedy: """
          The login has to be a member of the role that the command needs; as an administrator: \
          grant pushlift_analyst to \(name) for reports, \
          grant pushlift_writer, pushlift_aggregator, pushlift_reader to \(name) for serve, \
          grant pushlift_runtime to \(name) for keys and erasures.
          """, cause: error)
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
