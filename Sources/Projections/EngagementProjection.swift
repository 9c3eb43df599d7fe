package import EventStore
package import Postgres

/// The incremental job that turns the log of events into what became of each unit, and into daily rows.
///
/// It reads ranges of positions behind the barrier, and writes its rows and its checkpoint in one transaction: killed at
/// any point, it goes on where it was. Merging commutes and repeats harmlessly, so neither the order in which events
/// come, nor duplicates, nor how the log is cut into ranges, changes the result.
package struct EngagementProjection: Sendable {
  /// The most positions read in one transaction: what bounds memory and temporary files.
  package let rangeLimit: Int64
  /// What it writes to.
  private let tables: ProjectionTables
  /// Gives the position up to which everything can be read; nil where writers are in the way.
  private let readableEnd: @Sendable (borrowing Connection) throws -> Int64?

  package init(rangeLimit: Int64 = 250_000) {
    self.init(rangeLimit: rangeLimit, tables: .serving) { connection in
      try PositionBarrier.lastPosition(on: connection)
    }
  }

  init(
    rangeLimit: Int64, tables: ProjectionTables,
    readableEnd: @escaping @Sendable (borrowing Connection) throws -> Int64?
  ) {
    self.rangeLimit = rangeLimit
    self.tables = tables
    self.readableEnd = readableEnd
  }

  /// How far the projection has come.
  package struct Checkpoint: Sendable, Hashable {
    /// Every event up to this position has been read.
    package let position: Int64
    /// The latest time of arrival among them; nil while nothing has been read.
    package let watermark: PostgresTimestamp?
  }

  /// What a run did.
  package enum Outcome: Sendable, Hashable {
    /// Everything that was there is read; `events` were new.
    case caughtUp(events: Int, checkpoint: Checkpoint)
    /// Another process runs the job.
    case runningElsewhere
    /// Writers held the barrier for too long; nothing is wrong, the next run will go further.
    case heldUp
  }

  /// Reads everything that is there now.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for another process that runs the job, and for writers in the way. Without any, a
  ///     second runner steps back at once, and writers are given a second.
  ///   - progress: told after each range how many positions are read of how many; false ends the run there.
  /// - Throws: `StoreError.schema` where a newer pushlift has migrated the store, whose job reads on.
  package func run(
    on connection: borrowing Connection, patience: Duration = .zero,
    progress: (_ done: Int64, _ total: Int64) -> Bool = { _, _ in true }
  ) throws -> Outcome {
    // A newer release may make more of the events than this one knows of.
    _ = try Migrator().pending(on: connection)
    let deadline = ContinuousClock.now + patience
    guard try RunnerLock.take(patience: patience, on: connection) else { return .runningElsewhere }
    defer { RunnerLock.giveBack(on: connection) }
    var end = try readableEnd(connection)
    while end == nil, ContinuousClock.now < deadline { end = try readableEnd(connection) }
    guard let end else { return .heldUp }
    return try catchUp(to: end, on: connection, progress: progress)
  }

  /// Reads what is missing up to a position behind the barrier. Only one process may do so to a set of tables.
  func catchUp(
    to end: Int64, on connection: borrowing Connection,
    progress: (_ done: Int64, _ total: Int64) -> Bool = { _, _ in true }
  ) throws -> Outcome {
    var checkpoint = try Self.checkpoint(of: tables, on: connection)
    let first = checkpoint.position
    var events = 0
    while checkpoint.position < end {
      let upTo = min(checkpoint.position + rangeLimit, end)
      events += try project(after: checkpoint.position, upTo: upTo, on: connection)
      checkpoint = try Self.checkpoint(of: tables, on: connection)
      guard progress(checkpoint.position - first, end - first) else { break }
    }
    return .caughtUp(events: events, checkpoint: checkpoint)
  }

  /// How far the job has come.
  package static func checkpoint(on connection: borrowing Connection) throws -> Checkpoint {
    try checkpoint(of: .serving, on: connection)
  }

  /// Whether the log has events of an app that the job has not read.
  package static func hasUnread(of app: AppID, on connection: borrowing Connection) throws -> Bool {
    let read = try checkpoint(on: connection).position
    // Positions alone do not tell, since they have gaps.
    guard let last = try PositionBarrier.lastPosition(on: connection), last > read else { return false }
    return try connection.withTransaction(readOnly: true) { (connection: borrowing Connection) in
      try connection.script("set local enable_seqscan = off")
      return try connection.value(
        of: "select exists (select from event where position > \(read) and app_id = \(app.rawValue))")
    }
  }

  static func checkpoint(of tables: ProjectionTables, on connection: borrowing Connection) throws
    -> Checkpoint
  {
    let rows = try connection.query(
      "select position, watermark from projection_checkpoint where name = \(tables.checkpoint)"
    ).map { row in Checkpoint(position: try row.value(0), watermark: try row.value(1)) }
    guard let checkpoint = rows.first else {
      throw StoreError(
        .schema,
        "The projection's checkpoint '\(tables.checkpoint)' is missing from projection_checkpoint.",
        remedy: "Run pushlift migrate.")
    }
    return checkpoint
  }

  /// Reads one range in one transaction.
  private func project(after low: Int64, upTo high: Int64, on connection: borrowing Connection) throws -> Int
  {
    try connection.withTransaction { (connection: borrowing Connection) in
      try connection.script(ProjectionStep.settings + "; set local enable_seqscan = off")
      let events = try connection.execute(ProjectionStep.readEvents(after: low, upTo: high))
      try connection.execute("set local enable_seqscan = on")
      for statement in ProjectionStep(tables: tables).statements { try connection.execute(statement) }
      try connection.execute(
        """
        update projection_checkpoint
        set position = \(high), watermark = greatest(watermark, (select max(received_at) from step_event))
        where name = \(tables.checkpoint)
        """)
      return events
    }
  }
}

extension EngagementProjection.Outcome {
  /// What was read.
  ///
  /// - Throws: `StoreError.overloaded` where the job could not run.
  package func caughtUp() throws(StoreError) -> (events: Int, checkpoint: EngagementProjection.Checkpoint) {
    switch self {
    case .caughtUp(let events, let checkpoint): return (events, checkpoint)
    case .runningElsewhere:
      throw StoreError(
        .overloaded, "Another process is aggregating this store.",
        remedy:
          "There is nothing to do; it reads every event. (pushlift serve aggregates unless told not to.)")
    case .heldUp:
      throw StoreError(.overloaded, "Writers kept the log busy for too long.", remedy: "Try again.")
    }
  }
}
