import CBoostMath

/// A relative uplift, rich / text − 1, with its interval.
package struct RelativeUplift: Sendable, Hashable {
  /// The uplift as a fraction, −1 … ∞; `nil` where the text arm has no success.
  package let value: Double?
  /// Limits within −1 … ∞; the upper one is infinite where the text arm has no success.
  package let interval: ConfidenceInterval
}

/// A relative uplift as a t test on the delta method reports it.
package struct DeltaMethodUplift: Sendable, Hashable {
  /// The uplift as a fraction.
  package let value: Double
  package let standardError: Double
  /// The interval, which may reach below −1.
  package let interval: ConfidenceInterval
  /// Welch's degrees of freedom.
  package let degreesOfFreedom: Double
  /// The two-sided p-value of "no uplift".
  package let p: Double
}

extension TwoProportions {
  /// The relative uplift with Miettinen and Nurminen's interval for the ratio, less 1.
  ///
  /// - Returns: `nil` with an empty arm, and with one (effective) trial or less in both together.
  package func relativeUplift(_ level: ConfidenceLevel = .ninetyFive) -> RelativeUplift? {
    guard !hasEmptyArm, let factor = smallSampleFactor else { return nil }
    return RelativeUplift(
      value: text.successes > 0 ? knownDifference / text.knownRate : nil,
      interval: logScoreRatio(level, varianceFactor: factor).map(expm1, confidence: level.value))
  }

  /// The relative uplift by the delta method and Welch's t, as GrowthBook and PostHog compute it; for
  /// comparison with them only, since its interval covers badly for few successes.
  ///
  /// - Returns: `nil` with one trial or less in either arm, without success in the text arm, and without
  ///   variation.
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package func deltaMethodUplift(
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> DeltaMethodUplift? {
    guard rich.trials > 1, text.trials > 1 else { return nil }
    return try DeltaMethodUplift(
      rich: MeanEstimate(value: rich.knownRate, variance: rich.waldVariance, units: rich.trials),
      text: MeanEstimate(value: text.knownRate, variance: text.waldVariance, units: text.trials), level)
  }
}

/// A mean, the variance of that mean, and the number of independent units behind both.
struct MeanEstimate {
  let value: Double
  let variance: Double
  let units: Double
}

extension DeltaMethodUplift {
  /// `nil` where the text mean is not positive, or neither mean varies.
  init?(rich: MeanEstimate, text: MeanEstimate, _ level: ConfidenceLevel) throws(StatisticsError) {
    let variance = rich.variance + text.variance
    guard text.value > 0, variance > 0 else { return nil }
    let ratio = rich.value / text.value
    value = (rich.value - text.value) / text.value
    standardError = (rich.variance + ratio * ratio * text.variance).squareRoot() / text.value
    degreesOfFreedom =
      variance * variance
      / (rich.variance * rich.variance / (rich.units - 1) + text.variance * text.variance / (text.units - 1))
    guard standardError > 0 else { return nil }
    let critical = try SpecialFunctions.studentCriticalValue(level, degreesOfFreedom: degreesOfFreedom)
    interval = ConfidenceInterval(
      around: value, halfWidth: critical * standardError, confidence: level.value)
    p = try SpecialFunctions.studentTwoSidedP(
      value / standardError, degreesOfFreedom: degreesOfFreedom)
  }
}
