import Foundation
import Statistics
import Testing

@Suite struct ClusterTests {
  /// Devices with their own rates, each with some notifications of either kind.
  private func devices(
    _ count: Int, _ random: inout SplitMix64
  ) throws -> (rich: ClusterTotals, text: ClusterTotals) {
    var columns: [[Double]] = [[], [], [], []]
    for _ in 0..<count {
      let rate = Double.random(in: 0...0.4, using: &random)
      for arm in [0, 2] {
        let trials = Int.random(in: 1...12, using: &random)
        let successes = (0..<trials).count { _ in Double.random(in: 0...1, using: &random) < rate }
        columns[arm].append(Double(successes))
        columns[arm + 1].append(Double(trials))
      }
    }
    return (
      try ClusterTotals(successes: columns[0], trials: columns[1]),
      try ClusterTotals(successes: columns[2], trials: columns[3])
    )
  }

  private func sums(_ totals: ClusterTotals) throws -> ClusterSums {
    var sums = ClusterSums()
    for (successes, trials) in zip(totals.successes, totals.trials) {
      try sums.add(trials: trials, successes: successes)
    }
    return sums
  }

  @Test func sumsGiveTheVarianceThatTheDevicesGive() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<50 {
      let totals = try devices(200, &random).rich
      let direct = try #require(totals.ratio())
      let summed = try #require(try sums(totals).ratio())
      #expect(agree(direct.rate, summed.rate, within: 1e-14))
      #expect(agree(try #require(direct.variance), try #require(summed.variance), within: 1e-11))
    }
  }

  @Test func eventsAddedOneByOneGiveTheSumsOfTheirDevices() throws {
    var random = SplitMix64(seed: 42)
    let totals = try devices(60, &random).rich
    var events: [(device: Int, success: Bool)] = []
    for device in 0..<totals.count {
      for event in 0..<Int(totals.trials[device]) {
        events.append((device, Double(event) < totals.successes[device]))
      }
    }
    var stepwise = ClusterSums()
    var seen = [Int: (trials: Double, successes: Double)]()
    for event in events.shuffled(using: &random) {
      let before = seen[event.device, default: (0, 0)]
      let success = event.success ? 1.0 : 0
      try stepwise.add(
        trials: 1, successes: success, toClusterWith: before.trials, successes: before.successes)
      seen[event.device] = (before.trials + 1, before.successes + success)
    }
    #expect(try stepwise == sums(totals))
  }

  @Test func sharingDevicesLeavesTheRatesAloneAndTakesTheirCovarianceOff() throws {
    var random = SplitMix64(seed: 43)
    let (rich, text) = try devices(400, &random)
    let comparison = try #require(try ClusteredComparison(sharing: rich, text))
    #expect(comparison.covariance > 0)
    let (richRatio, textRatio) = (try #require(rich.ratio()), try #require(text.ratio()))
    let independent = try #require(ClusteredComparison(independent: richRatio, textRatio))
    #expect(comparison.varianceIfIndependent == independent.varianceOfDifference)
    #expect(comparison.difference().value == independent.difference().value)
    #expect(comparison.difference().standardError < independent.difference().standardError)
    let (narrow, wide) = (try #require(comparison.ratio()), try #require(independent.ratio()))
    #expect(narrow.value == wide.value && narrow.logStandardError < wide.logStandardError)
  }

  @Test func theScoreIntervalOnEffectiveCountsIsAsWideAsTheClusteredOne() throws {
    var random = SplitMix64(seed: 45)
    let (rich, text) = try devices(4000, &random)
    let comparison = try #require(try ClusteredComparison(sharing: rich, text))
    let designEffect = try #require(comparison.designEffect)
    let table = TwoProportions(
      rich: try Proportion(successes: rich.successes.reduce(0, +), trials: rich.trials.reduce(0, +)),
      text: try Proportion(successes: text.successes.reduce(0, +), trials: text.trials.reduce(0, +)))
    let score = try #require(try table.effective(designEffect: designEffect).miettinenNurminenDifference())
    let clustered = comparison.difference().interval
    #expect(agree(score.upper - score.lower, clustered.upper - clustered.lower, within: 2e-3))
    #expect(agree(score.lower, clustered.lower, within: 1e-2))
  }

  @Test func anArmComparedWithItselfHasNoVarianceLeft() throws {
    var random = SplitMix64(seed: 44)
    let rich = try devices(100, &random).rich
    let comparison = try #require(try ClusteredComparison(sharing: rich, rich))
    #expect(comparison.varianceOfDifference < 1e-18)
    #expect(try comparison.deltaMethodUplift()?.value == 0)
  }

  @Test func singleTrialsHaveADesignEffectOfAboutOne() throws {
    let totals = try ClusterTotals(
      successes: (0..<1000).map { $0 < 300 ? 1 : 0 }, trials: Array(repeating: 1, count: 1000))
    let designEffect = try #require(totals.ratio()?.designEffect)
    #expect(agree(designEffect, 1000.0 / 999, within: 1e-12))
  }

  @Test func devicesThatAlwaysRepeatThemselvesHaveTheirSizeAsDesignEffect() throws {
    let totals = try ClusterTotals(
      successes: (0..<5000).map { $0 < 1500 ? 6 : 0 }, trials: Array(repeating: 6, count: 5000))
    let designEffect = try #require(totals.ratio()?.designEffect)
    let expected = try kishDesignEffect(clusterSize: 6, intraclassCorrelation: 1)
    #expect(agree(designEffect, expected, within: 1e-3))
  }

  @Test func oneDeviceHasNoVarianceAndNoneHasNoRate() throws {
    let single = try #require(try ClusterTotals(successes: [1], trials: [5]).ratio())
    #expect(single.rate == 0.2 && single.variance == nil && single.designEffect == nil)
    #expect(try single.interval() == nil)
    #expect(ClusterSums().ratio() == nil)
    #expect(try ClusterTotals(successes: [0, 0], trials: [0, 0]).ratio() == nil)
  }
}

@Suite struct BucketedProportionsTests {
  private func table(_ counts: [Double]) throws -> TwoProportions {
    TwoProportions(
      rich: try Proportion(successes: counts[0], trials: counts[1]),
      text: try Proportion(successes: counts[2], trials: counts[3]))
  }

  private func buckets(_ count: Int, seed: UInt64) throws -> [[TwoProportions]] {
    var random = SplitMix64(seed: seed)
    return try (0..<count).map { _ in
      try (0..<3).map { _ in
        let trials = (0..<2).map { _ in Double(Int.random(in: 200...400, using: &random)) }
        return try table([
          (trials[0] * Double.random(in: 0.04...0.08, using: &random)).rounded(), trials[0],
          (trials[1] * Double.random(in: 0.03...0.07, using: &random)).rounded(), trials[1],
        ])
      }
    }
  }

  @Test func theTotalsOfTheBucketsAreTheStrata() throws {
    let buckets = try buckets(128, seed: 51)
    let bucketed = try BucketedProportions(buckets)
    let expected = buckets.reduce(0) { $0 + $1[2].text.successes }
    #expect(bucketed.total.strata[2].text.successes == expected)
    let ratio = try #require(bucketed.total.mantelHaenszelRiskRatio())
    let estimate = try #require(bucketed.mantelHaenszelLogRiskRatio())
    #expect(agree(exp(estimate.value), ratio.value, within: 1e-13) && estimate.degreesOfFreedom == 127)
  }

  @Test func theJackknifeOfOneDifferenceIsItsInfluenceFunction() throws {
    let buckets = try buckets(128, seed: 52).map { [$0[0]] }
    func totals(_ arm: KeyPath<TwoProportions, Proportion>) throws -> ClusterTotals {
      try ClusterTotals(
        successes: buckets.map { $0[0][keyPath: arm].successes },
        trials: buckets.map { $0[0][keyPath: arm].trials })
    }
    let comparison = try #require(try ClusteredComparison(sharing: totals(\.rich), totals(\.text)))
    let jackknife = try #require(try BucketedProportions(buckets).mantelHaenszelRiskDifference())
    #expect(agree(jackknife.value, comparison.difference().value, within: 1e-12))
    #expect(agree(jackknife.standardError, comparison.difference().standardError, within: 0.01))
  }

  @Test func theIntervalUsesStudentsTAndAgreesWithItsPValue() throws {
    let estimate = try #require(try BucketedProportions(buckets(6, seed: 53)).mantelHaenszelLogRiskRatio())
    let interval = try #require(try estimate.interval())
    let halfWidth = (interval.upper - interval.lower) / 2
    #expect(agree(halfWidth / estimate.standardError, 2.570_581_835_636_197, within: 1e-10))
    let p = try #require(try estimate.p())
    let edge = try #require(try estimate.interval(try ConfidenceLevel(1 - p)))
    #expect(abs(min(abs(edge.lower), abs(edge.upper))) < 1e-9)
  }

  @Test func aRatioThatHangsOnOneBucketHasNoJackknife() throws {
    let some = try table([3, 10, 2, 10])
    let none = try table([0, 10, 0, 10])
    #expect(try BucketedProportions([[some], [none], [none]]).mantelHaenszelLogRiskRatio() == nil)
    #expect(try BucketedProportions([[some], [none]]).mantelHaenszelRiskDifference() != nil)
    #expect(try BucketedProportions([[some]]).mantelHaenszelRiskDifference() == nil)
    #expect(try BucketedProportions([]).mantelHaenszelRiskDifference() == nil)
  }

  /// They tell nothing, and a few of the others are a few.
  @Test func bucketsWithoutTrialsAreNone() throws {
    let none = try table([0, 0, 0, 0])
    let filled = try buckets(6, seed: 54)
    let bare = try #require(try BucketedProportions(filled).mantelHaenszelLogRiskRatio())
    let padded = try #require(
      try BucketedProportions(filled + [[TwoProportions]](repeating: [none, none, none], count: 122))
        .mantelHaenszelLogRiskRatio())
    #expect(padded.standardError == bare.standardError && padded.degreesOfFreedom == 5)
    // The arm with fewer counts.
    let rich = try [3, 4, 5].map { try table([$0, 10, 0, 0]) }
    let text = try (1...9).map { try table([0, 0, Double($0), 10]) }
    let apart = try BucketedProportions((rich + text).map { [$0] }).mantelHaenszelRiskDifference()
    #expect(apart?.degreesOfFreedom == 2)
    #expect(
      try BucketedProportions((rich.prefix(1) + text).map { [$0] }).mantelHaenszelRiskDifference() == nil)
  }

  @Test func fewClustersWidenByStudentsT() throws {
    let few = try #require(try FewClusters.inflation(10, of: 128, .ninetyFive))
    // (10 / 9 × 2.262157²) / (128 / 127 × 1.978820²)
    #expect(agree(few, 1.440_736, within: 1e-5))
    #expect(try FewClusters.inflation(128, of: 128, .ninetyFive) == 1)
    #expect(try FewClusters.inflation(1, of: 128, .ninetyFive) == nil)
    let sizes = try (2...128).map { try #require(try FewClusters.inflation($0, of: 128, .ninetyFive)) }
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func bucketsWithoutVariationHaveNoInterval() throws {
    let same = try table([0, 10, 0, 10])
    let estimate = try #require(try BucketedProportions([[same], [same]]).mantelHaenszelRiskDifference())
    #expect(estimate.value == 0 && estimate.standardError == 0)
    #expect(try estimate.interval() == nil && estimate.p() == nil)
  }
}
