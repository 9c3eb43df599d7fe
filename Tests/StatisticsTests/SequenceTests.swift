import Statistics
import Testing

@Suite struct SequenceTests {
  @Test func theAlwaysValidIntervalIsWiderThanTheFixedOneAtEveryLook() throws {
    let sequence = try AsymptoticConfidenceSequence(tunedTo: 10_000)
    for observations in [10, 1000, 10_000, 1_000_000, 1e9] {
      let bounds = try #require(
        try sequence.bounds(estimate: 0, standardError: 1, observations: observations))
      #expect(bounds.multiplier > ConfidenceLevel.ninetyFive.criticalValue * 1.4)
    }
  }

  @Test func theAlwaysValidIntervalIsNarrowestAboutWhereItIsTunedTo() throws {
    let sequence = try AsymptoticConfidenceSequence(tunedTo: 10_000)
    func multiplier(_ observations: Double) throws -> Double {
      try #require(try sequence.bounds(estimate: 0, standardError: 1, observations: observations)).multiplier
    }
    let tuned = try multiplier(10_000)
    #expect(try tuned < multiplier(2000) && tuned < multiplier(50_000))
  }

  @Test func theAlwaysValidIntervalExcludesZeroExactlyWhereItsPIsBelowAlpha() throws {
    var random = SplitMix64(seed: 61)
    let sequence = try AsymptoticConfidenceSequence(tunedTo: 5000)
    for _ in 0..<500 {
      let bounds = try #require(
        try sequence.bounds(
          estimate: Double.random(in: -6...6, using: &random), standardError: 1,
          observations: random.logUniform(10...1e6)))
      #expect(bounds.interval.contains(0) == (bounds.p > sequence.level.alpha))
    }
  }

  @Test func nightlyLooksSeldomRaiseAnAlarmWhereThereIsNoEffect() throws {
    var random = SplitMix64(seed: 62)
    let sequence = try AsymptoticConfidenceSequence(tunedTo: 5600)
    var (alarms, fixedAlarms) = (0, 0)
    for _ in 0..<400 {
      var (isAlarmed, isFixedAlarmed) = (false, false)
      var (rich, text, trials) = (0.0, 0.0, 0.0)
      for _ in 0..<28 {
        for _ in 0..<100 {
          if Double.random(in: 0..<1, using: &random) < 0.2 { rich += 1 }
          if Double.random(in: 0..<1, using: &random) < 0.2 { text += 1 }
        }
        trials += 100
        let table = TwoProportions(
          rich: try Proportion(successes: rich, trials: trials),
          text: try Proportion(successes: text, trials: trials))
        let rate = try #require(table.pooled.rate)
        let difference = try #require(table.difference)
        let bounds = try #require(
          try sequence.bounds(
            estimate: difference, standardError: (2 * rate * (1 - rate) / trials).squareRoot(),
            observations: 2 * trials))
        if !bounds.interval.contains(0) { isAlarmed = true }
        if try #require(table.nMinusOneChiSquareTest()).p < 0.05 { isFixedAlarmed = true }
      }
      if isAlarmed { alarms += 1 }
      if isFixedAlarmed { fixedAlarms += 1 }
    }
    #expect(alarms <= 20 && fixedAlarms >= 60, "\(alarms) and \(fixedAlarms) of 400")
  }

  @Test func withoutAMeasuredVarianceThereIsNoAlwaysValidInterval() throws {
    let sequence = try AsymptoticConfidenceSequence(tunedTo: 100)
    #expect(try sequence.bounds(estimate: 0.1, standardError: 0, observations: 50) == nil)
    #expect(try sequence.bounds(estimate: 0.1, standardError: 0.1, observations: 0) == nil)
  }

  @Test func theMixtureTestsPValueNeverRises() throws {
    let test = try MixtureSequentialTest(mixingVariance: 1e-4)
    var p = 1.0
    for (look, estimate) in [0.01, 0.03, -0.02, 0.05, 0.0].enumerated() {
      let next = try test.pValue(
        estimate: estimate, variance: 1e-4 / Double(look + 1), previous: p)
      #expect(next <= p && next > 0)
      p = next
    }
    #expect(p < 0.01)
    #expect(try test.pValue(estimate: 0.3, variance: 0, previous: 0.4) == 0.4)
  }

  @Test func theRateSequenceHoldsTheFixedInterval() throws {
    var random = SplitMix64(seed: 63)
    let sequence = try BernoulliConfidenceSequence(tunedTo: 1000)
    for _ in 0..<200 {
      let proportion = try random.proportion()
      let always = try #require(sequence.interval(proportion))
      let fixed = try #require(proportion.wilsonInterval())
      let rate = try #require(proportion.rate)
      #expect(always.lower <= rate && rate <= always.upper, "\(proportion)")
      guard proportion.successes > 20, proportion.failures > 20 else { continue }
      #expect(always.lower < fixed.lower && always.upper > fixed.upper, "\(proportion)")
    }
  }

  @Test func oneSuccessAloneMayBeRefutedByNoLowRate() throws {
    let sequence = try BernoulliConfidenceSequence(tunedTo: 50)
    let single = try Proportion(successes: 1, trials: 400_000)
    #expect(sequence.interval(single)?.lower == 0)
    #expect(sequence.interval(single.complement)?.upper == 1)
  }

  @Test func theTwoSidedBoundaryLiesAboveTheOneSidedOne() throws {
    let oneSided = try NormalMixtureBoundary(tunedTo: 100, isOneSided: true)
    let twoSided = try NormalMixtureBoundary(tunedTo: 100, isOneSided: false)
    for variance in [0, 1, 100, 1e6] {
      let (lower, upper) = (
        try oneSided.bound(variance: variance, alpha: 0.05),
        try twoSided.bound(variance: variance, alpha: 0.05)
      )
      #expect(lower > 0 && lower < upper)
    }
  }

  @Test func theSequentialSplitTestIsStableAtBillionsOfDevices() throws {
    // The log factor of even counts falls by half the logarithm of their number.
    func evidence(_ devices: Double) throws -> Double {
      try SampleRatio(observed: [devices, devices], weights: [1, 1]).sequentialDirichletTest().logBayesFactor
    }
    let step = try evidence(5e8) - evidence(5e6)
    #expect(abs(step + 0.5 * 4.605_170_185_988_092) < 1e-6)
  }

  @Test func aDeviceInAnArmDesignedToBeEmptyIsAnAlarm() throws {
    let ratio = try SampleRatio(observed: [500, 500, 1], weights: [1, 1, 0])
    let test = try ratio.chiSquareTest()
    #expect(test.statistic == .infinity && test.p == 0)
    #expect(try ratio.sequentialDirichletTest().p == 0)
  }

  @Test func noDevicesRaiseNoAlarm() throws {
    let none = try SampleRatio(observed: [0, 0], weights: [1, 3])
    #expect(try none.chiSquareTest().p == 1 && none.sequentialDirichletTest().p == 1)
    #expect(try SampleRatio(observed: [10], weights: [1]).chiSquareTest().p == 1)
  }
}
