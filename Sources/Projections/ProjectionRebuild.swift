package import EventStore
package import Postgres

/// Makes the projections anew from the log, into tables of their own that then take the place of those there.
///
/// Reports and the job go on with the former tables until the swap, which takes a moment. Killed at any point before, it
/// leaves these as they are; what it has left behind is removed by the next.
package struct ProjectionRebuild: Sendable {
  package init() {}

  /// A part of the work, as it begins.
  package enum Stage: Sendable, Hashable {
    /// Fills a table in bulk.
    case filling(table: String)
    /// Reads what has come in meanwhile.
    case catchingUp
    /// Waits for reports that are under way, and swaps.
    case swapping
  }

  /// Only one process rebuilds.
  private static let lock: Int64 = 7_081_004

  /// - Parameter progress: told each stage.
  /// - Returns: how far the new tables have read.
  /// - Throws: `StoreError.overloaded` where another rebuild, the job or reports were in the way for too long;
  ///   `StoreError.schema` where the schema was migrated meanwhile.
  package func run(_ store: EventStore, progress: (Stage) throws -> Void = { _ in }) throws
    -> EngagementProjection.Checkpoint
  {
    let connection = try store.connect(.owning)
    return try Self.withoutRebuild(on: connection) { (connection: borrowing Connection) in
      try run(on: connection, progress)
    }
  }

  private func run(
    on connection: borrowing Connection, _ progress: (Stage) throws -> Void
  ) throws -> EngagementProjection.Checkpoint {
    guard try Distribution.distributedTables(on: connection).isEmpty else {
      throw StoreError(
        .schema, "The tables are distributed over several machines, where they cannot be swapped.",
        remedy: "Empty the projected tables, set projection_checkpoint to 0, and run pushlift aggregate.")
    }
    try Self.removeLeftovers(on: connection)
    let schema = try Self.schemaVersion(on: connection)
    try fill(on: connection, progress)
    try progress(.catchingUp)
    let projection = EngagementProjection(rangeLimit: 250_000, tables: .rebuilt) { _ in nil }
    func catchUp(on connection: borrowing Connection) throws {
      guard let end = try PositionBarrier.lastPosition(on: connection, patience: 10_000) else {
        throw StoreError(.overloaded, "Writers kept the log busy for ten seconds.", remedy: "Try again.")
      }
      _ = try projection.catchUp(to: end, on: connection)
    }
    // Most of it while the job still runs, the rest while it stands still.
    try catchUp(on: connection)
    return try RunnerLock.withLock(on: connection) { (connection: borrowing Connection) in
      try catchUp(on: connection)
      try progress(.swapping)
      guard try Self.schemaVersion(on: connection) == schema else {
        throw StoreError(
          .schema, "The schema was migrated during the rebuild.", remedy: "Run pushlift rebuild again.")
      }
      try TableSwap.run(on: connection)
      return try EngagementProjection.checkpoint(on: connection)
    }
  }

  /// Lends the connection while no rebuild runs or can begin.
  ///
  /// - Throws: `StoreError.overloaded` where one is running.
  package static func withoutRebuild<Value>(
    on connection: borrowing Connection, _ body: (borrowing Connection) throws -> Value
  ) throws -> Value {
    guard try connection.value(of: "select pg_try_advisory_lock(\(lock))", as: Bool.self) else {
      throw StoreError(.overloaded, "Another process is rebuilding this store.", remedy: "Wait for it.")
    }
    defer { _ = try? connection.query("select pg_advisory_unlock(\(lock))") }
    return try body(connection)
  }

  /// Removes what a rebuild has left that was killed. Only while none is running.
  ///
  /// - Parameter connection: of the owner.
  package static func removeLeftovers(on connection: borrowing Connection) throws {
    try connection.withTransaction { (connection: borrowing Connection) in
      try connection.script("set local client_min_messages = warning")
      try connection.execute("drop table if exists \(ProjectionTables.rebuilt.list)")
      try connection.execute(
        "delete from projection_checkpoint where name = \(ProjectionTables.rebuilt.checkpoint)")
    }
  }

  private static func schemaVersion(on connection: borrowing Connection) throws -> Int32? {
    try connection.value(of: "select max(version) from schema_migration", as: Int32?.self)
  }

  /// In one snapshot, since what is taken over from the serving tables has to be as of the position.
  private func fill(on connection: borrowing Connection, _ progress: (Stage) throws -> Void) throws {
    // Behind the barrier: what the snapshot that follows sees has every event up to there.
    let end = try PositionBarrier.lastPosition(on: connection, patience: 10_000)
    try connection.withTransaction(isolation: .repeatableRead, first: ProjectionTables.share) {
      (connection: borrowing Connection) in
      let tables = ProjectionTables.rebuilt
      let position = try Self.position(upTo: end, on: connection)
      let watermark = try ProjectionReplay(tables: tables, position: position, isTemporary: false)
        .fill(on: connection) { try progress(.filling(table: $0)) }
      try BulkTable.adoptShape(tables, on: connection)
      for table in ProjectionTables.all { try TableSwap.makeIndexes(like: table, on: connection) }
      try connection.execute(
        "insert into projection_checkpoint (name, position, watermark) values (\(tables.checkpoint), \(position), \(watermark))"
      )
    }
  }

  /// How far the log is read in bulk: to its end, unless units that lost events are taken over as the job has left them.
  private static func position(upTo end: Int64?, on connection: borrowing Connection) throws -> Int64 {
    let read = try EngagementProjection.checkpoint(on: connection).position
    return try ProjectionReplay.areUnitsSealed(on: connection) ? read : max(read, end ?? read)
  }
}
