internal import Projections
package import Statistics

/// All categories together, each compared within itself: what a plain sum would say if all had the same mix of arms.
package struct PooledComparison: Sendable, Hashable {
  /// Categories that take part: both arms delivered, and comparable.
  package let categories: Int
  /// Categories left out since their arms cannot be compared, by name.
  package let leftOut: [String]
  /// Categories that could be compared if both arms had been delivered, by name.
  package let oneArmed: [String]
  /// Mantel–Haenszel risk ratio − 1, with a jackknife interval over the buckets; nil where it cannot be had.
  package let uplift: Double?
  package let upliftInterval: ConfidenceInterval?
  /// Mantel–Haenszel risk difference, with a jackknife interval.
  package let difference: Double?
  package let differenceInterval: ConfidenceInterval?
  /// Two-sided, of the log ratio being 0; nil where it cannot be had.
  package let pValue: Double?
  /// Cochran's Q of the log ratios, on effective counts; nil with fewer than two usable categories.
  package let heterogeneity: HomogeneityTest?
  /// Both rates as if each arm had the categories' common mix.
  package let standardised: StandardisedRates?
  /// How many categories the test of heterogeneity is over: those with events in both arms.
  package var heterogeneityCategories: Int { heterogeneity.map { $0.test.degreesOfFreedom + 1 } ?? 0 }
  /// Pooled against the crude row; nil where either ratio is undefined.
  package let simpson: SimpsonCheck?
  package private(set) var verdict: Verdict

  package var claim: Claim { Claim(upliftInterval, verdict) }

  /// - Parameters:
  ///   - crude: all comparable categories added up.
  ///   - nothing: what to say where they have no unit.
  init(
    _ comparisons: [Comparison], cells: [String: [RateCell]], crude: TwoProportions, nothing: Verdict,
    level: ConfidenceLevel
  ) throws(StatisticsError) {
    var strata: [[TwoProportions]] = []
    var effective: [TwoProportions] = []
    var leftOut: [String] = []
    var oneArmed: [String] = []
    for comparison in comparisons {
      guard case .category(let name) = comparison.scope else { continue }
      guard comparison.isComparable else {
        leftOut.append(name)
        continue
      }
      let arms = BucketedArms(cells[name] ?? [])
      let pair = try arms.total()
      guard !pair.hasEmptyArm else {
        oneArmed.append(name)
        continue
      }
      strata.append(try arms.pairs())
      effective.append(try pair.effective(designEffect: comparison.designEffect))
    }
    self.leftOut = leftOut
    self.oneArmed = oneArmed
    categories = strata.count
    let buckets = try BucketedProportions(
      (0..<BucketedArms.bucketCount).map { bucket in strata.map { $0[bucket] } })
    let ratio = buckets.mantelHaenszelLogRiskRatio()
    let difference = buckets.mantelHaenszelRiskDifference()
    uplift = ratio.map { Logarithm.exponential($0.value) - 1 }
    upliftInterval = try ratio?.interval(level).map {
      ConfidenceInterval(
        lower: Logarithm.exponential($0.lower) - 1, upper: Logarithm.exponential($0.upper) - 1,
        confidence: level.value)
    }
    self.difference = difference?.value
    // A normal interval does not know that a difference of rates ends at ±1.
    differenceInterval = try difference?.interval(level).map {
      ConfidenceInterval(
        lower: max($0.lower, -1), upper: min($0.upper, 1), confidence: $0.confidence)
    }
    pValue = try ratio?.p()
    heterogeneity = try StratifiedProportions(effective).cochranQ()
    standardised = buckets.total.directlyStandardised(level)
    simpson = buckets.total.simpsonCheck(crude: crude)
    verdict =
      Self.obstacle(
        comparisons, strata.isEmpty ? crude : buckets.total.crude, nothing, hasStrata: !strata.isEmpty)
      ?? Verdict(difference: ratio?.value, pValue: pValue, level: level)
  }

  /// The same with another verdict.
  func judged(_ verdict: Verdict) -> PooledComparison {
    var judged = self
    judged.verdict = verdict
    return judged
  }

  private static func obstacle(
    _ comparisons: [Comparison], _ crude: TwoProportions, _ nothing: Verdict, hasStrata: Bool
  ) -> Verdict? {
    if let first = comparisons.first?.verdict, comparisons.allSatisfy({ $0.verdict == first }),
      case .notMeasurable = first
    {
      return first
    }
    if !comparisons.isEmpty, !comparisons.contains(where: \.isComparable) {
      return .notComparable(reason: "no category's arms can be compared")
    }
    guard crude.pooled.trials > 0 else { return nothing }
    return Verdict.obstacle(crude, CategoryFacts(), .interaction)
      ?? (hasStrata ? nil : .tooFew(reason: "no category has both arms"))
  }
}
