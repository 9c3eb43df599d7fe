internal import EventStore
package import Postgres

/// The incremental job that turns the log of events into what became of each unit, and into daily rows.
///
/// It reads ranges of positions behind the barrier, and writes its rows and its checkpoint in one transaction: killed at
/// any point, it goes on where it was. Merging commutes and repeats harmlessly, so neither the order in which events
/// come, nor duplicates, nor how the log is cut into ranges, changes the result.
package struct EngagementProjection: Sendable {
  /// The most positions read in one transaction: what bounds memory and temporary files.
  package let rangeLimit: Int64

  package init(rangeLimit: Int64 = 250_000) { self.rangeLimit = rangeLimit }

  /// Held by the one process that runs the job.
  private static let runnerLock: Int64 = 7_081_003

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
  /// - Parameter progress: told after each range how many positions are read of how many; false ends the run there.
  package func run(
    on connection: borrowing Connection, progress: (_ done: Int64, _ total: Int64) -> Bool = { _, _ in true }
  ) throws -> Outcome {
    guard try connection.value(of: "select pg_try_advisory_lock(\(Self.runnerLock))", as: Bool.self) else {
      return .runningElsewhere
    }
    defer { _ = try? connection.query("select pg_advisory_unlock(\(Self.runnerLock))") }
    guard let last = try PositionBarrier.lastPosition(on: connection) else { return .heldUp }
    var checkpoint = try Self.checkpoint(on: connection)
    let first = checkpoint.position
    var events = 0
    while checkpoint.position < last {
      let upTo = min(checkpoint.position + rangeLimit, last)
      events += try project(after: checkpoint.position, upTo: upTo, on: connection)
      checkpoint = try Self.checkpoint(on: connection)
      guard progress(checkpoint.position - first, last - first) else { break }
    }
    return .caughtUp(events: events, checkpoint: checkpoint)
  }

  /// How far the job has come.
  package static func checkpoint(on connection: borrowing Connection) throws -> Checkpoint {
    let rows = try connection.query(
      "select position, watermark from projection_checkpoint where name = 'engagement'"
    ).map { row in Checkpoint(position: try row.value(0), watermark: try row.value(1)) }
    guard let checkpoint = rows.first else {
      throw StoreError(
        .schema, "The projection's checkpoint is missing from projection_checkpoint.",
        remedy: "Run pushlift migrate.")
    }
    return checkpoint
  }

  /// Reads one range in one transaction.
  private func project(after low: Int64, upTo high: Int64, on connection: borrowing Connection) throws -> Int
  {
    try connection.withTransaction { (connection: borrowing Connection) in
      let events = try connection.execute(ProjectionStep.readEvents(after: low, upTo: high))
      for statement in ProjectionStep.statements { try connection.execute(statement) }
      try connection.execute(
        """
        update projection_checkpoint
        set position = \(high), watermark = greatest(watermark, (select max(received_at) from step_event))
        where name = 'engagement'
        """)
      return events
    }
  }
}
