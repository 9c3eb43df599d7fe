import CBoostMath

extension Proportion {
  /// Clopper and Pearson's interval (1934, Biometrika 26:404), which covers at least as often as it says: the
  /// rates that neither exact one-sided binomial test at half the level rejects, as quantiles of beta
  /// distributions.
  ///
  /// - Returns: limits within 0 … 1, the lower exactly 0 without successes and the upper exactly 1 without
  ///   failures; `nil` without trials.
  /// - Throws: `noConvergence`, if the incomplete beta function has no value.
  package func clopperPearsonInterval(
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> ConfidenceInterval? {
    try betaInterval(level, prior: 0)
  }

  /// Jeffreys' interval: the central part of the posterior under the prior Beta(½, ½) (Brown, Cai and
  /// DasGupta 2001, Stat Sci 16:101), with their convention for the ends.
  ///
  /// - Returns: limits within 0 … 1, the lower exactly 0 without successes and the upper exactly 1 without
  ///   failures; `nil` without trials.
  /// - Throws: `noConvergence`, if the incomplete beta function has no value.
  package func jeffreysInterval(
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> ConfidenceInterval? {
    try betaInterval(level, prior: 0.5)
  }

  /// Agresti and Coull's interval (1998, Am Stat 52:119): Wald's, after adding z²/2 successes and z²/2
  /// failures.
  ///
  /// - Returns: limits cut off at 0 and 1, or `nil` without trials.
  package func agrestiCoullInterval(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard trials > 0 else { return nil }
    let z = level.criticalValue
    let padded = Proportion(unchecked: successes + z * z / 2, of: trials + z * z)
    return ConfidenceInterval(
      around: padded.knownRate, halfWidth: z * padded.waldVariance.squareRoot(), confidence: level.value
    ).clipped(to: 0...1)
  }

  /// Quantiles of beta distributions: with a prior count both from the posterior, without one each from the
  /// distribution that belongs to its exact test.
  private func betaInterval(
    _ level: ConfidenceLevel, prior: Double
  ) throws(StatisticsError) -> ConfidenceInterval? {
    guard trials > 0 else { return nil }
    let other = prior == 0 ? 1 : prior
    let tail = level.alpha / 2
    var interval = (lower: 0.0, upper: 1.0)
    if successes > 0 {
      let logit = try SpecialFunctions.betaQuantileLogit(tail, successes + prior, failures + other)
      interval.lower = 1 / (1 + exp(-logit))
    }
    if failures > 0 {
      let logit = try SpecialFunctions.betaQuantileLogit(tail, failures + prior, successes + other)
      interval.upper = 1 / (1 + exp(logit))
    }
    return ConfidenceInterval(lower: interval.lower, upper: interval.upper, confidence: level.value)
  }
}
