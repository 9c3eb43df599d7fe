/// The sums over clusters (devices) from which the variance of a ratio of totals follows: how many clusters,
/// their trials n and successes y, and the products of the two.
///
/// Sums of whole numbers are exact up to 2^53.
package struct ClusterSums: Sendable, Hashable {
  /// The number of clusters.
  package private(set) var clusters: Double
  package private(set) var trials: Double
  package private(set) var successes: Double
  /// Σ n².
  package private(set) var trialsSquared: Double
  /// Σ y².
  package private(set) var successesSquared: Double
  /// Σ n y.
  package private(set) var trialsTimesSuccesses: Double

  /// - Throws: `negativeCount`, `countOutOfRange` or `notFinite` for the number of clusters or of trials;
  ///   `notFinite` or `parameterOutOfRange` for sums that no clusters can have. The successes may be any
  ///   measure, negative ones included.
  package init(
    clusters: Double, trials: Double, successes: Double, trialsSquared: Double, successesSquared: Double,
    trialsTimesSuccesses: Double
  ) throws(StatisticsError) {
    self.clusters = try StatisticsError.requireCount(clusters, "number of clusters")
    self.trials = try StatisticsError.requireCount(trials, "number of trials")
    let measures: [(Double, String)] = [
      (successes, "sum of successes"), (trialsSquared, "sum of squared trials"),
      (successesSquared, "sum of squared successes"), (trialsTimesSuccesses, "sum of products"),
    ]
    for (measure, name) in measures {
      try StatisticsError.require(measure, name, "a number up to 1e60 in size") { abs($0) <= 1e60 }
    }
    try StatisticsError.require(trialsSquared, "sum of squared trials", "0 or more") { $0 >= 0 }
    try StatisticsError.require(successesSquared, "sum of squared successes", "0 or more") { $0 >= 0 }
    self.successes = successes
    self.trialsSquared = trialsSquared
    self.successesSquared = successesSquared
    self.trialsTimesSuccesses = trialsTimesSuccesses
  }

  /// The sums of no clusters.
  package init() {
    (clusters, trials, successes) = (0, 0, 0)
    (trialsSquared, successesSquared, trialsTimesSuccesses) = (0, 0, 0)
  }

  /// Adds `trials` and `successes` to a cluster that had `earlierTrials` and `earlierSuccesses`: by (n + d)²
  /// = n² + 2 n d + d², without the other clusters. A cluster that had no trials is counted as new.
  ///
  /// - Throws: `notFinite` or `parameterOutOfRange`.
  package mutating func add(
    trials: Double, successes: Double, toClusterWith earlierTrials: Double = 0,
    successes earlierSuccesses: Double = 0
  ) throws(StatisticsError) {
    for count in [trials, successes, earlierTrials, earlierSuccesses] {
      try StatisticsError.require(count, "change of a cluster's count", "a number up to 1e15 in size") {
        abs($0) <= 1e15
      }
    }
    if earlierTrials == 0, trials > 0 { clusters += 1 }
    self.trials += trials
    self.successes += successes
    trialsSquared += 2 * earlierTrials * trials + trials * trials
    successesSquared += 2 * earlierSuccesses * successes + successes * successes
    trialsTimesSuccesses += earlierTrials * successes + earlierSuccesses * trials + trials * successes
  }
}

extension ClusterSums {
  /// The ratio of the totals and its variance by the delta method (linearisation, Kish 1965; Deng and others
  /// 2018, KDD).
  ///
  /// - Returns: `nil` without trials.
  package func ratio() -> ClusteredRatio? {
    guard trials > 0 else { return nil }
    let rate = successes / trials
    // Σ (y − R n)², summed in pairs that cancel as little as the numbers allow.
    let residuals =
      (successesSquared - rate * trialsTimesSuccesses) - rate * (trialsTimesSuccesses - rate * trialsSquared)
    return ClusteredRatio(
      rate: rate, trials: trials, clusters: clusters, squaredResiduals: max(residuals, 0))
  }
}
