internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections

/// `pushlift-bench aggregate`.
enum AggregateBench {
  private static let new = Option<Int>(
    "new", .integer(in: 10_000...10_000_000), default: 300_000, help: "New events of each measurement.")
  private static let small = Option<Int>(
    "from", .integer(in: 10_000...1_000_000_000), default: 300_000,
    help: "Events present at the first measurement.")
  private static let large = Option<Int>(
    "to", .integer(in: 10_000...1_000_000_000), default: 1_500_000, help: "Events present at the second one.")

  static let command = Command(
    "aggregate", abstract: "What the job costs on little and on much history, and a rebuild.",
    discussion: """
      Fills a fresh log, and measures the same number of new events on top of little and of much history; then a rebuild, \
      and the room that everything takes. The processor's time is that of the one session that does the work, so that it \
      tells the same on a busy machine.
      """,
    examples: ["pushlift-bench aggregate --new 1000000 --from 1000000 --to 20000000"],
    options: [new, small, large]
  ) { arguments in
    let (new, small, large) = (arguments[new], arguments[small], arguments[large])
    try BenchStore.withFresh { bench in
      // A busy app: where a day has few events, most of the cost is that of its daily rows.
      let log = try SyntheticLog(
        bench, days: min(360, max(1, (large + 2 * new) / 60_000)), events: large + 2 * new)
      try log.add(small)
      say("first run:               \(try aggregate(bench))")
      try log.add(new)
      let onSmall = try measure(bench)
      say("new on top of \(small): \(onSmall.rate(of: new))")
      try log.add(max(0, large - log.events))
      say("rebuild of \(log.events): \(tenths(try rebuild(bench))) s")
      try log.add(new)
      let onLarge = try measure(bench)
      say("new on top of \(log.events - new): \(onLarge.rate(of: new))")
      say(
        "cost on much history: \(percent(onLarge.seconds, of: onSmall.seconds)) by the clock\(processor(onLarge, onSmall))"
      )
      try sayStorage(bench)
    }
  }

  private static func aggregate(_ bench: BenchStore) throws -> String {
    let connection = try bench.store.connect(.aggregating)
    var events = 0
    let time = try Stopwatch.time(Int32(connection.backendProcessID)) {
      events = try EngagementProjection().run(on: connection).caughtUp().events
    }
    return time.rate(of: events)
  }

  /// After a checkpoint, so that both measurements have the same of it before them.
  private static func measure(_ bench: BenchStore) throws -> Stopwatch {
    try Connection(bench.database).execute("checkpoint")
    let connection = try bench.store.connect(.aggregating)
    return try Stopwatch.time(Int32(connection.backendProcessID)) {
      _ = try EngagementProjection().run(on: connection).caughtUp()
    }
  }

  /// After a checkpoint, too.
  private static func rebuild(_ bench: BenchStore) throws -> Double {
    try Connection(bench.database).execute("checkpoint")
    let start = ContinuousClock.now
    _ = try ProjectionRebuild().run(bench.store)
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func processor(_ after: Stopwatch, _ before: Stopwatch) -> String {
    guard let after = after.processorSeconds, let before = before.processorSeconds else { return "" }
    return ", \(percent(after, of: before)) by the processor"
  }

  private static func percent(_ value: Double, of base: Double) -> String {
    "\(Int((100 * value / base).rounded())) %"
  }

  private static func sayStorage(_ bench: BenchStore) throws {
    let connection = try Connection(bench.database.with(setting: "search_path", "pushlift"))
    let events = try connection.value(of: "select count(*) from event", as: Int.self)
    let log = try connection.value(
      of: """
        select sum(pg_total_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'event'::regclass
        """, as: Int.self)
    let projected = try connection.value(
      of: """
        select sum(pg_total_relation_size(oid))::bigint from pg_class
        where relname in ('unit_outcome', 'unit_interaction', 'daily_rate')
        """, as: Int.self)
    say("bytes an event: \(log / events) in the log, \(projected / events) in what is made from it")
  }
}
