import Foundation
import Statistics
import Testing

@Suite struct TwoProportionsTests {
  @Test(arguments: ComparisonMethod.differences)
  func exchangingArmsNegatesTheDifferenceInterval(method: ComparisonMethod) throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let table = try random.table()
      let interval = method.interval(table, .ninetyFive)
      let mirror = method.interval(table.swapped, .ninetyFive).map {
        ConfidenceInterval(lower: -$0.upper, upper: -$0.lower, confidence: $0.confidence)
      }
      #expect(agree(interval, mirror, within: 1e-9), "\(table)")
    }
  }

  @Test(arguments: ComparisonMethod.differences)
  func exchangingSuccessesAndFailuresNegatesTheDifferenceInterval(method: ComparisonMethod) throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<200 {
      let table = try random.table()
      let interval = try #require(method.interval(table, .ninetyFive))
      let mirror = try #require(method.interval(table.complement, .ninetyFive))
      let width = interval.upper - interval.lower
      #expect(abs(interval.lower + mirror.upper) <= 1e-6 * width + 1e-15, "\(table)")
      #expect(abs(interval.upper + mirror.lower) <= 1e-6 * width + 1e-15, "\(table)")
    }
  }

  @Test(arguments: ComparisonMethod.ratios)
  func exchangingArmsInvertsTheRatioInterval(method: ComparisonMethod) throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let table = try random.table()
      let interval = method.interval(table, .ninetyFive)
      let mirror = method.interval(table.swapped, .ninetyFive).map {
        ConfidenceInterval(lower: 1 / $0.upper, upper: 1 / $0.lower, confidence: $0.confidence)
      }
      #expect(agree(interval, mirror, within: 1e-10), "\(table)")
    }
  }

  @Test(arguments: ComparisonMethod.differences + ComparisonMethod.ratios)
  func moreConfidenceNeverNarrowsTheInterval(method: ComparisonMethod) throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<60 {
      let table = try random.table()
      var previous: ConfidenceInterval?
      for level in [0.1, 0.5, 0.8, 0.95, 0.999, 0.999_999] {
        guard let interval = method.interval(table, try ConfidenceLevel(level)) else { continue }
        #expect(interval.lower <= interval.upper)
        if let previous {
          #expect(interval.lower <= previous.lower && interval.upper >= previous.upper, "\(table)")
        }
        previous = interval
      }
    }
  }

  @Test func theDifferenceExcludesZeroExactlyWhereTheTestRejects() throws {
    try agreementWithTheTest(seed: 7) { table, level in
      table.miettinenNurminenDifference(level)?.contains(0)
    }
  }

  @Test func theRatioExcludesOneExactlyWhereTheTestRejects() throws {
    try agreementWithTheTest(seed: 8) { table, level in
      table.miettinenNurminenRatio(level)?.contains(1)
    }
  }

  @Test func theUpliftExcludesZeroExactlyWhereTheTestRejects() throws {
    try agreementWithTheTest(seed: 9) { table, level in
      table.relativeUplift(level)?.interval.contains(0)
    }
  }

  private func agreementWithTheTest(
    seed: UInt64, contains: (TwoProportions, ConfidenceLevel) -> Bool?
  ) throws {
    var random = SplitMix64(seed: seed)
    var rejections = 0
    let cases = 1500
    for _ in 0..<cases {
      let table = try random.table()
      let level = try ConfidenceLevel([0.8, 0.9, 0.95, 0.99, 0.999].randomElement(using: &random) ?? 0.95)
      guard let test = table.nMinusOneChiSquareTest(), abs(test.p / level.alpha - 1) > 1e-9 else { continue }
      #expect(contains(table, level) == (test.p > level.alpha), "\(table) at \(level.value)")
      if test.p < level.alpha { rejections += 1 }
    }
    #expect(rejections > cases / 10 && rejections < cases * 9 / 10)
  }

  @Test func theScoreIntervalsHoldTheirEstimates() throws {
    var random = SplitMix64(seed: 10)
    for _ in 0..<500 {
      let table = try random.table()
      let difference = try #require(table.difference)
      let interval = try #require(table.meeDifference())
      #expect(interval.lower <= difference && difference <= interval.upper, "\(table)")
      guard let ratio = table.ratio, let interval = table.koopmanRatio() else { continue }
      #expect(interval.lower <= ratio * (1 + 1e-12) && ratio <= interval.upper * (1 + 1e-12), "\(table)")
    }
  }

  @Test func aRateOfAMillionthAtABillionTrialsIsAsAccurateAsItsPoissonLimit() throws {
    // With rates this low the score interval for a ratio depends on the counts alone.
    let million = TwoProportions(
      rich: try Proportion(successes: 12, trials: 12_000_000),
      text: try Proportion(successes: 9, trials: 9_000_000))
    let billion = TwoProportions(
      rich: try Proportion(successes: 12, trials: 1_200_000_000),
      text: try Proportion(successes: 9, trials: 900_000_000))
    #expect(agree(million.koopmanRatio(), billion.koopmanRatio(), within: 3e-6))
    #expect(million.koopmanRatio() != billion.koopmanRatio())
  }

  @Test func withoutVariationThePValueIsOne() throws {
    for successes in [0, 1] {
      let arm = try Proportion(successes: 50 * Double(successes), trials: 50)
      let table = TwoProportions(rich: arm, text: arm)
      for test in [table.nMinusOneChiSquareTest(), table.pooledZTest()] {
        #expect(test?.z == nil && test?.p == 1)
      }
      #expect(try table.fisherExactTest()?.p == 1)
      #expect(try table.barnardExactTest().p == 1)
      #expect(try table.boschlooExactTest().p == 1)
    }
  }

  @Test func withoutTextSuccessesTheUpliftHasALowerLimitOnly() throws {
    let table = TwoProportions(
      rich: try Proportion(successes: 5, trials: 100), text: try Proportion(successes: 0, trials: 100))
    let uplift = try #require(table.relativeUplift())
    #expect(uplift.value == nil)
    #expect(uplift.interval.upper == .infinity && uplift.interval.lower > -1)
  }

  @Test func zeroAgainstZeroHasAFiniteDifferenceAndNoRatio() throws {
    let none = try Proportion(successes: 0, trials: 400)
    let table = TwoProportions(rich: none, text: none)
    #expect(table.ratio == nil)
    let ratio = try #require(table.miettinenNurminenRatio())
    #expect(ratio.lower == 0 && ratio.upper == .infinity)
    let difference = try #require(table.miettinenNurminenDifference())
    #expect(difference.upper > 0.009 && difference.upper < 0.01 && difference.lower == -difference.upper)
    #expect(table.relativeUplift()?.interval.lower == -1)
  }

  @Test func thePValueDoesNotVanishWhereItIsMerelySmall() throws {
    let table = TwoProportions(
      rich: try Proportion(successes: 600, trials: 10_000),
      text: try Proportion(successes: 200, trials: 10_000))
    let test = try #require(table.pooledZTest())
    let z = try #require(test.z)
    #expect(z > 14 && test.p > 0 && test.p < 1e-40)
  }
}
