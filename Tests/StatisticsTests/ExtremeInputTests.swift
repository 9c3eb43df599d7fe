import Statistics
import Testing

/// No input, however extreme, may give NaN, a trap, or limits in the wrong order.
@Suite struct ExtremeInputTests {
  static let counts: [(Double, Double)] = [
    (0, 0), (0, 1), (1, 1), (1, 2), (0, 3), (0, 1e9), (1, 1e9), (1e9, 1e9), (999_999_999, 1e9), (5e8, 1e9),
    (0.3, 0.9), (0.9, 0.9), (0, 0.4), (1e-6, 1e-6), (1e-6, 1), (1e-6, 0x1p53), (0x1p53, 0x1p53), (0, 0x1p53),
    (0x1p53 - 1, 0x1p53), (7, 7.000_001), (1000, 1e9),
  ]

  static let levels = [1e-300, 0.01, 0.5, 0.95, 1 - 1e-9, 1 - 0x1p-53]

  static var arms: [Proportion] {
    get throws { try counts.map { try Proportion(successes: $0.0, trials: $0.1) } }
  }

  static var tables: [TwoProportions] {
    get throws {
      let arms = try arms
      return arms.flatMap { rich in arms.map { TwoProportions(rich: rich, text: $0) } }
    }
  }

  private func isSound(_ interval: ConfidenceInterval?, in range: ClosedRange<Double>) -> Bool {
    guard let interval else { return true }
    return interval.lower <= interval.upper && range.contains(interval.lower)
      && range.contains(interval.upper)
  }

  @Test(arguments: RateMethod.all, levels)
  func everyRateIntervalIsSound(method: RateMethod, level: Double) throws {
    for arm in try Self.arms {
      let interval = try method.interval(arm, try ConfidenceLevel(level))
      #expect(isSound(interval, in: 0...1), "\(arm): \(String(describing: interval))")
      #expect((interval == nil) == (arm.trials == 0))
    }
  }

  @Test(arguments: ComparisonMethod.differences, levels)
  func everyDifferenceIntervalIsSound(method: ComparisonMethod, level: Double) throws {
    for table in try Self.tables {
      let interval = method.interval(table, try ConfidenceLevel(level))
      #expect(isSound(interval, in: -1...1), "\(table): \(String(describing: interval))")
    }
  }

  @Test(arguments: ComparisonMethod.ratios, levels)
  func everyRatioIntervalIsSound(method: ComparisonMethod, level: Double) throws {
    for table in try Self.tables {
      let interval = method.interval(table, try ConfidenceLevel(level))
      #expect(isSound(interval, in: 0...Double.infinity), "\(table): \(String(describing: interval))")
    }
  }

  @Test func everyTestAndUpliftIsSound() throws {
    for table in try Self.tables {
      for test in [table.nMinusOneChiSquareTest(), table.pooledZTest()] {
        #expect(test.map { (0...1).contains($0.p) && $0.z?.isNaN != true } ?? true, "\(table)")
      }
      #expect(isSound(table.relativeUplift()?.interval, in: -1...Double.infinity), "\(table)")
      #expect(table.relativeUplift()?.value?.isNaN != true)
      let uplift = try table.deltaMethodUplift()
      #expect(uplift.map { (0...1).contains($0.p) && !$0.value.isNaN } ?? true, "\(table)")
    }
  }

  @Test func everyStratifiedEstimateIsSound() throws {
    let tables = try Self.tables
    for (index, table) in tables.enumerated() {
      let strata = StratifiedProportions([table, tables[(index * 37 + 11) % tables.count]])
      #expect(isSound(strata.mantelHaenszelRiskRatio()?.interval, in: 0...Double.infinity), "\(strata)")
      #expect(isSound(strata.mantelHaenszelOddsRatio()?.interval, in: 0...Double.infinity), "\(strata)")
      for variance in [RiskDifferenceVariance.sato, .greenlandRobins] {
        let difference = strata.mantelHaenszelRiskDifference(variance: variance)?.interval
        #expect(isSound(difference, in: -1e9...1e9), "\(strata)")
      }
      let standardised = strata.directlyStandardised()
      #expect(isSound(standardised?.difference.interval, in: -1e9...1e9), "\(strata)")
      for isCorrected in [false, true] {
        let p = try strata.cochranMantelHaenszelTest(continuityCorrected: isCorrected).p
        #expect((0...1).contains(p), "\(strata)")
        let breslowDay = try strata.breslowDayTest(taroneCorrected: isCorrected)
        #expect(breslowDay.map { (0...1).contains($0.p) } ?? true, "\(strata)")
      }
      for measure in [EffectMeasure.logRiskRatio, .riskDifference] {
        let q = try strata.cochranQ(measure)
        #expect(q.map { (0...1).contains($0.test.p) && (0...1).contains($0.iSquared) } ?? true, "\(strata)")
      }
      #expect(strata.simpsonCheck()?.adjustedRatio.isNaN != true)
    }
  }

  @Test func everyConfidenceSequenceIsSound() throws {
    for tunedTo in [1e-3, 10, 1e9] {
      let bernoulli = try BernoulliConfidenceSequence(tunedTo: tunedTo)
      for arm in try Self.arms {
        #expect(isSound(bernoulli.interval(arm), in: 0...1), "\(arm) tuned to \(tunedTo)")
      }
      let asymptotic = try AsymptoticConfidenceSequence(tunedTo: tunedTo)
      for (estimate, standardError) in [(0, 0), (0, 1e-9), (1, 1e-300), (1e300, 1), (-1, 0.5)] {
        for observations in [0, 1e-6, 1, 1e9, 0x1p53] {
          let bounds = try asymptotic.bounds(
            estimate: estimate, standardError: standardError, observations: observations)
          #expect(bounds.map { (0...1).contains($0.p) && $0.multiplier > 0 } ?? true)
        }
      }
    }
  }
}
