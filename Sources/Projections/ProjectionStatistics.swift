package import Postgres

/// What Postgres knows of the projected tables.
package enum ProjectionStatistics {
  /// Vacuums and analyses them, as autovacuum does in its own time.
  ///
  /// - Parameter connection: of the owner, in no transaction.
  package static func refresh(on connection: borrowing Connection) throws {
    try connection.execute("vacuum (analyze) \(ProjectionTables.serving.list)")
  }
}
