import Statistics
import Testing

@Suite struct ProportionTests {
  @Test(arguments: RateMethod.all)
  func exchangingSuccessesAndFailuresMirrorsTheInterval(method: RateMethod) throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let proportion = try random.proportion()
      let interval = try #require(try method.interval(proportion, .ninetyFive))
      let mirror = try #require(try method.interval(proportion.complement, .ninetyFive))
      #expect(abs(1 - mirror.upper - interval.lower) < 1e-12, "\(proportion)")
      #expect(abs(1 - mirror.lower - interval.upper) < 1e-12, "\(proportion)")
    }
  }

  @Test(arguments: RateMethod.all)
  func moreConfidenceNeverNarrowsTheInterval(method: RateMethod) throws {
    var random = SplitMix64(seed: 2)
    for _ in 0..<100 {
      let proportion = try random.proportion()
      var previous: ConfidenceInterval?
      for level in [0.1, 0.5, 0.8, 0.95, 0.999, 0.999_999] {
        let interval = try #require(try method.interval(proportion, ConfidenceLevel(level)))
        #expect(interval.lower <= interval.upper)
        if let previous {
          #expect(interval.lower <= previous.lower && interval.upper >= previous.upper, "\(proportion)")
        }
        previous = interval
      }
    }
  }

  @Test func withoutSuccessesTheLowerLimitIsExactlyZeroAndWithoutFailuresTheUpperExactlyOne() throws {
    for trials in [1, 2, 7, 1000, 123_456_789, 1_000_000_000] as [Int64] {
      let none = try Proportion(successes: 0, trials: trials)
      for method in RateMethod.all where method.description != "Agresti–Coull" {
        #expect(try method.interval(none, .ninetyFive)?.lower == 0)
        #expect(try method.interval(none.complement, .ninetyFive)?.upper == 1)
      }
    }
  }

  @Test func aSingleDeliveryWithoutActionIsZeroWithAWideInterval() throws {
    let single = try Proportion(successes: 0, trials: 1)
    #expect(single.rate == 0)
    let interval = try #require(single.wilsonInterval())
    #expect(interval.lower == 0 && interval.upper > 0.79 && interval.upper < 0.8)
  }

  @Test(arguments: RateMethod.all)
  func withoutTrialsThereIsNoInterval(method: RateMethod) throws {
    let nothing = try Proportion(successes: 0, trials: 0)
    #expect(nothing.rate == nil)
    #expect(try method.interval(nothing, .ninetyFive) == nil)
  }

  @Test func aDesignEffectOfFourDoublesTheWidth() throws {
    let proportion = try Proportion(successes: 40_000, trials: 1_000_000)
    let plain = try #require(proportion.wilsonInterval())
    let clustered = try #require(try proportion.effective(designEffect: 4).wilsonInterval())
    #expect(abs((clustered.upper - clustered.lower) / (plain.upper - plain.lower) - 2) < 1e-3)
  }

  @Test func aDesignEffectLeavesAllSuccessesAllSuccesses() throws {
    for designEffect in [0.7, 1.1, 1.349133, 3, 17.7] {
      let all = try Proportion(successes: 999, trials: 999).effective(designEffect: designEffect)
      #expect(all.failures == 0 && all.wilsonInterval()?.upper == 1)
    }
  }

  @Test func theExactIntervalCoversMoreThanTheScoreInterval() throws {
    for successes in 0...30 {
      let proportion = try Proportion(successes: Double(successes), trials: 30)
      let exact = try #require(try proportion.clopperPearsonInterval())
      let jeffreys = try #require(try proportion.jeffreysInterval())
      #expect(exact.lower <= jeffreys.lower && exact.upper >= jeffreys.upper)
    }
  }
}

@Suite struct ConfidenceLevelTests {
  @Test func theUsualLevelIsTheComputedOne() throws {
    let computed = try ConfidenceLevel(0.95)
    #expect(abs(computed.criticalValue - ConfidenceLevel.ninetyFive.criticalValue) < 1e-14)
  }

  @Test func theCriticalValueStaysFiniteAtTheEndsOfTheDomain() throws {
    #expect(try ConfidenceLevel(1 - 0x1p-53).criticalValue > 8)
    #expect(try ConfidenceLevel(1e-300).criticalValue >= 0)
  }
}
