internal import Arguments
internal import EventStore
internal import Foundation
internal import Ingestion
internal import Postgres
internal import Projections

/// `pushlift aggregate`.
enum AggregateCommand {
  private static let watch = Option<Bool>.flag("watch", help: "Keep on, until interrupted.")
  private static let interval = Option<Duration>(
    "interval", .duration, default: .seconds(2), help: "With --watch: how long to wait between two runs.")

  static let command = Command(
    "aggregate", abstract: "Read the new events into the figures that reports are made from.",
    discussion: """
      Only new events cost anything, and a run that is killed goes on where it was. pushlift serve does the same in the \
      background unless told not to; only one process aggregates at a time.
      """,
    options: SharedOptions.store + [watch, interval]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      guard arguments[watch] else { return try once(opened.store) }
      let log = ServiceLog.standardError(
        level: .info, format: isatty(STDERR_FILENO) == 1 ? .text : .json)
      let keeper = opened.keepRunning(log: log)
      defer { keeper?.stop() }
      let aggregator = BackgroundAggregator(opened.store, interval: arguments[interval], log: log)
      let signals = Interruption.current.makeSequence()
      aggregator.start()
      for await _ in signals { break }
      aggregator.beginStopping()
      _ = aggregator.waitUntilStopped(for: .seconds(60))
    }
  }

  private static func once(_ store: EventStore) throws {
    let connection = try store.connect(.aggregating)
    var progress = Progress("events read")
    let outcome = try EngagementProjection().run(on: connection) { done, total in
      progress.update(Int(done), of: Int(total))
      return true
    }
    progress.end()
    let (events, checkpoint) = try outcome.caughtUp()
    try Terminal.print("\(events) events read, up to position \(checkpoint.position)")
  }
}
