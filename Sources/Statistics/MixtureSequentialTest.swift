import CBoostMath

/// The mixture sequential probability ratio test with a normal mixing distribution (Johari, Koomen, Pekelis
/// and Walsh 2017, "Peeking at A/B tests", KDD).
package struct MixtureSequentialTest: Sendable, Hashable {
  /// The variance of the mixing distribution, in squared units of the estimate: the size of effects looked
  /// for.
  package let mixingVariance: Double

  /// - Throws: `parameterOutOfRange` or `notFinite`, unless the variance is positive.
  package init(mixingVariance: Double) throws(StatisticsError) {
    self.mixingVariance = try StatisticsError.requirePositive(mixingVariance, "mixing variance")
  }

  /// The always-valid p-value of "no effect" after one more look: the smaller of `previous` and 1 / Λ, where
  /// Λ = √(V / (V + τ²)) exp(τ² d² / (2 V (V + τ²))).
  ///
  /// - Parameters:
  ///   - variance: that of the estimate at this look; 0 while none has been measured, which changes nothing.
  ///   - previous: the p-value after the look before, 1 at the first.
  /// - Throws: `parameterOutOfRange`, `probabilityOutOfRange` or `notFinite`.
  package func pValue(
    estimate: Double, variance: Double, previous: Double = 1
  ) throws(StatisticsError) -> Double {
    try StatisticsError.require(estimate, "estimate", "a finite number") { _ in true }
    try StatisticsError.require(variance, "variance", "0 or a positive number") { $0 >= 0 }
    try StatisticsError.require(
      previous, "previous p-value", "a number from 0 to 1", code: .probabilityOutOfRange
    ) { $0 >= 0 && $0 <= 1 }
    guard variance > 0 else { return previous }
    // By ratios, whose products cannot overflow.
    let mixing = mixingVariance / (variance + mixingVariance)
    let z = estimate / variance.squareRoot()
    let logEvidence = 0.5 * log(variance / (variance + mixingVariance)) + 0.5 * mixing * z * z
    return min(previous, 1, exp(-logEvidence))
  }
}
