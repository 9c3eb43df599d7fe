import EngagementEvents
import Foundation
import Postgres
import Reports
import Statistics

@testable import EventStore
@testable import Projections

/// A report of counts that a test makes up.
struct SampleReport {
  var metric = Metric.interaction
  var appName = "shop"
  var zone = "UTC"
  /// Whether units lie in all buckets of devices, as chance would have them, so that there is an answer over all
  /// categories.
  var isSpread = false
  var details: RateDetails?
  private var cells: [RateCell] = []
  private var facts: [ExactText: CategoryFacts] = [:]

  init(_ metric: Metric = .interaction) { self.metric = metric }

  /// Units and successes of both arms, and what else is known of a category.
  mutating func add(
    _ category: String, rich: (units: Int, successes: Int), text: (units: Int, successes: Int),
    orphans: Int = 0,
    _ change: (inout CategoryFacts) -> Void = { _ in }
  ) {
    for (isRich, arm) in [(false, text), (true, rich)] where arm.units > 0 {
      cells +=
        isSpread
        ? Self.spread(category, isRich, arm)
        : [
          RateCell(category: category, isRich: isRich, bucket: 0, units: arm.units, successes: arm.successes)
        ]
    }
    var facts = CategoryFacts()
    facts.rich = ArmFacts(devices: rich.units, intendedRich: rich.units, interacting: rich.successes)
    facts.text = ArmFacts(devices: text.units, interacting: text.successes)
    facts.orphans = orphans
    facts.reportsExpansion = true
    facts.reportsDismissal = true
    change(&facts)
    self.facts[ExactText(category)] = facts
  }

  /// Units evenly, successes drawn one by one with Knuth's generator.
  private static func spread(
    _ category: String, _ isRich: Bool, _ arm: (units: Int, successes: Int)
  ) -> [RateCell] {
    let units = (0..<128).map { arm.units / 128 + ($0 < arm.units % 128 ? 1 : 0) }
    var successes = [Int](repeating: 0, count: 128)
    var state: UInt64 = isRich ? 11 : 5
    var left = arm.successes
    while left > 0 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let bucket = Int(state >> 57)
      guard successes[bucket] < units[bucket] else { continue }
      successes[bucket] += 1
      left -= 1
    }
    return (0..<128).filter { units[$0] > 0 }.map { bucket in
      RateCell(
        category: category, isRich: isRich, bucket: bucket, units: units[bucket], successes: successes[bucket]
      )
    }
  }

  private var total: CategoryFacts {
    var total = CategoryFacts()
    func sum(_ arm: (CategoryFacts) -> ArmFacts) -> ArmFacts {
      let arms = facts.values.map(arm)
      return ArmFacts(
        devices: arms.reduce(0) { $0 + $1.devices }, immature: arms.reduce(0) { $0 + $1.immature },
        intendedRich: arms.reduce(0) { $0 + $1.intendedRich }, fellBack: arms.reduce(0) { $0 + $1.fellBack },
        interacting: arms.reduce(0) { $0 + $1.interacting })
    }
    total.rich = sum(\.rich)
    total.text = sum(\.text)
    total.orphans = facts.values.reduce(0) { $0 + $1.orphans }
    total.implausible = facts.values.reduce(0) { $0 + $1.implausible }
    total.reportsExpansion = facts.values.contains { $0.reportsExpansion }
    total.reportsDismissal = facts.values.contains { $0.reportsDismissal }
    return total
  }

  func report() throws -> RateReport {
    var query = RateQuery(app: App(id: AppID(1), name: appName, zone: zone, windowSeconds: 86_400))
    query.metric = metric
    let watermark = facts.isEmpty ? nil : PostgresTimestamp(microsecondsSince1970: 1_796_000_000_000_000)
    return try RateReport(
      RateResult(
        query: query, checkpoint: .init(position: facts.isEmpty ? 0 : 4_711, watermark: watermark),
        cells: cells,
        facts: facts, total: total, details: details))
  }

  /// The comparison of one category with these counts.
  static func comparison(
    _ metric: Metric = .interaction, rich: (units: Int, successes: Int), text: (units: Int, successes: Int),
    orphans: Int = 0, _ change: (inout CategoryFacts) -> Void = { _ in }
  ) throws -> Comparison {
    var sample = SampleReport(metric)
    sample.add("news", rich: rich, text: text, orphans: orphans, change)
    return try sample.report().categories[0]
  }
}
