internal import EngagementEvents
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
  /// Two-sided, of what the verdict goes by: of the log ratio being 0, or else of the difference, or else by Cochran, Mantel and
  /// Haenszel's test; nil where nothing varies.
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
  ///   - total: the facts of all of them.
  ///   - nothing: what to say where they have no unit.
  init(
    _ comparisons: [Comparison], cells: [ExactText: [RateCell]], crude: TwoProportions, total: CategoryFacts,
    nothing: Verdict, level: ConfidenceLevel
  ) throws(StatisticsError) {
    var strata: [[TwoProportions]] = []
    var effective: [TwoProportions] = []
    var leftOut: [String] = []
    var oneArmed: [String] = []
    var compared: [RateCell] = []
    var devices = (rich: 0, text: 0)
    for comparison in comparisons {
      guard case .category(let name) = comparison.scope else { continue }
      guard comparison.isComparable else {
        leftOut.append(name)
        continue
      }
      let own = cells[ExactText(name)] ?? []
      let arms = BucketedArms(own)
      let pair = try arms.total()
      guard !pair.hasEmptyArm else {
        oneArmed.append(name)
        continue
      }
      strata.append(try arms.pairs())
      effective.append(try pair.effective(designEffect: comparison.designEffect ?? 1))
      compared += own
      let ownDevices = ArmDevices(comparison.facts, arms)
      devices = (devices.rich + ownDevices.rich, devices.text + ownDevices.text)
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
    let test = try Self.test(ratio, difference, StratifiedProportions(effective))
    pValue = test?.p
    heterogeneity = try StratifiedProportions(effective).cochranQ()
    standardised = buckets.total.directlyStandardised(level)
    simpson = buckets.total.simpsonCheck(crude: crude)
    // A device that got several categories is one.
    let all = ArmDevices(total, BucketedArms(compared))
    let obstacle = Self.obstacle(
      comparisons, strata.isEmpty ? crude : buckets.total.crude, nothing,
      strata.isEmpty ? nil : ArmDevices(rich: min(all.rich, devices.rich), text: min(all.text, devices.text)))
    verdict =
      obstacle ?? test.map { Verdict(difference: $0.effect, pValue: $0.p, level: level) }
      ?? .tooFew(reason: "nothing varies among the notifications, so that no test can be had")
  }

  /// The effect, positive where rich is higher, and the p-value of there being none; nil where nothing varies.
  ///
  /// There is no ratio without events among the text-only ones, be it without some bucket; and no error of either where the
  /// buckets do not differ. Then the counts themselves decide.
  private static func test(
    _ ratio: JackknifeEstimate?, _ difference: JackknifeEstimate?, _ effective: StratifiedProportions
  ) throws(StatisticsError) -> (effect: Double, p: Double)? {
    for estimate in [ratio, difference] {
      if let estimate, let p = try estimate.p() { return (estimate.value, p) }
    }
    let test = try effective.cochranMantelHaenszelTest()
    guard test.statistic != nil, let effect = effective.mantelHaenszelRiskDifference()?.value else {
      return nil
    }
    return (effect, test.p)
  }

  /// The same with another verdict.
  func judged(_ verdict: Verdict) -> PooledComparison {
    var judged = self
    judged.verdict = verdict
    return judged
  }

  private static func obstacle(
    _ comparisons: [Comparison], _ crude: TwoProportions, _ nothing: Verdict, _ devices: ArmDevices?
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
    return Verdict.obstacle(crude, CategoryFacts(), .interaction, devices)
      ?? (devices == nil ? .tooFew(reason: "no category has both arms") : nil)
  }
}
