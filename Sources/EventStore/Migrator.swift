package import Postgres
package import Schema

/// Brings a database to the schema this binary knows: each migration once, in order, in a transaction of its own.
package struct Migrator: Sendable {
  private let migrations: [Migration]

  package init(_ migrations: [Migration] = Migration.all) { self.migrations = migrations }

  /// Taken for the whole run, so that two migrating processes follow one another.
  private static let lock: Int64 = 7_081_000

  /// Applies what is missing, as the login of the connection, which must be allowed to create roles the first time.
  ///
  /// - Returns: the names of the migrations that were applied now.
  /// - Throws: `StoreError.schema` where an applied migration has changed or the database is ahead of this binary.
  package func run(on connection: borrowing Connection) throws -> [String] {
    _ = try connection.query("select pg_advisory_lock(\(Self.lock))")
    defer { _ = try? connection.query("select pg_advisory_unlock(\(Self.lock))") }
    let missing = try pending(on: connection)
    if !missing.isEmpty { try requireUTF8(isNew: missing.count == migrations.count, on: connection) }
    for migration in missing {
      do {
        try connection.withTransaction { (connection: borrowing Connection) in
          if !migration.makesRoles {
            try connection.script("set local role pushlift_owner; set local search_path = pushlift, pg_temp")
          }
          try connection.script(migration.sql)
          try connection.script("set local role pushlift_owner")
          _ = try connection.execute(
            """
            insert into pushlift.schema_migration (version, name, checksum)
            values (\(Int32(migration.version)), \(migration.name), \(migration.checksum))
            """)
        }
      } catch let error as PostgresError {
        throw StoreError(
          .schema, "Migration \(migration.name) failed and was rolled back: \(error)",
          remedy: migration.makesRoles
            ? "The login needs the right to create roles and schemas: let an administrator run pushlift migrate."
            : error.sqlState == "42501"
              ? "The login has to be a member of pushlift_owner: let an administrator run pushlift migrate."
              : nil,
          cause: error)
      }
    }
    return missing.map(\.name)
  }

  /// In another encoding there is no room for what people write, and migrations fail halfway. `SQL_ASCII` takes everything, but
  /// counts bytes for characters: a store that is there goes on, and none is made.
  private func requireUTF8(isNew: Bool, on connection: borrowing Connection) throws {
    let encoding = try connection.value(of: "show server_encoding", as: String.self)
    guard encoding != "UTF8", isNew || encoding != "SQL_ASCII" else { return }
    throw StoreError(
      .schema, "The database's encoding is \(encoding), and a store needs UTF8.",
      remedy: "Make another one: create database pushlift encoding 'UTF8' locale 'C' template template0")
  }

  /// What `run` would apply now.
  package func pending(on connection: borrowing Connection) throws -> [Migration] {
    let applied = try ledger(on: connection)
    for entry in applied {
      guard let known = migrations.first(where: { $0.version == entry.version }) else {
        throw StoreError(
          .schema,
          "The database has migration \(entry.name) (version \(entry.version)), which this pushlift does not know.",
          remedy: "Use the pushlift that applied it, or a newer one.")
      }
      guard known.checksum == entry.checksum else {
        throw StoreError(
          .schema,
          "Migration \(known.name) is not the one that was applied to this database as \(entry.name).",
          remedy: "An applied migration never changes: restore its text and put the change into a new one.")
      }
    }
    let versions = Set(applied.map(\.version))
    return migrations.filter { !versions.contains($0.version) }
  }

  private struct LedgerEntry {
    let version: Int
    let name: String
    let checksum: String
  }

  private func ledger(on connection: borrowing Connection) throws -> [LedgerEntry] {
    let isThere = try connection.query("select to_regclass('pushlift.schema_migration') is not null")
      .map { row in try row.value(0, as: Bool.self) }
    guard isThere == [true] else { return [] }
    return try connection.query(
      "select version, name, checksum from pushlift.schema_migration order by version"
    )
    .map { row in
      LedgerEntry(
        version: Int(try row.value(0, as: Int32.self)), name: try row.value(1, as: String.self),
        checksum: try row.value(2, as: String.self))
    }
  }
}

extension Migration {
  /// BLAKE2b-256 of the file, in hexadecimal.
  package var checksum: String { Digest.hexadecimal(Digest.blake2b256(Array(sql.utf8))) }
}
