import CBoostMath

/// The normal mixture's uniform boundary: a curve that a sub-Gaussian martingale with variance process v ever
/// crosses with chance at most α (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021, Ann Stat 49:1055).
package struct NormalMixtureBoundary: Sendable, Hashable {
  /// Whether only upward crossings count.
  package let isOneSided: Bool
  /// The mixing precision.
  package let rho: Double

  /// - Parameters:
  ///   - tunedTo: the variance process at which the boundary is lowest.
  ///   - tuningAlpha: the α at which it is.
  /// - Throws: `parameterOutOfRange`, `probabilityOutOfRange` or `notFinite`.
  package init(
    tunedTo: Double, tuningAlpha: Double = 0.05, isOneSided: Bool
  ) throws(StatisticsError) {
    try StatisticsError.requirePositive(tunedTo, "variance to tune to")
    let limit = isOneSided ? 0.5 : 1
    try StatisticsError.require(
      tuningAlpha, "tuning alpha", "a number strictly between 0 and \(limit)", code: .probabilityOutOfRange
    ) { $0 > 0 && $0 < limit }
    self.isOneSided = isOneSided
    rho = tunedTo / normalMixtureScale(alpha: isOneSided ? 2 * tuningAlpha : tuningAlpha)
  }

  /// The boundary at variance process `variance`, 0 or more.
  ///
  /// - Throws: `parameterOutOfRange`, `probabilityOutOfRange` or `notFinite`.
  package func bound(variance: Double, alpha: Double) throws(StatisticsError) -> Double {
    try StatisticsError.require(variance, "variance", "0 or a positive number") { $0 >= 0 }
    try StatisticsError.requireOpenUnit(alpha, "alpha")
    let scale = variance + rho
    let twoSided = (scale * (log1p(variance / rho) - 2 * log(alpha))).squareRoot()
    guard isOneSided else { return twoSided }
    // The one-sided mixture has at most twice the two-sided one's value, and less than that value below 0.
    return bisectFalling(0, twoSided) { s in
      let logMixture =
        0.5 * log(4 * rho / scale) + s * s / (2 * scale)
        + log(erfc(-s / (2 * scale).squareRoot()) / 2)
      return -log(alpha) - logMixture
    }
  }
}

/// 2 log(1/α) + log(1 + 2 log(1/α)): the variance process over this is the mixing precision that makes a
/// two-sided normal mixture's boundary lowest there.
func normalMixtureScale(alpha: Double) -> Double {
  let twiceLog = -2 * log(alpha)
  return twiceLog + log1p(twiceLog)
}
