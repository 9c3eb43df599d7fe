import CBoostMath

extension TwoProportions {
  /// Miettinen and Nurminen's score interval for the ratio of two rates (1985, Stat Med 4:213).
  ///
  /// It inverts the same test as the interval for the difference, so the two never disagree about "no
  /// effect".
  ///
  /// - Returns: limits within 0 … ∞: 0 … ∞ where neither arm has a success, an infinite upper limit where
  ///   only the text arm has none, a lower limit of 0 where only the rich arm has none; `nil` with an empty
  ///   arm, and with one (effective) trial or less in both together.
  package func miettinenNurminenRatio(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm, let factor = smallSampleFactor else { return nil }
    return logScoreRatio(level, varianceFactor: factor).map(exp, confidence: level.value)
  }

  /// Koopman's score interval for the ratio: Miettinen and Nurminen's without the factor N / (N − 1) (Koopman
  /// 1984, Biometrics 40:513).
  ///
  /// - Returns: as ``miettinenNurminenRatio(_:)``, but `nil` with an empty arm only.
  package func koopmanRatio(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    hasEmptyArm ? nil : logScoreRatio(level, varianceFactor: 1).map(exp, confidence: level.value)
  }

  /// The score interval on the log scale, −∞ … ∞.
  func logScoreRatio(_ level: ConfidenceLevel, varianceFactor: Double) -> LogLimits {
    LogLimits(
      lower: -swapped.upperLogScoreRatio(level, varianceFactor),
      upper: upperLogScoreRatio(level, varianceFactor))
  }

  private func upperLogScoreRatio(_ level: ConfidenceLevel, _ varianceFactor: Double) -> Double {
    guard text.successes > 0 else { return .infinity }
    func excess(_ logRatio: Double) -> Double {
      let (shortfall, variance) = score(logRatio: logRatio)
      return level.criticalValue * (variance * varianceFactor).squareRoot() - shortfall
    }
    // The score is above −z at the observed ratio, and falls beyond every bound to the right of it.
    var inside = rich.successes > 0 ? log(rich.knownRate / text.knownRate) : -log(text.trials) - 1
    var step = 1.0
    while rich.successes == 0, excess(inside) < 0 { inside -= 8 }
    while excess(inside + step) > 0 {
      inside += step
      step *= 2
    }
    return bisectFalling(inside, inside + step, excess)
  }

  /// How far θ times the text rate lies above the rich rate, and the variance of that difference at the most
  /// likely rates whose ratio is exactly θ (the quadratic of Miettinen and Nurminen's appendix).
  private func score(logRatio: Double) -> (shortfall: Double, variance: Double) {
    let excess = expm1(logRatio)
    let textRates = restrictedTextRates(ratio: exp(logRatio), excess: excess)
    let richRates = swapped.restrictedTextRates(ratio: exp(-logRatio), excess: expm1(-logRatio))
    let textTerm = textRates.success * textRates.failure / text.trials
    let richTerm = richRates.success * richRates.failure / rich.trials
    let shortfall =
      abs(excess) < 0.5
      ? excess * text.knownRate - knownDifference : exp(logRatio) * text.knownRate - rich.knownRate
    return (shortfall, richTerm + exp(2 * logRatio) * textTerm)
  }

  /// The most likely rates of success and of failure in the text arm, given θ = `ratio` = 1 + `excess`.
  ///
  /// With x successes and f failures, the likelihood equation is θ N p² − (θ (n₁ + x₂) + n₂ + x₁) p + x₁ + x₂
  /// = 0. Its discriminant is a sum of squares, (θ (n₁ + x₂) − (n₂ + x₁))² + 4 θ f₁ f₂, and its coefficients
  /// for 1 − p follow from ε, so that nothing cancels for θ near 1 or for rates near 1.
  private func restrictedTextRates(
    ratio: Double, excess: Double
  ) -> (success: Double, failure: Double) {
    let trials = rich.trials + text.trials
    let opposed = text.trials + rich.successes
    let aligned = rich.trials + text.successes
    let leanAtOne = rich.failures - text.failures
    let failures = rich.failures + text.failures
    // Each of these two in the form, about θ = 1 or about θ = 0, that subtracts the lesser number.
    let lean =
      abs(leanAtOne) < opposed ? leanAtOne + excess * aligned : ratio * aligned - opposed
    let middle =
      failures < opposed
      ? failures + excess * (trials + text.failures) : ratio * (trials + text.failures) - opposed
    let root = (lean * lean + 4 * ratio * rich.failures * text.failures).squareRoot()
    return (
      2 * (rich.successes + text.successes) / (ratio * aligned + opposed + root),
      middle >= 0
        ? (middle + root) / (2 * ratio * trials) : 2 * text.failures * excess / (middle - root)
    )
  }
}

/// The limits of a ratio on the log scale.
struct LogLimits {
  let lower: Double
  let upper: Double

  func map(_ transform: (Double) -> Double, confidence: Double) -> ConfidenceInterval {
    ConfidenceInterval(lower: transform(lower), upper: transform(upper), confidence: confidence)
  }
}
