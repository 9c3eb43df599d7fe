import CBoostMath

extension TwoProportions {
  /// Katz's log interval for the ratio (Katz and others 1978, Biometrics 34:469).
  ///
  /// - Returns: positive limits; `nil` with an empty arm, and without successes in either arm, where the
  ///   logarithm has no variance.
  package func katzRatio(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard rich.successes > 0, text.successes > 0 else { return nil }
    return logRatio(level)
  }

  /// The adjusted log interval for the ratio (Walter 1975; Pettigrew, Gart and Thomas 1986, Biometrika
  /// 73:425): Katz's, after adding ½ to every count and every number of trials. Finite for every table.
  ///
  /// - Returns: positive limits, or `nil` with an empty arm.
  package func adjustedLogRatio(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm else { return nil }
    return TwoProportions(
      rich: Proportion(unchecked: rich.successes + 0.5, of: rich.trials + 0.5),
      text: Proportion(unchecked: text.successes + 0.5, of: text.trials + 0.5)
    ).logRatio(level)
  }

  /// The MOVER-R interval for the ratio (Donner and Zou 2012, Stat Meth Med Res 21:347; Fagerland and
  /// Newcombe 2013, Stat Med 32:2823): Wilson's limits of the two rates, combined.
  ///
  /// - Returns: 0 … ∞ where neither arm has a success, an infinite upper limit where only the text arm has
  ///   none, a lower limit of 0 where only the rich arm has none; `nil` with an empty arm.
  package func moverRatio(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm else { return nil }
    let upper = swapped.moverLowerLimit(level)
    return ConfidenceInterval(
      lower: moverLowerLimit(level), upper: upper > 0 ? 1 / upper : .infinity, confidence: level.value)
  }

  /// The variance of the logarithm of the ratio by the delta method: the sum of 1/x − 1/n.
  var logRatioVariance: Double {
    rich.failures / (rich.successes * rich.trials) + text.failures / (text.successes * text.trials)
  }

  private func logRatio(_ level: ConfidenceLevel) -> ConfidenceInterval {
    let center = log(rich.knownRate / text.knownRate)
    let halfWidth = level.criticalValue * logRatioVariance.squareRoot()
    return LogLimits(lower: center - halfWidth, upper: center + halfWidth)
      .map(exp, confidence: level.value)
  }

  // With the margins m below the rich rate p and M above the text rate r, the limit is
  // (p r − √(p² M² + m² r² − m² M²)) / (r² − M²), here multiplied out so that nothing cancels.
  private func moverLowerLimit(_ level: ConfidenceLevel) -> Double {
    guard rich.successes > 0 else { return 0 }
    let below = rich.wilsonMargins(level).below
    let above = text.wilsonMargins(level).above
    guard let lower = rich.wilsonInterval(level)?.lower else { return 0 }
    let numerator = lower * (rich.knownRate + below)
    let square = numerator * above * above + (below * text.knownRate) * (below * text.knownRate)
    return numerator / (rich.knownRate * text.knownRate + square.squareRoot())
  }
}
