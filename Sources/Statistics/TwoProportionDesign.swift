import CBoostMath

/// Which variance a sample size puts under the hypothesis of no effect.
package enum SampleSizeFormula: Sendable, Hashable {
  /// Both rates pooled under the null hypothesis and apart under the alternative, as R's `power.prop.test`
  /// (Fleiss 1981).
  case pooledNull
  /// Both rates apart throughout.
  case unpooled
  /// Twice the first rate's variance under the null hypothesis, as Evan Miller's calculator.
  case baselineNull
  /// Cohen's h: the difference of the arcsines of the roots (Cohen 1988).
  case arcsine
}

/// An experiment to be planned: two rates to tell apart at a two-sided level.
package struct TwoProportionDesign: Sendable, Hashable {
  /// The first arm's rate.
  package let first: Double
  /// The second arm's rate.
  package let second: Double
  /// Trials in the second arm for each in the first.
  package let allocation: Double
  /// The level of the two-sided test, as the interval's confidence.
  package let level: ConfidenceLevel

  /// By how much nightly looks at an asymptotic confidence sequence enlarge a sample that a single fixed look
  /// would need.
  package static let nightlyLooksInflation = 2.4

  /// - Throws: `probabilityOutOfRange` for a rate outside 0 … 1; `parameterOutOfRange` for equal rates, or an
  ///   allocation that is not positive; `notFinite`.
  package init(
    first: Double, second: Double, allocation: Double = 1, _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) {
    for rate in [first, second] {
      try StatisticsError.require(rate, "rate", "a number from 0 to 1", code: .probabilityOutOfRange) {
        $0 >= 0 && $0 <= 1
      }
    }
    try StatisticsError.require(second - first, "difference of the rates", "two rates that differ") {
      $0 != 0
    }
    try StatisticsError.requirePositive(allocation, "allocation")
    (self.first, self.second, self.allocation, self.level) = (first, second, allocation, level)
  }

  /// The trials that the first arm needs, not rounded; the second needs `allocation` times as many.
  ///
  /// - Parameters:
  ///   - power: the chance of finding the difference, strictly between 0 and 1.
  ///   - designEffect: what repeated notifications to the same device multiply the variance by.
  ///   - nightlyLooks: whether the verdict is to hold at every nightly look, which takes 2.4 times the
  ///     sample.
  /// - Throws: `probabilityOutOfRange`, `parameterOutOfRange`, `notFinite`.
  package func sampleSize(
    power: Double = 0.8, formula: SampleSizeFormula = .pooledNull, designEffect: Double = 1,
    nightlyLooks: Bool = false
  ) throws(StatisticsError) -> Double {
    try StatisticsError.requireOpenUnit(power, "power")
    try StatisticsError.requirePositive(designEffect, "design effect")
    let reach = -(try SpecialFunctions.normalQuantile(1 - power))
    let inflation = designEffect * (nightlyLooks ? Self.nightlyLooksInflation : 1)
    return inflation * trials(reach: reach, formula)
  }

  private func trials(reach: Double, _ formula: SampleSizeFormula) -> Double {
    let critical = level.criticalValue
    if formula == .arcsine {
      let effect = 2 * (asin(first.squareRoot()) - asin(second.squareRoot()))
      return (1 + 1 / allocation) * (critical + reach) * (critical + reach) / (effect * effect)
    }
    let alternative = deviation(variance(first) + variance(second) / allocation)
    let null =
      switch formula {
      case .pooledNull: nullDeviation
      case .baselineNull: deviation(variance(first) * (1 + 1 / allocation))
      case .unpooled, .arcsine: alternative
      }
    let root = (critical * null + reach * alternative) / (first - second)
    return root * root
  }

  /// The chance that the pooled z test finds the difference with `trials` in the first arm.
  ///
  /// - Parameter bothTails: whether findings in the wrong direction count as well (R's `strict = TRUE`).
  /// - Throws: `negativeCount`, `countOutOfRange` or `notFinite`.
  package func power(trials: Double, bothTails: Bool = true) throws(StatisticsError) -> Double {
    try StatisticsError.requireCount(trials, "number of trials")
    let alternative = deviation(variance(first) + variance(second) / allocation)
    let shift = abs(first - second) * trials.squareRoot()
    let bar = level.criticalValue * nullDeviation
    guard alternative > 0 else { return shift > bar ? 1 : 0 }
    func normalTail(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }
    let right = normalTail((bar - shift) / alternative)
    return bothTails ? min(right + normalTail((bar + shift) / alternative), 1) : right
  }

  private var nullDeviation: Double {
    let pooled = (first + allocation * second) / (1 + allocation)
    return deviation(variance(pooled) * (1 + 1 / allocation))
  }

  private func variance(_ rate: Double) -> Double { rate * (1 - rate) }

  private func deviation(_ variance: Double) -> Double { variance.squareRoot() }
}

extension TwoProportionDesign {
  /// The smallest difference above `baseline` that `trials` in the baseline's arm find with the given power.
  ///
  /// - Parameters:
  ///   - baseline: the first arm's rate, 0 … 1, 1 excluded.
  ///   - allocation: trials in the second arm for each in the first.
  /// - Returns: a difference as a fraction; over `baseline` it is the minimal detectable uplift. `nil` where
  ///   not even a rate of 1 would be found.
  /// - Throws: `probabilityOutOfRange`, `parameterOutOfRange`, `negativeCount`, `countOutOfRange`,
  ///   `notFinite`.
  package static func minimalDetectableDifference(
    baseline: Double, trials: Double, allocation: Double = 1, power: Double = 0.8,
    formula: SampleSizeFormula = .pooledNull, designEffect: Double = 1, nightlyLooks: Bool = false,
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> Double? {
    try StatisticsError.requireCount(trials, "number of trials")
    let certain = try TwoProportionDesign(first: baseline, second: 1, allocation: allocation, level)
    let needed = try certain.sampleSize(
      power: power, formula: formula, designEffect: designEffect, nightlyLooks: nightlyLooks)
    guard needed <= trials else { return nil }
    let reach = -(try SpecialFunctions.normalQuantile(1 - power))
    let budget = trials / (designEffect * (nightlyLooks ? nightlyLooksInflation : 1))
    return bisectFalling(0, 1 - baseline) { difference in
      let design = TwoProportionDesign(certain, second: baseline + difference)
      return design.trials(reach: reach, formula) - budget
    }
  }

  private init(_ design: TwoProportionDesign, second: Double) {
    (first, allocation, level) = (design.first, design.allocation, design.level)
    self.second = second
  }
}
