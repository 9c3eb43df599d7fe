import CBoostMath

/// The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (arXiv 2103.06476,
/// equations 9, 155 and 161): an interval that may be looked at after every observation, for any estimate
/// with a standard error.
///
/// The chance that it ever misses the truth is at most 1 − confidence, in the limit of many observations.
package struct AsymptoticConfidenceSequence: Sendable, Hashable {
  package let level: ConfidenceLevel
  /// The number of observations at which the interval is narrowest beside the fixed one; to be fixed before
  /// the first look.
  package let tunedTo: Double
  /// The width of the mixing distribution that follows from the two.
  package let rho: Double

  /// - Parameter tunedTo: for a comparison of clustered rates, the number of devices expected at the end.
  /// - Throws: `parameterOutOfRange` or `notFinite`, unless `tunedTo` is positive.
  package init(_ level: ConfidenceLevel = .ninetyFive, tunedTo: Double) throws(StatisticsError) {
    try StatisticsError.require(tunedTo, "number of observations to tune to", "a number from 1e-6 to 1e18") {
      $0 >= 1e-6 && $0 <= 1e18
    }
    self.level = level
    self.tunedTo = tunedTo
    rho = (normalMixtureScale(alpha: level.alpha) / tunedTo).squareRoot()
  }

  /// The always-valid interval and p-value at one look.
  ///
  /// - Parameters:
  ///   - standardError: that of the estimate at this look, with clustering in it; 0 or more.
  ///   - observations: independent observations so far (devices, not notifications); 0 or more.
  /// - Returns: `nil` without observations, and where the standard error is 0, so that no variance has been
  ///   measured.
  /// - Throws: `parameterOutOfRange`, `negativeCount`, `countOutOfRange` or `notFinite`.
  package func bounds(
    estimate: Double, standardError: Double, observations: Double
  ) throws(StatisticsError) -> AlwaysValidInterval? {
    try StatisticsError.require(estimate, "estimate", "a finite number") { _ in true }
    try StatisticsError.require(standardError, "standard error", "0 or a positive number") { $0 >= 0 }
    try StatisticsError.requireCount(observations, "number of observations")
    guard observations > 0, standardError > 0 else { return nil }
    let information = observations * rho * rho
    let logRoot = 0.5 * log1p(information)
    let multiplier =
      (2 * (1 + 1 / information) * (logRoot - log(level.alpha))).squareRoot()
    let z = estimate / standardError
    return AlwaysValidInterval(
      interval: ConfidenceInterval(
        around: estimate, halfWidth: multiplier * standardError, confidence: level.value),
      multiplier: multiplier,
      p: min(1, exp(logRoot - z * z / (2 * (1 + 1 / information)))))
  }
}

/// An interval and a p-value that hold at every look.
package struct AlwaysValidInterval: Sendable, Hashable {
  package let interval: ConfidenceInterval
  /// The interval's half width in standard errors, in the place of 1.96.
  package let multiplier: Double
  /// The p-value of "no effect" at this look, 0 … 1; over several looks the smallest counts.
  package let p: Double
}
