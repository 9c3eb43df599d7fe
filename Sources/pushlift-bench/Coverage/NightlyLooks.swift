internal import EventStore
internal import Foundation
internal import Projections
internal import Reports
internal import Statistics

/// The first night, if any, on which each kind of interval excludes the true uplift, as days add up.
struct NightlyLooks: Sendable {
  enum Kind: Int, CaseIterable, Sendable {
    case fixedClustered, fixedNaive, alwaysValidClustered, alwaysValidNaive
  }

  private(set) var firstMiss: [Int?] = Array(repeating: nil, count: Kind.allCases.count)
  private let truth: Double
  private let level = ConfidenceLevel.ninetyFive
  private var richUnits = [Int](repeating: 0, count: 128)
  private var richSuccesses = [Int](repeating: 0, count: 128)
  private var textUnits = [Int](repeating: 0, count: 128)
  private var textSuccesses = [Int](repeating: 0, count: 128)

  init(truth: Double) { self.truth = truth }

  /// Adds a day's rows of one arm.
  mutating func add(isRich: Bool, _ buckets: [Int16], _ units: [Int64], _ successes: [Int64]) {
    for (place, bucket) in buckets.enumerated() {
      if isRich {
        richUnits[Int(bucket)] += Int(units[place])
        richSuccesses[Int(bucket)] += Int(successes[place])
      } else {
        textUnits[Int(bucket)] += Int(units[place])
        textSuccesses[Int(bucket)] += Int(successes[place])
      }
    }
  }

  /// Looks as the report of that night would: without enough for a verdict there is none to be wrong.
  mutating func look(night: Int, richDevices: Int, textDevices: Int) throws {
    var facts = CategoryFacts()
    facts.rich = ArmFacts(devices: richDevices)
    facts.text = ArmFacts(devices: textDevices)
    facts.devices = richDevices + textDevices
    let comparison = try Comparison(.crude, cells: cells, facts: facts, metric: .interaction, level: level)
    guard comparison.verdict.reason == nil else { return }
    let pair = TwoProportions(rich: comparison.rich.counts, text: comparison.text.counts)
    note(.fixedClustered, night, comparison.upliftInterval)
    note(.fixedNaive, night, pair.relativeUplift(level)?.interval)
    note(.alwaysValidClustered, night, comparison.alwaysValidUplift)
    note(.alwaysValidNaive, night, try Self.alwaysValid(pair, level))
  }

  private mutating func note(_ kind: Kind, _ night: Int, _ interval: ConfidenceInterval?) {
    guard let interval, firstMiss[kind.rawValue] == nil, !interval.contains(truth) else { return }
    firstMiss[kind.rawValue] = night
  }

  private var cells: [RateCell] {
    (0..<128).flatMap { bucket in
      [
        RateCell(
          category: "", isRich: true, bucket: bucket, units: richUnits[bucket],
          successes: richSuccesses[bucket]),
        RateCell(
          category: "", isRich: false, bucket: bucket, units: textUnits[bucket],
          successes: textSuccesses[bucket]),
      ]
    }
  }

  /// The same sequence with every notification taken for a device.
  private static func alwaysValid(
    _ pair: TwoProportions, _ level: ConfidenceLevel
  ) throws -> ConfidenceInterval? {
    guard let ratio = StratifiedProportions([pair]).mantelHaenszelRiskRatio(level) else { return nil }
    let sequence = try AsymptoticConfidenceSequence(level, tunedTo: Comparison.tunedDevices)
    let bounds = try sequence.bounds(
      estimate: log(ratio.value), standardError: ratio.logStandardError, observations: pair.pooled.trials)
    return bounds.map {
      ConfidenceInterval(
        lower: expm1($0.interval.lower), upper: expm1($0.interval.upper), confidence: level.value)
    }
  }
}
