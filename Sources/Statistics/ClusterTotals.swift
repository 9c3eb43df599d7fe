/// The trials and successes of each cluster: of each device, or of each bucket of devices.
///
/// Devices hashed into B buckets make B independent clusters, whose totals add over days, categories and
/// arms; those without trials count as clusters too.
package struct ClusterTotals: Sendable, Hashable {
  package let successes: [Double]
  package let trials: [Double]

  /// - Throws: `lengthsDiffer`; `negativeCount`, `countOutOfRange` or `notFinite`; `successesExceedTrials`.
  package init(successes: [Double], trials: [Double]) throws(StatisticsError) {
    guard successes.count == trials.count else {
      throw StatisticsError(
        .lengthsDiffer,
        "\(successes.count) counts of successes against \(trials.count) of trials; give both for each cluster"
      )
    }
    for (successes, trials) in zip(successes, trials) {
      _ = try Proportion(successes: successes, trials: trials)
    }
    self.successes = successes
    self.trials = trials
  }

  /// The number of clusters.
  package var count: Int { trials.count }

  /// The ratio of the totals with the variance between clusters, G / (G − 1) Σ (y − R n)² / (Σ n)².
  ///
  /// - Returns: `nil` without trials.
  package func ratio() -> ClusteredRatio? {
    let total = trials.reduce(0, +)
    guard total > 0 else { return nil }
    let rate = successes.reduce(0, +) / total
    let squaredResiduals = residuals(rate).reduce(0) { $0 + $1 * $1 }
    return ClusteredRatio(
      rate: rate, trials: total, clusters: Double(count), squaredResiduals: squaredResiduals)
  }

  /// y − R n for each cluster.
  func residuals(_ rate: Double) -> [Double] {
    zip(successes, trials).map { $0 - rate * $1 }
  }
}
