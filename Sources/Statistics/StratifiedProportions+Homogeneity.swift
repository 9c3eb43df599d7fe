import CBoostMath

/// What is compared between strata.
package enum EffectMeasure: Sendable, Hashable {
  case logRiskRatio
  case riskDifference
}

/// What the strata's effects are measured from.
package enum HomogeneityCenter: Sendable, Hashable {
  /// The Mantel–Haenszel estimate, as `metafor::rma.mh` does.
  case mantelHaenszel
  /// The mean weighted by inverse variance, which is Cochran's own.
  case inverseVariance
}

/// Whether the strata agree about the effect.
package struct HomogeneityTest: Sendable, Hashable {
  /// Cochran's Q, its degrees of freedom and its p-value.
  package let test: ChiSquareTest
  /// The share of the strata's scatter that chance does not explain, 0 … 1 (Higgins and Thompson 2002, Stat
  /// Med 21:1539).
  package let iSquared: Double
  /// The effect that the strata were measured from: a log ratio or a difference.
  package let center: Double
  /// The standard error of the mean weighted by inverse variance.
  package let inverseVarianceStandardError: Double
}

extension StratifiedProportions {
  /// Cochran's Q (1954, Biometrics 10:101) and I².
  ///
  /// Strata whose own effect has no finite variance above 0 are left out, and out of the degrees of freedom:
  /// for the log ratio those with an arm without successes or without variation in either arm, for the
  /// difference those without variation.
  ///
  /// - Returns: `nil` with fewer than two strata left.
  /// - Throws: `noConvergence`, if the chi-square distribution has no value.
  package func cochranQ(
    _ measure: EffectMeasure = .logRiskRatio, center: HomogeneityCenter = .mantelHaenszel
  ) throws(StatisticsError) -> HomogeneityTest? {
    let effects = strata.compactMap { $0.effect(measure) }
    guard effects.count > 1 else { return nil }
    let weight = effects.reduce(0) { $0 + 1 / $1.variance }
    let mean: Double? =
      switch (center, measure) {
      case (.inverseVariance, _): effects.reduce(0) { $0 + $1.value / $1.variance } / weight
      case (.mantelHaenszel, .logRiskRatio): mantelHaenszelLogRiskRatio
      case (.mantelHaenszel, .riskDifference): mantelHaenszelDifference
      }
    guard let mean else { return nil }
    let q = effects.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) / $1.variance }
    let degreesOfFreedom = effects.count - 1
    return HomogeneityTest(
      test: try ChiSquareTest(statistic: q, degreesOfFreedom: degreesOfFreedom),
      iSquared: q > 0 ? max(0, (q - Double(degreesOfFreedom)) / q) : 0, center: mean,
      inverseVarianceStandardError: (1 / weight).squareRoot())
  }

  /// Breslow and Day's test that the strata share one odds ratio (1980, Statistical Methods in Cancer
  /// Research I, 4.4), about the Mantel–Haenszel odds ratio.
  ///
  /// Strata without variation, or with an empty arm, say nothing of an odds ratio and are left out.
  ///
  /// - Parameter taroneCorrected: whether to subtract Tarone's correction (1985, Biometrika 72:91), which
  ///   makes the statistic chi-square although the Mantel–Haenszel estimate is not the most likely one.
  /// - Returns: `nil` with fewer than two strata left, and where the odds ratio is 0, infinite or undefined.
  /// - Throws: `noConvergence`, if the chi-square distribution has no value.
  package func breslowDayTest(
    taroneCorrected: Bool = true
  ) throws(StatisticsError) -> ChiSquareTest? {
    let usable = strata.filter { !$0.hasEmptyArm && $0.hasVariation }
    guard usable.count > 1, let oddsRatio = mantelHaenszelOddsRatio()?.value else { return nil }
    var statistic = 0.0
    var deviations = 0.0
    var variances = 0.0
    for table in usable {
      let (expected, variance) = table.expectedSuccesses(oddsRatio: oddsRatio)
      let deviation = table.rich.successes - expected
      statistic += deviation * deviation / variance
      deviations += deviation
      variances += variance
    }
    if taroneCorrected { statistic -= deviations * deviations / variances }
    return try ChiSquareTest(statistic: max(statistic, 0), degreesOfFreedom: usable.count - 1)
  }
}

extension TwoProportions {
  /// The stratum's own effect; `nil` where its variance is 0, infinite or undefined.
  fileprivate func effect(_ measure: EffectMeasure) -> (value: Double, variance: Double)? {
    guard !hasEmptyArm else { return nil }
    switch measure {
    case .logRiskRatio:
      guard rich.successes > 0, text.successes > 0, logRatioVariance > 0 else { return nil }
      return (log(rich.knownRate / text.knownRate), logRatioVariance)
    case .riskDifference:
      let variance = rich.waldVariance + text.waldVariance
      return variance > 0 ? (knownDifference, variance) : nil
    }
  }

  /// The rich arm's successes, and their variance, that the margins and `oddsRatio` lead one to expect.
  fileprivate func expectedSuccesses(oddsRatio: Double) -> (value: Double, variance: Double) {
    // Each cell by itself, since a small one would be lost in the difference of two large ones.
    let value = expectedCell(oddsRatio)
    let variance =
      1
      / (1 / value + 1 / swapped.expectedCell(1 / oddsRatio)
        + 1 / complement.expectedCell(1 / oddsRatio) + 1 / complement.swapped.expectedCell(oddsRatio))
    return (value, variance)
  }

  /// The positive root of (1 − ψ) a² + b a − ψ m n₁ = 0 with b = n₀ − m + ψ (m + n₁), by the form in which nothing
  /// cancels. The discriminant is a sum of squares, (n₀ − m + ψ (m − n₁))² + 4 ψ n₁ n₀.
  private func expectedCell(_ oddsRatio: Double) -> Double {
    let successes = rich.successes + text.successes
    let linear = (text.trials - successes) + oddsRatio * (successes + rich.trials)
    let lean = (text.trials - successes) + oddsRatio * (successes - rich.trials)
    let root = (lean * lean + 4 * oddsRatio * rich.trials * text.trials).squareRoot()
    return linear >= 0
      ? 2 * oddsRatio * successes * rich.trials / (linear + root)
      : (root - linear) / (2 * (1 - oddsRatio))
  }
}
