internal import EngagementEvents
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

    private var exact: ExactText? { if case .category(let name) = self { ExactText(name) } else { nil } }

    package static func == (one: Scope, other: Scope) -> Bool { one.exact == other.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }
  }

  /// One arm.
  package struct Arm: Sendable, Hashable {
    /// Units counted, and those of them with the metric's event.
    package let counts: Proportion
    package let facts: ArmFacts
    /// How many times wider repeats on a device make the variance of the rate, at least 1; nil where the devices cannot tell.
    package let designEffect: Double?
    /// Wilson's interval of the rate on effective counts; nil without units, and where all are one device's.
    package let interval: ConfidenceInterval?

    /// 0 to 1; nil without units, and where nobody told what was rich or what is counted, or could.
    package let rate: Double?
    /// Whether a count of the events is one: where nobody could tell of them, there may have been any number.
    package let isMeasured: Bool

    /// Units with the metric's event; nil where it is not measured.
    package var events: Int? { isMeasured ? Int(counts.successes) : nil }

    /// Distinct devices; where these are estimated, never more than units.
    package var devices: Int { min(facts.devices, Int(counts.trials)) }
  }

  package let scope: Scope
  package let rich: Arm
  package let text: Arm
  package let facts: CategoryFacts
  /// How many times wider repeats on a device make the variance of the difference, at least 1; nil where the devices cannot
  /// tell.
  package let designEffect: Double?
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
    let effects = try buckets.designEffects(level)
    let devices = ArmDevices(facts, buckets)
    let effective = try pair.effective(designEffect: effects.difference ?? 1)
    self.scope = scope
    self.facts = facts
    designEffect = effects.difference
    let isMeasured = Verdict.isMeasured(metric, facts)
    let isRichnessTold = !facts.limits.contains(.richness)
    func arm(
      _ counts: Proportion, _ facts: ArmFacts, _ designEffect: Double?, devices: Int
    ) throws(StatisticsError) -> Arm {
      try Arm(
        counts, facts, designEffect, level, isMeasured: isMeasured, hasRate: isMeasured && isRichnessTold,
        isOneDevice: devices == 1)
    }
    rich = try arm(pair.rich, facts.rich, effects.rich, devices: devices.rich)
    text = try arm(pair.text, facts.text, effects.text, devices: devices.text)
    difference = pair.difference
    let relative = effective.relativeUplift(level)
    uplift = relative?.value
    // One device's notifications tell nothing of another one's.
    let isKnown = devices.least != 1
    differenceInterval = isKnown ? effective.miettinenNurminenDifference(level) : nil
    upliftInterval = isKnown ? relative?.interval : nil
    alwaysValidUplift =
      isKnown
      ? try Self.alwaysValidUplift(buckets, devices: facts.rich.devices + facts.text.devices, level) : nil
    let pValue = isKnown ? effective.nMinusOneChiSquareTest()?.p : nil
    self.pValue = pValue
    verdict =
      Verdict.obstacle(pair, facts, metric, devices)
      ?? Verdict(difference: pair.difference, pValue: pValue, level: level)
  }

  /// Lower and upper limit on the scale of the log ratio, where the estimate is closest to normal.
  ///
  /// The standard error is never below that of independent notifications, as in the other intervals.
  private static func alwaysValidUplift(
    _ buckets: BucketedArms, devices: Int, _ level: ConfidenceLevel
  ) throws(StatisticsError) -> ConfidenceInterval? {
    guard let ratio = try buckets.clustered()?.ratio(level), ratio.value > 0, devices > 0 else { return nil }
    let pair = try buckets.total()
    let filled = min(buckets.filled(isRich: true), buckets.filled(isRich: false))
    let few = try FewClusters.inflation(filled, of: BucketedArms.bucketCount, level) ?? 1
    let independent =
      pair.rich.failures / (pair.rich.successes * pair.rich.trials)
      + pair.text.failures / (pair.text.successes * pair.text.trials)
    let sequence = try AsymptoticConfidenceSequence(level, tunedTo: tunedDevices)
    let bounds = try sequence.bounds(
      estimate: Logarithm.natural(ratio.value),
      standardError: max(ratio.logStandardError, independent.squareRoot()) * few.squareRoot(),
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
    isMeasured: Bool, hasRate: Bool, isOneDevice: Bool
  ) throws(StatisticsError) {
    self.counts = counts
    self.facts = facts
    self.designEffect = designEffect
    self.isMeasured = isMeasured
    rate = hasRate ? counts.rate : nil
    // A single notification has nothing that it repeats.
    interval =
      hasRate && !(isOneDevice && counts.trials > 1)
      ? try counts.effective(designEffect: designEffect ?? 1).wilsonInterval(level) : nil
  }
}
