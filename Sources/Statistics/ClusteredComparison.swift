/// Two clustered rates, and the covariance that clusters in both arms give them.
package struct ClusteredComparison: Sendable, Hashable {
  package let rich: ClusteredRatio
  package let text: ClusteredRatio
  /// The covariance of the two rates; 0 where no cluster is in both arms.
  package let covariance: Double

  private let richVariance: Double
  private let textVariance: Double

  /// Arms that share no cluster, as where devices are randomised.
  ///
  /// - Returns: `nil` with fewer than two clusters in either arm.
  package init?(independent rich: ClusteredRatio, _ text: ClusteredRatio) {
    self.init(rich, text, covariance: 0)
  }

  /// Arms whose clusters are the same ones, in the same order: devices (or buckets of devices) that get
  /// notifications of both kinds. The difference's variance is that of its influence function, summed over
  /// clusters.
  ///
  /// - Returns: `nil` with fewer than two clusters, and without trials in either arm.
  /// - Throws: `lengthsDiffer`.
  package init?(sharing rich: ClusterTotals, _ text: ClusterTotals) throws(StatisticsError) {
    guard rich.count == text.count else {
      throw StatisticsError(
        .lengthsDiffer, "\(rich.count) clusters against \(text.count); give both arms of each cluster")
    }
    guard let richRatio = rich.ratio(), let textRatio = text.ratio(), rich.count > 1 else { return nil }
    let clusters = Double(rich.count)
    let products = zip(rich.residuals(richRatio.rate), text.residuals(textRatio.rate))
      .reduce(0) { $0 + $1.0 * $1.1 }
    let scale = rich.trials.reduce(0, +) * text.trials.reduce(0, +)
    self.init(richRatio, textRatio, covariance: clusters / (clusters - 1) * (products / scale))
  }

  private init?(_ rich: ClusteredRatio, _ text: ClusteredRatio, covariance: Double) {
    guard let richVariance = rich.variance, let textVariance = text.variance else { return nil }
    self.rich = rich
    self.text = text
    self.covariance = covariance
    self.richVariance = richVariance
    self.textVariance = textVariance
  }

  /// The variance of the difference.
  package var varianceOfDifference: Double {
    max(richVariance + textVariance - 2 * covariance, 0)
  }

  /// The variance that the difference would have without the covariance.
  package var varianceIfIndependent: Double { richVariance + textVariance }

  /// How many times larger clustering makes the variance of the difference than independent trials would; `nil`
  /// where those would have none.
  ///
  /// Both arms' counts divided by it make score intervals and tests as wide as the clusters demand.
  package var designEffect: Double? {
    guard let richNaive = rich.naiveVariance, let textNaive = text.naiveVariance, richNaive + textNaive > 0
    else { return nil }
    return varianceOfDifference / (richNaive + textNaive)
  }

  /// The difference of the rates, with a normal interval.
  package func difference(_ level: ConfidenceLevel = .ninetyFive) -> DifferenceEstimate {
    DifferenceEstimate(
      value: rich.rate - text.rate, standardError: varianceOfDifference.squareRoot(), level)
  }

  /// The ratio of the rates, with a normal interval on the log scale.
  ///
  /// - Returns: `nil`, unless both rates are positive.
  package func ratio(_ level: ConfidenceLevel = .ninetyFive) -> RatioEstimate? {
    guard rich.rate > 0, text.rate > 0 else { return nil }
    let variance =
      richVariance / rich.rate / rich.rate + textVariance / text.rate / text.rate
      - 2 * covariance / rich.rate / text.rate
    return RatioEstimate(
      value: rich.rate / text.rate, logStandardError: max(variance, 0).squareRoot(), level)
  }

  /// The relative uplift by the delta method and Welch's t on clusters, as GrowthBook and PostHog compute it
  /// for ratio metrics; for comparison with them only.
  ///
  /// - Returns: `nil` without a positive text rate, and without variation.
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package func deltaMethodUplift(
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> DeltaMethodUplift? {
    try DeltaMethodUplift(
      rich: MeanEstimate(
        value: rich.rate, variance: richVariance, units: (rich.degreesOfFreedom ?? 0) + 1),
      text: MeanEstimate(
        value: text.rate, variance: textVariance, units: (text.degreesOfFreedom ?? 0) + 1), level)
  }
}
