import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Whatever the order, the batches, the doubles and the ranges: the same rows, and the rates that the definitions say.
@Suite(.store)
struct ProjectionPropertyTests {
  private static let seedsPerPart = 10

  @Test(arguments: 0..<4)
  func neitherOrderNorDoublesNorRangesChangeARate(_ part: Int) throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    let runtime = try store.connect(.administering)
    _ = try store.app()
    // A zone that an app has is looked up faster.
    for zone in RandomStream.zones { _ = try store.app("in \(zone)", zone: zone) }
    for seed in (part * Self.seedsPerPart)..<((part + 1) * Self.seedsPerPart) {
      var stream = try RandomStream(seed: UInt64(seed))
      try superuser.execute(
        """
        update app set zone = \(stream.zone), attribution_window = \(stream.windowSeconds) * interval '1 second'
        where name = 'shop'
        """)
      let app = try store.app()
      let rows = try stream.samples.map { try $0.row(app.id) }

      try store.reset(on: superuser)
      let inOrder = stream.samples.sorted { $0.occurredAt < $1.occurredAt }
      try store.append(inOrder, to: app.id)
      _ = try EngagementProjection().run(on: runtime)
      let frames = (0..<2).map { _ in
        RateFrame(
          id: 0, zone: stream.choose(RandomStream.zones), windowSeconds: stream.choose(RandomStream.windows))
      }
      for frame in frames { try keep(frame, app, runtime) }
      let expected = try ProjectedState(runtime)

      try store.reset(on: superuser)
      try keep(frames[0], app, runtime)
      let start = try EngagementProjection.checkpoint(on: runtime).position
      let earlier = try arrive(&stream, app, frames, store, runtime)
      let state = try ProjectedState(runtime)
      #expect(state == expected, "seed \(seed)")
      if seed.isMultiple(of: 3) {
        let check = try ProjectionCheck.run(on: runtime)
        #expect(check.isSound, "seed \(seed): \(check)")
      }
      if seed.isMultiple(of: 4) {
        _ = try ProjectionRebuild().run(store)
        #expect(try ProjectedState(runtime) == expected, "seed \(seed)")
      }
      for result in earlier where result.checkpoint.position > start {
        let again = try RateReader.read(result.query, asOf: result.checkpoint.position, on: runtime)
        #expect(again == result, "seed \(seed)")
      }
      #expect(
        state.units.count == Set(rows.filter { $0.timing.quality != .implausible }.map(\.key.unitID)).count)

      let model = RateModel(rows)
      for query in queries(&stream, app, frames) {
        let result = try RateReader.read(query, on: runtime)
        let answer = model.answer(query)
        #expect(Set(result.cells) == answer.cells, "seed \(seed): \(query)")
        #expect(result.cells.count == answer.cells.count)
        #expect(result.facts == answer.facts, "seed \(seed): \(query)")
        #expect(result.total == answer.total, "seed \(seed): \(query)")
        #expect(result.cells.allSatisfy { 0 <= $0.successes && $0.successes <= $0.units })
      }
      let query = stream.choose(queries(&stream, app, frames))
      expectBreakdownsToAddUp(try RateReader.read(query, withDetails: true, on: runtime), "seed \(seed)")
    }
  }

  /// Appends in disorder, and projects between batches in ranges of any size, broken off now and then.
  ///
  /// - Returns: reports that were read meanwhile.
  private func arrive(
    _ stream: inout RandomStream, _ app: App, _ frames: [RateFrame], _ store: EventStore,
    _ runtime: borrowing Connection
  ) throws -> [RateResult] {
    var earlier: [RateResult] = []
    let batches = stream.makeArrival()
    for (number, batch) in batches.enumerated() {
      if number == batches.count / 2 { try keep(frames[1], app, runtime) }
      try store.append(batch, to: app.id)
      guard stream.isLucky(0.4) else { continue }
      let stops = stream.number(1...3)
      var ranges = 0
      _ = try EngagementProjection(rangeLimit: Int64(stream.number(1...12))).run(on: runtime) { _, _ in
        ranges += 1
        return ranges < stops
      }
      guard earlier.count < 2, stream.isLucky(0.3) else { continue }
      let query = stream.choose(queries(&stream, app, frames))
      earlier.append(try RateReader.read(query, on: runtime))
    }
    let outcome = try EngagementProjection(rangeLimit: Int64(stream.number(1...50))).run(on: runtime)
    guard case .caughtUp = outcome else {
      Issue.record("not caught up: \(outcome)")
      return []
    }
    return earlier
  }

  private func keep(_ frame: RateFrame, _ app: App, _ runtime: borrowing Connection) throws {
    _ = try RateFrame.add(zone: frame.zone, windowSeconds: frame.windowSeconds, to: app, on: runtime)
  }

  /// By whatever units are told apart, they are the units of the report.
  private func expectBreakdownsToAddUp(_ result: RateResult, _ comment: Comment) {
    func sum(_ cells: some Sequence<(units: Int, successes: Int)>) -> [Int] {
      cells.reduce(into: [0, 0]) { sum, cell in
        sum[0] += cell.units
        sum[1] += cell.successes
      }
    }
    let rich = sum(result.cells.filter(\.isRich).map { ($0.units, $0.successes) })
    let text = sum(result.cells.filter { !$0.isRich }.map { ($0.units, $0.successes) })
    #expect(result.details?.breakdowns.count == RateDetails.Dimension.allCases.count)
    for breakdown in result.details?.breakdowns ?? [] {
      #expect(sum(breakdown.groups.map { ($0.rich.units, $0.rich.successes) }) == rich, comment)
      #expect(sum(breakdown.groups.map { ($0.text.units, $0.text.successes) }) == text, comment)
      #expect(Set(breakdown.groups.map(\.value)).count == breakdown.groups.count, comment)
    }
    let interacting = result.total.rich.interacting + result.total.text.interacting
    let times = result.details?.times.last { $0.category == nil }
    #expect((times?.rich?.units ?? 0) + (times?.text?.units ?? 0) == interacting, comment)
  }

  /// Every metric, once as the app's daily rows are kept and once with another zone, window and period, kept or not.
  private func queries(_ stream: inout RandomStream, _ app: App, _ frames: [RateFrame]) -> [RateQuery] {
    let metrics = Metric.simple + (RandomStream.buttons + ["never"]).map(Metric.customAction)
    return metrics.flatMap { metric in
      var kept = RateQuery(app: app)
      kept.metric = metric
      kept.armRule = stream.choose(ArmRule.allCases)
      setPeriod(&kept, &stream)
      var other = kept
      if stream.isLucky(0.5) {
        let frame = stream.choose(frames)
        (other.zone, other.windowSeconds) = (frame.zone, frame.windowSeconds)
      } else {
        other.zone = stream.choose(RandomStream.zones)
        other.windowSeconds = stream.choose(RandomStream.windows)
      }
      other.armRule = stream.choose(ArmRule.allCases)
      setPeriod(&other, &stream)
      return [kept, other]
    }
  }

  private func setPeriod(_ query: inout RateQuery, _ stream: inout RandomStream) {
    func day(_ offset: Int) -> PostgresDate { PostgresDate(daysSince1970: Int32(stream.day + offset)) }
    query.firstDay = stream.isLucky(0.4) ? day(stream.number(-1...1)) : nil
    query.lastDay = stream.isLucky(0.4) ? day(stream.number(0...1)) : nil
    query.category = stream.isLucky(0.2) ? stream.choose(["news", "promo", "", "unheard of"]) : nil
  }
}
