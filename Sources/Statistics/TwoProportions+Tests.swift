/// A test whose statistic is standard normal where the rates are equal.
package struct ZTest: Sendable, Hashable {
  /// The statistic, positive where the rich rate is higher; `nil` where there is no variation to measure it
  /// by.
  package let z: Double?
  /// The two-sided p-value, 0 … 1; 1 without variation.
  package let p: Double
}

extension TwoProportions {
  /// The N−1 chi-square test (E. S. Pearson 1947; Campbell 2007, Stat Med 26:3661): Pearson's statistic times
  /// (N − 1) / N. It is the test that Miettinen and Nurminen's intervals invert.
  ///
  /// - Returns: p = 1 and no z where all trials succeeded or all failed; `nil` with an empty arm, and with
  ///   one (effective) trial or less in both together.
  package func nMinusOneChiSquareTest() -> ZTest? {
    guard !hasEmptyArm, let factor = smallSampleFactor else { return nil }
    return pooledTest(varianceFactor: factor)
  }

  /// The z test with pooled variance, which is Pearson's chi-square without continuity correction.
  ///
  /// - Returns: p = 1 and no z where all trials succeeded or all failed; `nil` with an empty arm.
  package func pooledZTest() -> ZTest? {
    hasEmptyArm ? nil : pooledTest(varianceFactor: 1)
  }

  private func pooledTest(varianceFactor: Double) -> ZTest {
    guard hasVariation else { return ZTest(z: nil, p: 1) }
    let all = pooled
    let cross = differenceOfProducts(rich.successes, text.trials, text.successes, rich.trials)
    let failures = rich.failures + text.failures
    let spread = (all.successes * failures * varianceFactor / all.trials).squareRoot()
    let z = cross / (spread * (rich.trials * text.trials).squareRoot())
    return ZTest(z: z, p: twoSidedNormalP(z))
  }
}
