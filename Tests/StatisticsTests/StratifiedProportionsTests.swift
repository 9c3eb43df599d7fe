import Foundation
import Statistics
import Testing

@Suite struct StratifiedProportionsTests {
  private func table(_ x1: Int, _ n1: Int, _ x0: Int, _ n0: Int) throws -> TwoProportions {
    TwoProportions(
      rich: try Proportion(successes: x1, trials: n1), text: try Proportion(successes: x0, trials: n0))
  }

  private func randomStrata(_ random: inout SplitMix64) throws -> StratifiedProportions {
    StratifiedProportions(
      try (0..<Int.random(in: 2...8, using: &random)).map { _ in
        let n1 = Int.random(in: 20...5000, using: &random)
        let n0 = Int.random(in: 20...5000, using: &random)
        return try table(
          Int.random(in: 1..<n1, using: &random), n1, Int.random(in: 1..<n0, using: &random), n0)
      })
  }

  @Test func oneStratumGivesItsOwnRatioDifferenceAndOdds() throws {
    let strata = StratifiedProportions([try table(30, 200, 20, 400)])
    #expect(agree(try #require(strata.mantelHaenszelRiskRatio()).value, 3, within: 1e-14))
    #expect(agree(try #require(strata.mantelHaenszelRiskDifference()).value, 0.1, within: 1e-14))
    let odds = try #require(strata.mantelHaenszelOddsRatio()).value
    #expect(agree(odds, (30.0 * 380) / (170 * 20), within: 1e-14))
    #expect(try strata.cochranQ() == nil)
  }

  @Test func oneStratumGivesTheNMinusOneChiSquare() throws {
    let single = try table(30, 200, 20, 400)
    let z = try #require(single.nMinusOneChiSquareTest()?.z)
    let test = try StratifiedProportions([single]).cochranMantelHaenszelTest()
    #expect(agree(try #require(test.statistic), z * z, within: 1e-12))
  }

  @Test func exchangingArmsInvertsRatiosAndNegatesDifferences() throws {
    var random = SplitMix64(seed: 31)
    for _ in 0..<100 {
      let strata = try randomStrata(&random)
      let mirror = StratifiedProportions(strata.strata.map(\.swapped))
      let ratio = try #require(strata.mantelHaenszelRiskRatio())
      let inverse = try #require(mirror.mantelHaenszelRiskRatio())
      #expect(agree(ratio.value, 1 / inverse.value, within: 1e-12))
      #expect(agree(ratio.logStandardError, inverse.logStandardError, within: 1e-12))
      for variance in [RiskDifferenceVariance.sato, .greenlandRobins] {
        let difference = try #require(strata.mantelHaenszelRiskDifference(variance: variance))
        let negative = try #require(mirror.mantelHaenszelRiskDifference(variance: variance))
        #expect(abs(difference.value + negative.value) < 1e-14)
        #expect(agree(difference.standardError, negative.standardError, within: 1e-9))
      }
    }
  }

  @Test func neitherTheOrderOfStrataNorAnEmptyOneMatters() throws {
    var random = SplitMix64(seed: 32)
    for _ in 0..<50 {
      let strata = try randomStrata(&random)
      let longer = StratifiedProportions(
        [try table(0, 0, 5, 10)] + strata.strata.shuffled(using: &random) + [try table(0, 0, 0, 0)])
      #expect(
        agree(
          strata.mantelHaenszelRiskRatio()?.interval, longer.mantelHaenszelRiskRatio()?.interval,
          within: 1e-12))
      #expect(
        agree(
          strata.mantelHaenszelRiskDifference()?.interval,
          longer.mantelHaenszelRiskDifference()?.interval, within: 1e-9))
      #expect(
        agree(
          try #require(try strata.cochranQ()?.test.p), try #require(try longer.cochranQ()?.test.p),
          within: 1e-9))
    }
  }

  @Test func strataThatAgreeShowNoHeterogeneity() throws {
    let strata = StratifiedProportions([
      try table(20, 100, 10, 100), try table(200, 1000, 100, 1000), try table(40, 200, 80, 800),
    ])
    for center in [HomogeneityCenter.mantelHaenszel, .inverseVariance] {
      let found = try #require(try strata.cochranQ(.logRiskRatio, center: center))
      #expect(try #require(found.test.statistic) < 1e-20)
      #expect(found.iSquared == 0 && found.test.p > 0.999)
    }
  }

  @Test func strataWithoutALogRatioLeaveTheDegreesOfFreedom() throws {
    let strata = StratifiedProportions([
      try table(20, 100, 10, 100), try table(0, 50, 3, 50), try table(30, 100, 10, 100),
      try table(0, 0, 1, 9),
    ])
    #expect(try strata.cochranQ(.logRiskRatio)?.test.degreesOfFreedom == 1)
    #expect(try strata.cochranQ(.riskDifference)?.test.degreesOfFreedom == 2)
  }

  @Test func theKidneyStonesReverseAndTheReportMustWarn() throws {
    let stones = StratifiedProportions([try table(81, 87, 234, 270), try table(192, 263, 55, 80)])
    let check = try #require(stones.simpsonCheck())
    #expect(check.isReversed && check.disagrees && check.strataAboveOne == 2)
    let standardised = try #require(stones.directlyStandardised())
    #expect(standardised.difference.value > 0 && standardised.strataUsed == 2)
  }

  @Test func aMixThatOnlyExaggeratesIsWarnedOfWithoutReversal() throws {
    // Every stratum: ratio 1.2; the rich arm sits in the busy one.
    let strata = StratifiedProportions([try table(240, 1000, 20, 100), try table(6, 100, 50, 1000)])
    let check = try #require(strata.simpsonCheck())
    #expect(agree(check.adjustedRatio, 1.2, within: 1e-9))
    #expect(check.crudeRatio > 3 && !check.isReversed && check.disagrees)
  }

  @Test func standardisingToOneArmsMixKeepsThatArmsRate() throws {
    let strata = StratifiedProportions([try table(21, 464, 26, 453), try table(11, 165, 25, 174)])
    let toRich = try #require(strata.directlyStandardised(to: .richArm))
    #expect(agree(toRich.rich, try #require(strata.crude.rich.rate), within: 1e-14))
    let toText = try #require(strata.directlyStandardised(to: .textArm))
    #expect(agree(toText.text, try #require(strata.crude.text.rate), within: 1e-14))
  }

  @Test func withoutAnySuccessTheRatioIsUndefinedAndTheDifferenceIsZero() throws {
    let none = StratifiedProportions([try table(0, 50, 0, 60), try table(0, 10, 0, 20)])
    #expect(none.mantelHaenszelRiskRatio() == nil && none.mantelHaenszelOddsRatio() == nil)
    #expect(none.mantelHaenszelRiskDifference()?.value == 0)
    let test = try none.cochranMantelHaenszelTest()
    #expect(test.statistic == nil && test.p == 1)
    #expect(StratifiedProportions([]).mantelHaenszelRiskDifference() == nil)
  }
}
