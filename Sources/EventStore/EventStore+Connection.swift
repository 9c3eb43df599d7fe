package import Postgres

extension EventStore {
  /// What a connection is for; each acts as the role that has the least rights that serve.
  package enum Purpose: Sendable, Hashable {
    /// Appending: statements are short, and one that hangs is ended by the server.
    case writing
    /// What has to be known and made ready beside appending: keys, registries, partitions. In the same role.
    case ingesting
    /// Aggregating, which takes long and must never make writers wait.
    case aggregating
    /// Reports and other looks at the whole store but for texts of replies and the hashes of keys. It writes nothing.
    case asking
    /// Reports of a server that must go on taking events, so that they are ended where they take long. Of one app, and then
    /// the database gives rows of that app alone; nil for all.
    case reporting(of: AppID?)
    /// Reading the texts of replies, which no other purpose can, and writing nothing.
    case readingReplies
    /// Changes that somebody asked for: apps, keys, registries, letters, erasures.
    case administering
    /// What changes the shape of the store: swapping tables, dropping partitions. As the owner, so that the login has to
    /// be a member of that role.
    case owning
  }

  /// Opens a connection that can do what the purpose needs, and no more.
  package func connect(_ purpose: Purpose) throws(StoreError) -> Connection {
    try Self.open(configuration(for: purpose)) { error in remedy(error, purpose.role) }
  }

  /// Opens a session that goes by pushlift's defaults.
  static func open(
    _ configuration: ConnectionConfiguration, remedy: (PostgresError) -> String? = { _ in nil }
  ) throws(StoreError) -> Connection {
    let connection: Connection
    do throws(PostgresError) {
      connection = try Connection(configuration)
    } catch {
      let isPooled = error.message.contains("unsupported startup parameter")
      throw StoreError(
        .unavailable, "The store cannot be reached: \(error)",
        remedy: isPooled ? Pooler.remedy : remedy(error), cause: error)
    }
    try Pooler.refuse(on: connection)
    return connection
  }

  private func configuration(for purpose: Purpose) -> ConnectionConfiguration {
    let common = database.with(role: purpose.role).withSessionDefaults
    switch purpose {
    case .writing:
      return
        common
        .with(applicationName: Self.writerName).with(setting: "statement_timeout", "30s")
        .with(setting: "idle_in_transaction_session_timeout", "30s").with(setting: "lock_timeout", "10s")
    case .aggregating:
      return
        common
        .with(applicationName: "pushlift aggregate").with(setting: "work_mem", "64MB")
        .with(setting: "temp_buffers", "160MB")
    case .ingesting, .administering:
      return common.with(applicationName: "pushlift").with(setting: "work_mem", "64MB")
    case .asking, .readingReplies:
      return
        common
        .with(applicationName: "pushlift").with(setting: "work_mem", "64MB")
        .with(setting: "temp_buffers", "160MB")
    case .reporting(let app):
      let reporting =
        common
        .with(applicationName: "pushlift dashboard").with(setting: "default_transaction_read_only", "on")
        .with(setting: "statement_timeout", "10s").with(setting: "lock_timeout", "2s")
        .with(setting: "idle_in_transaction_session_timeout", "30s").with(setting: "work_mem", "64MB")
      return app.map { reporting.with(setting: "pushlift.app", "\($0.rawValue)") } ?? reporting
    case .owning:
      return
        common
        .with(applicationName: "pushlift maintain").with(setting: "work_mem", "64MB")
        .with(setting: "temp_buffers", "160MB").with(setting: "maintenance_work_mem", "256MB")
    }
  }

  private static let writerName = "pushlift writer"

  /// Whether anybody is connected to append, as every running server is. Postgres tells any login what sessions call themselves.
  package static func isWritten(on connection: borrowing Connection) throws -> Bool {
    try connection.value(
      of: """
        select exists (
          select from pg_stat_activity
          where datname = current_database() and application_name = \(writerName))
        """, as: Bool.self)
  }

  /// No code tells why a session could not begin. Where the server names the role, it is asked as the login.
  private func remedy(_ error: PostgresError, _ role: String) -> String? {
    guard error.message.contains("\"\(role)\""), let login = try? connectAsLogin() else { return nil }
    let found = try? login.query(
      "select pg_has_role(oid, 'member'), quote_ident(current_user) from pg_roles where rolname = \(role)"
    ).map { row in (isMember: try row.value(0, as: Bool.self), login: try row.value(1, as: String.self)) }
    guard let found else { return nil }
    guard let found = found.first else { return "It has no schema yet: run pushlift migrate." }
    return found.isMember
      ? nil
      : "The login has to be a member of the role \(role). As an administrator: grant \(role) to \(found.login)"
  }
}

extension EventStore.Purpose {
  /// The role that a session of this purpose acts as from its start.
  package var role: String {
    switch self {
    case .writing, .ingesting: "pushlift_writer"
    case .aggregating: "pushlift_aggregator"
    case .asking, .reporting(of: nil): "pushlift_analyst"
    case .reporting: "pushlift_reader"
    case .readingReplies: "pushlift_replies"
    case .administering: "pushlift_runtime"
    case .owning: "pushlift_owner"
    }
  }
}
