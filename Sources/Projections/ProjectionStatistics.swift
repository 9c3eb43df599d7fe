package import Postgres

/// What the planner knows of the projected tables.
package enum ProjectionStatistics {
  /// Looks at a sample of each table anew, as autovacuum does in its own time.
  ///
  /// - Parameter connection: of the owner.
  package static func refresh(on connection: borrowing Connection) throws {
    try connection.execute("analyze \(ProjectionTables.serving.list)")
  }
}
