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

  /// What a connection is for; each has the least rights that serve.
  package enum Purpose: Sendable, Hashable {
    /// Appending: statements are short, and one that hangs is ended by the server.
    case writing
    /// Aggregating, which takes long and must never make writers wait.
    case aggregating
    /// Reports and small changes of the command line.
    case asking
    /// Reports of a server that must go on taking events: they only read, and are ended where they take long.
    case reporting
    /// Reading the texts of replies, which no other purpose can, and writing nothing.
    case readingReplies
    /// What changes the shape of the store: swapping tables, dropping partitions. As the owner, so that the login has to
    /// be a member of that role.
    case owning
  }

  /// Opens a connection of the runtime role, which can read events and append them and no more, unless the purpose is
  /// that of the owner or of who reads replies.
  package func connect(_ purpose: Purpose) throws(StoreError) -> Connection {
    let role =
      switch purpose {
      case .writing, .aggregating, .asking, .reporting: "pushlift_runtime"
      case .readingReplies: "pushlift_replies"
      case .owning: "pushlift_owner"
      }
    var configuration = database.with(role: role).with(setting: "search_path", "pushlift, pg_temp")
      // A server with another default must not weaken what an answer promises, nor change how days are cut.
      .with(setting: "synchronous_commit", "on").with(setting: "TimeZone", "UTC")
      // To compile a plan takes longer than what it would save on these.
      .with(setting: "jit", "off")
    switch purpose {
    case .writing:
      configuration =
        configuration
        .with(applicationName: "pushlift writer").with(setting: "statement_timeout", "30s")
        .with(setting: "idle_in_transaction_session_timeout", "30s").with(setting: "lock_timeout", "10s")
    case .aggregating:
      configuration =
        configuration
        .with(applicationName: "pushlift aggregate").with(setting: "work_mem", "64MB")
        .with(setting: "temp_buffers", "160MB")
    case .asking, .readingReplies:
      configuration = configuration.with(applicationName: "pushlift").with(setting: "work_mem", "64MB")
    case .reporting:
      configuration =
        configuration
        .with(applicationName: "pushlift dashboard").with(setting: "default_transaction_read_only", "on")
        .with(setting: "statement_timeout", "10s").with(setting: "lock_timeout", "2s")
        .with(setting: "idle_in_transaction_session_timeout", "30s").with(setting: "work_mem", "64MB")
    case .owning:
      configuration =
        configuration
        .with(applicationName: "pushlift maintain").with(setting: "work_mem", "64MB")
        .with(setting: "temp_buffers", "160MB").with(setting: "maintenance_work_mem", "256MB")
    }
    do {
      return try Connection(configuration)
    } catch {
      throw StoreError(
        .unavailable, "The store cannot be reached: \(error)", remedy: Self.remedy(error, role), cause: error)
    }
  }

  private static func remedy(_ error: PostgresError, _ role: String) -> String? {
    switch error.sqlState {
    case "22023": "It has no schema yet: run pushlift migrate."
    case "42501": "The login has to be a member of the role \(role)."
    default: nil
    }
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

  /// Brings the schema up to date, makes partitions, and makes sure of the device secret.
  ///
  /// - Returns: the migrations that were applied.
  package func prepare() throws -> [String] {
    let connection = try connectAsLogin()
    let applied = try Migrator().run(on: connection)
    let runtime = try connect(.asking)
    try EventPartitions.prepare(on: runtime)
    try confirmSecret(on: runtime)
    return applied
  }

  func connectAsLogin() throws(StoreError) -> Connection {
    do {
      return try Connection(database.with(applicationName: "pushlift migrate"))
    } catch {
      throw StoreError(.unavailable, "The store cannot be reached: \(error)", cause: error)
    }
  }

  /// Records what the secret hashes to the first time, and refuses another secret from then on.
  private func confirmSecret(on connection: borrowing Connection) throws {
    try connection.execute(
      "insert into secret_check (name, hash) values ('device', \(secret.check)) on conflict (name) do nothing"
    )
    let kept = try connection.value(
      of: "select hash from secret_check where name = 'device'", as: UUID128.self)
    guard kept == secret.check else {
      throw StoreError(
        .secret,
        "The device secret is not the one this store was filled with: every device would count as a new one.",
        remedy:
          "Bring the former secret back (the file device-secret in the data folder, or PUSHLIFT_SECRET).")
    }
  }
}
