/// A ratio of totals over clusters, with the variance that the clusters give it.
package struct ClusteredRatio: Sendable, Hashable {
  /// Successes over trials.
  package let rate: Double
  /// The variance of the rate, with the factor G / (G − 1) for G clusters; `nil` with fewer than two.
  package let variance: Double?
  /// The variance that independent trials would have, R (1 − R) / n; `nil` for a ratio outside 0 … 1.
  package let naiveVariance: Double?
  /// The clusters less one, for Student's t; `nil` with fewer than two.
  package let degreesOfFreedom: Double?

  /// The square root of the variance.
  package var standardError: Double? { variance.map { $0.squareRoot() } }

  /// How many times larger the clusters make the variance; `nil` where either variance is missing or the
  /// naive one is 0.
  package var designEffect: Double? {
    guard let variance, let naiveVariance, naiveVariance > 0 else { return nil }
    return variance / naiveVariance
  }

  init(rate: Double, trials: Double, clusters: Double, squaredResiduals: Double) {
    self.rate = rate
    let isClustered = clusters > 1
    variance =
      isClustered ? clusters / (clusters - 1) * (squaredResiduals / trials / trials) : nil
    degreesOfFreedom = isClustered ? clusters - 1 : nil
    naiveVariance = (0...1).contains(rate) ? rate * (1 - rate) / trials : nil
  }

  /// The critical value of Student's t for an interval around the rate, in standard errors; `nil` with fewer
  /// than two clusters.
  ///
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package func criticalValue(_ level: ConfidenceLevel = .ninetyFive) throws(StatisticsError) -> Double? {
    guard let degreesOfFreedom else { return nil }
    return try SpecialFunctions.studentCriticalValue(level, degreesOfFreedom: degreesOfFreedom)
  }

  /// The interval with Student's t, cut off at 0 and 1.
  ///
  /// - Returns: `nil` without a variance, and where it is 0: a rate of 0 or 1 is then better served by Wilson's
  ///   interval.
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package func interval(
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> ConfidenceInterval? {
    guard let standardError, standardError > 0, let critical = try criticalValue(level) else { return nil }
    return ConfidenceInterval(
      around: rate, halfWidth: critical * standardError, confidence: level.value
    ).clipped(to: 0...1)
  }
}

/// The design effect of equal clusters, 1 + (m − 1) ρ (Kish 1965).
///
/// - Parameters:
///   - clusterSize: trials in each cluster, m ≥ 1.
///   - intraclassCorrelation: ρ, from −1 / (m − 1) to 1.
/// - Throws: `parameterOutOfRange` or `notFinite`.
package func kishDesignEffect(
  clusterSize: Double, intraclassCorrelation: Double
) throws(StatisticsError) -> Double {
  try StatisticsError.require(clusterSize, "cluster size", "1 or more") { $0 >= 1 }
  let designEffect = 1 + (clusterSize - 1) * intraclassCorrelation
  try StatisticsError.require(
    intraclassCorrelation, "intraclass correlation", "a number from -1/(m - 1) to 1"
  ) { $0 <= 1 && designEffect >= 0 }
  return designEffect
}
