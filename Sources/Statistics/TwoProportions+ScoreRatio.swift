import CBoostMath

extension TwoProportions {
  /// Miettinen and Nurminen's score interval for the ratio of two rates (1985, Stat Med 4:213).
  ///
  /// It inverts the same test as the interval for the difference, so the two never disagree about "no effect".
  ///
  /// - Returns: limits within 0 … ∞: 0 … ∞ where neither arm has a success, an infinite upper limit where only the text
  ///   arm has none, a lower limit of 0 where only the rich arm has none; `nil` with an empty arm, and with one
  ///   (effective) trial or less in both together.
  package func miettinenNurminenRatio(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm, let factor = smallSampleFactor else { return nil }
    return logScoreRatio(level, varianceFactor: factor).map(exp, confidence: level.value)
  }

  /// Koopman's score interval for the ratio: Miettinen and Nurminen's without the factor N / (N − 1) (Koopman 1984,
  /// Biometrics 40:513).
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

  /// How far θ times the text rate lies above the rich rate, and the variance of that difference at the most likely rates
  /// whose ratio is exactly θ.
  ///
  /// In ε = θ − 1 nothing cancels, neither for θ near 1 nor for rates near 1: the discriminant of the likelihood equation
  /// is a sum of squares, ((f₁ − f₂) + ε (n₁ + x₂))² + 4 θ f₁ f₂, with x successes and f failures.
  private func score(logRatio: Double) -> (shortfall: Double, variance: Double) {
    let excess = expm1(logRatio)
    let ratio = exp(logRatio)
    let lean = (rich.failures - text.failures) + excess * (rich.trials + text.successes)
    let root = (lean * lean + 4 * ratio * rich.failures * text.failures).squareRoot()
    let trials = rich.trials + text.trials
    let successes = rich.successes + text.successes
    let middle = (ratio * (rich.trials + text.successes) + text.trials + rich.successes + root) / 2
    let textRate = successes / middle
    let richRate = ratio * textRate
    let textFailureRate = failureRate(
      middle: (rich.failures + text.failures + excess * (trials + text.failures)) / 2, root: root / 2,
      product: text.failures * excess, leading: trials * ratio)
    let inverseExcess = -excess / ratio
    let richFailureRate = failureRate(
      middle: (rich.failures + text.failures + inverseExcess * (trials + rich.failures)) / 2,
      root: root / (2 * ratio), product: rich.failures * inverseExcess, leading: trials / ratio)
    let variance =
      richRate * richFailureRate / rich.trials
      + ratio * ratio * textRate * textFailureRate / text.trials
    return (excess * text.knownRate - knownDifference, max(variance, 0))
  }

  /// The larger root of `leading q² − 2 middle q + product = 0`, given the root of its discriminant.
  private func failureRate(middle: Double, root: Double, product: Double, leading: Double) -> Double {
    middle >= 0 ? (middle + root) / leading : product / (middle - root)
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
