/// The two arms of every stratum, bucket by bucket: `buckets[bucket][stratum]`.
///
/// A bucket holds all notifications of the devices hashed into it, of both arms and of every category, so
/// buckets are independent although arms and categories share devices. Leaving out one bucket after another
/// measures the variance of any estimate with all its covariances (Miller 1974, Biometrika 61:1; Kott 2001, J
/// Off Stat 17:521).
package struct BucketedProportions: Sendable, Hashable {
  package let buckets: [[TwoProportions]]
  /// The totals over all buckets.
  package let total: StratifiedProportions

  /// - Throws: `lengthsDiffer`, unless every bucket has the same strata.
  package init(_ buckets: [[TwoProportions]]) throws(StatisticsError) {
    let strata = buckets.first?.count ?? 0
    guard let odd = buckets.first(where: { $0.count != strata }) else {
      self.buckets = buckets
      total = StratifiedProportions(
        (0..<strata).map { stratum in buckets.reduce(.empty) { $0 + $1[stratum] } })
      return
    }
    throw StatisticsError(
      .lengthsDiffer,
      "a bucket has \(odd.count) strata and the first \(strata); give every bucket all strata, empty ones too"
    )
  }

  /// The logarithm of the Mantel–Haenszel risk ratio, with its jackknife standard error.
  ///
  /// - Returns: as ``jackknife(_:)``; also `nil` where the ratio is 0, infinite or undefined, be it without
  ///   some bucket.
  package func mantelHaenszelLogRiskRatio() -> JackknifeEstimate? {
    jackknife { $0.mantelHaenszelLogRiskRatio }
  }

  /// The Mantel–Haenszel risk difference, with its jackknife standard error.
  ///
  /// - Returns: as ``jackknife(_:)``; also `nil` where no stratum has trials in both arms, be it without some
  ///   bucket.
  package func mantelHaenszelRiskDifference() -> JackknifeEstimate? {
    jackknife { $0.mantelHaenszelDifference }
  }

  /// Any estimate from the strata's totals, with the standard error that leaving out each bucket in turn
  /// gives it: √((B − 1) / B Σ (θ₋ᵦ − mean)²), over the B buckets that have trials.
  ///
  /// - Returns: `nil` with fewer than two buckets with trials in either arm, and where `estimate` is `nil` for
  ///   the totals or without some bucket.
  package func jackknife(_ estimate: (StratifiedProportions) -> Double?) -> JackknifeEstimate? {
    let filled = buckets.filter { $0.contains { $0.total > 0 } }
    let degreesOfFreedom = leastFilled - 1
    guard degreesOfFreedom > 0, let value = estimate(total) else { return nil }
    var partial: [Double] = []
    partial.reserveCapacity(filled.count)
    for bucket in filled {
      let rest = StratifiedProportions(zip(total.strata, bucket).map { $0 - $1 })
      guard let value = estimate(rest) else { return nil }
      partial.append(value)
    }
    let count = Double(filled.count)
    let mean = partial.reduce(0, +) / count
    let squares = partial.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return JackknifeEstimate(
      value: value, standardError: ((count - 1) / count * squares).squareRoot(),
      degreesOfFreedom: degreesOfFreedom)
  }

  /// The buckets with trials in the arm that has fewer of them.
  private var leastFilled: Int {
    min(
      buckets.count { $0.contains { $0.rich.trials > 0 } },
      buckets.count { $0.contains { $0.text.trials > 0 } })
  }
}

/// An estimate with its jackknife standard error.
package struct JackknifeEstimate: Sendable, Hashable {
  /// The estimate from all buckets: a log ratio or a difference.
  package let value: Double
  package let standardError: Double
  /// The buckets with trials in the arm that has fewer of them, less one: what Welch's degrees of freedom are at least.
  package let degreesOfFreedom: Int

  /// Whether the buckets differ by more than what rounding leaves.
  private var isMeasured: Bool { standardError > 1e-12 * max(abs(value), 1) }

  /// The interval with Student's t.
  ///
  /// - Returns: `nil` where the standard error is 0, so that the buckets measured no variance.
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package func interval(
    _ level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) -> ConfidenceInterval? {
    guard isMeasured else { return nil }
    let critical = try SpecialFunctions.studentCriticalValue(
      level, degreesOfFreedom: Double(degreesOfFreedom))
    return ConfidenceInterval(
      around: value, halfWidth: critical * standardError, confidence: level.value)
  }

  /// The two-sided p-value of the estimate being 0, with Student's t; `nil` where the standard error is 0.
  ///
  /// - Throws: `noConvergence`, if Student's distribution has no value.
  package func p() throws(StatisticsError) -> Double? {
    guard isMeasured else { return nil }
    return try SpecialFunctions.studentTwoSidedP(
      value / standardError, degreesOfFreedom: Double(degreesOfFreedom))
  }
}

extension TwoProportions {
  fileprivate static let empty = TwoProportions(
    rich: Proportion(unchecked: 0, of: 0), text: Proportion(unchecked: 0, of: 0))

  fileprivate static func + (left: TwoProportions, right: TwoProportions) -> TwoProportions {
    TwoProportions(rich: left.rich + right.rich, text: left.text + right.text)
  }

  fileprivate static func - (left: TwoProportions, right: TwoProportions) -> TwoProportions {
    TwoProportions(rich: left.rich - right.rich, text: left.text - right.text)
  }
}

extension Proportion {
  fileprivate static func + (left: Proportion, right: Proportion) -> Proportion {
    Proportion(unchecked: left.successes + right.successes, of: left.trials + right.trials)
  }

  fileprivate static func - (left: Proportion, right: Proportion) -> Proportion {
    // Effective counts may leave a rounding error where nothing is left.
    let trials = max(left.trials - right.trials, 0)
    return Proportion(unchecked: min(max(left.successes - right.successes, 0), trials), of: trials)
  }
}
