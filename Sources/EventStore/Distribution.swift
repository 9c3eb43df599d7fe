package import Postgres

/// Spreads the big tables over the machines of a Citus cluster, by unit, so that all that is known of a unit lies together.
package enum Distribution {
  /// Tables that grow with the events. All others stay whole.
  package static let tables = ["event", "reply", "unit_outcome", "unit_interaction"]

  /// Distributes what is not distributed yet.
  ///
  /// - Parameter connection: of the owner, on the coordinator.
  /// - Returns: the tables that were distributed now.
  /// - Throws: `StoreError.schema` where Citus is not there.
  package static func apply(on connection: borrowing Connection) throws -> [String] {
    guard try connection.value(of: "select to_regproc('create_distributed_table') is not null") else {
      throw try whatIsMissing(on: connection)
    }
    let distributed = try distributedTables(on: connection)
    let missing = tables.filter { !distributed.contains($0) }
    for table in missing {
      // Beside the log: rows of one unit have to lie on one machine.
      let neighbour = table == tables[0] ? "none" : tables[0]
      _ = try connection.query(
        "select create_distributed_table(\(table), 'unit_id', colocate_with => \(neighbour))")
    }
    return missing
  }

  /// Which tables are distributed; none where Citus is not there.
  package static func distributedTables(on connection: borrowing Connection) throws -> Set<String> {
    guard try connection.value(of: "select to_regclass('pg_dist_partition') is not null") else { return [] }
    return Set(
      try connection.query("select logicalrelid::regclass::text from pg_dist_partition")
        .map { row in try row.value(0, as: String.self) })
  }

  private static func whatIsMissing(on connection: borrowing Connection) throws -> StoreError {
    let isInstalled = try connection.value(
      of: "select exists (select from pg_available_extensions where name = 'citus')", as: Bool.self)
    let server = try connection.value(of: "show server_version", as: String.self)
    return StoreError(
      .schema,
      "The schema is up to date and on one machine: the extension citus is not in this database (PostgreSQL \(server)).",
      remedy: isInstalled
        ? "Its files are on the server: create extension citus, add the workers with citus_add_node, and run this again."
        : "The server has no Citus: install it there, add it to shared_preload_libraries, restart, create extension citus, add the workers with citus_add_node, and run this again."
    )
  }
}
