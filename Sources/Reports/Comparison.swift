internal import ForeignEvents
package import Projections
package import Statistics

/// Rich against text-only: one category, or all added up.
package struct Comparison: Sendable, Hashable {
  /// What is compared.
  package enum Scope: Sendable, Hashable {
    /// The notifications of a category; the empty string is that of notifications without one.
    case category(String)
    /// All categories added up, as if they were one: what a plain average would say.
    case crude
  }

  /// One arm.
  package struct Arm: Sendable, Hashable {
    /// Units counted, and those of them with the metric's event.
    package let counts: Proportion
    package let facts: ArmFacts
    /// How many times wider repeats on a device make the variance of the rate, at least 1.
    package let designEffect: Double
    /// Wilson's interval of the rate on effective counts; nil without units.
    package let interval: ConfidenceInterval?

    /// 0 to 1; nil without units, and where nobody told what was rich or what is counted.
    package let rate: Double?

    /// Distinct devices; where these are estimated, never more than units.
    package var devices: Int { min(facts.devices, Int(counts.trials)) }
  }

  package let scope: Scope
  package let rich: Arm
  package let text: Arm
  package let facts: CategoryFacts
  /// How many times wider repeats on a device make the variance of the difference, at least 1.
  package let designEffect: Double
  /// Rich rate − text rate, −1 to 1, with Miettinen and Nurminen's interval on effective counts; nil where an arm is
  /// empty.
  package let difference: Double?
  package let differenceInterval: ConfidenceInterval?
  /// Rich rate / text rate − 1; nil where an arm is empty or the text rate is 0. The interval is nil where an arm is
  /// empty; its upper limit is infinite where the text rate could be 0.
  package let uplift: Double?
  package let upliftInterval: ConfidenceInterval?
  /// The interval of the uplift that holds at every look, however often one looks; nil where a rate is 0.
  package let alwaysValidUplift: ConfidenceInterval?
  /// Two-sided, of the N − 1 chi-square test on effective counts; nil where an arm is empty.
  package let pValue: Double?
  /// `pValue` adjusted by Benjamini and Hochberg over the categories that have a verdict; nil where this has none, and
  /// for the crude row, which belongs to no family.
  package private(set) var adjustedPValue: Double?
  package private(set) var verdict: Verdict

  /// Whether a figure may set one arm against the other.
  package var isComparable: Bool { verdict.isComparable }

  /// What the interval says of the often-quoted 30–40 %.
  package var claim: Claim { Claim(upliftInterval, verdict) }

  /// Fewer devices than this in both arms together, and the buckets say little about repeats.
  package static let fewDevices = 200
  /// The devices that the always-valid interval is narrowest at. Fixed for good: choosing it by the data would break it.
  package static let tunedDevices = 5_000.0
}

extension Comparison {
  /// - Parameters:
  ///   - cells: the scope's cells alone.
  ///   - facts: the facts of the scope.
  package init(
    _ scope: Scope, cells: some Sequence<RateCell>, facts: CategoryFacts, metric: Metric,
    level: ConfidenceLevel
  ) throws(StatisticsError) {
    let buckets = BucketedArms(cells)
    let pair = try buckets.total()
    let clustered = try buckets.clustered()
    let designEffect = BucketedArms.applied(clustered?.designEffect)
    let effective = try pair.effective(designEffect: designEffect)
    self.scope = scope
    self.facts = facts
    self.designEffect = designEffect
    let isTold = Verdict.whyNotTold(metric, facts) == nil && !facts.limits.contains(.richness)
    rich = try Arm(pair.rich, facts.rich, clustered?.rich.designEffect, level, isTold: isTold)
    text = try Arm(pair.text, facts.text, clustered?.text.designEffect, level, isTold: isTold)
    difference = pair.difference
    differenceInterval = effective.miettinenNurminenDifference(level)
    let relative = effective.relativeUplift(level)
    uplift = relative?.value
    upliftInterval = relative?.interval
    alwaysValidUplift = try Self.alwaysValidUplift(
      clustered?.ratio(level), pair, devices: facts.rich.devices + facts.text.devices, level)
    let pValue = effective.nMinusOneChiSquareTest()?.p
    self.pValue = pValue
    verdict =
      Verdict.obstacle(pair, facts, metric)
      ?? Verdict(difference: pair.difference, pValue: pValue, level: level)
  }

  /// Lower and upper limit on the scale of the log ratio, where the estimate is closest to normal.
  ///
  /// The standard error is never below that of independent notifications, as in the other intervals.
  private static func alwaysValidUplift(
    _ ratio: RatioEstimate?, _ pair: TwoProportions, devices: Int, _ level: ConfidenceLevel
  ) throws(StatisticsError) -> ConfidenceInterval? {
    guard let ratio, ratio.value > 0, devices > 0 else { return nil }
    let independent =
      pair.rich.failures / (pair.rich.successes * pair.rich.trials)
      + pair.text.failures / (pair.text.successes * pair.text.trials)
    let sequence = try AsymptoticConfidenceSequence(level, tunedTo: tunedDevices)
    let bounds = try sequence.bounds(
      estimate: Logarithm.natural(ratio.value),
      standardError: max(ratio.logStandardError, independent.squareRoot()),
      observations: Double(devices))
    return bounds.map { bounds in
      ConfidenceInterval(
        lower: Logarithm.exponential(bounds.interval.lower) - 1,
        upper: Logarithm.exponential(bounds.interval.upper) - 1, confidence: level.value)
    }
  }

  /// The same with another verdict.
  func judged(_ verdict: Verdict) -> Comparison {
    var judged = self
    judged.verdict = verdict
    return judged
  }

  /// The same with the verdict by the adjusted p-value.
  func judged(adjustedPValue: Double, level: ConfidenceLevel) -> Comparison {
    var judged = self
    judged.adjustedPValue = adjustedPValue
    judged.verdict = Verdict(difference: difference, pValue: adjustedPValue, level: level)
    return judged
  }
}

extension Comparison.Arm {
  init(
    _ counts: Proportion, _ facts: ArmFacts, _ designEffect: Double?, _ level: ConfidenceLevel,
    isTold: Bool = true
  ) throws(StatisticsError) {
    self.counts = counts
    self.facts = facts
    self.designEffect = BucketedArms.applied(designEffect)
    rate = isTold ? counts.rate : nil
    interval = isTold ? try counts.effective(designEffect: self.designEffect).wilsonInterval(level) : nil
  }
}
