internal import Projections
internal import Statistics

extension RateReport {
  /// The answer in one sentence.
  package var headline: String {
    let finding = finding
    if let reason = finding.verdict.reason {
      if case .notMeasurable = finding.verdict { return "No answer: \(reason)." }
      return "No answer yet: \(reason)."
    }
    // The claim is about a ratio.
    let isClaimed = result.query.metric == .interaction && finding.upliftInterval != nil
    let claim = isClaimed ? "; \(Claim(finding.upliftInterval, finding.verdict).sentence)" : ""
    return
      "Rich notifications get \(more(finding)) \(eventNoun) than text-only ones\(limits(finding)), \(scopeWords): "
      + "\(finding.verdict.words)\(claim)."
  }

  private func more(_ finding: Finding) -> String {
    if let uplift = finding.ratio?.uplift {
      return "\(Format.percent(abs(uplift))) \(uplift < 0 ? "fewer" : "more")"
    }
    let points = finding.difference ?? 0
    return "\(Format.decimal(abs(points) * 100, digits: 2)) points \(points < 0 ? "fewer" : "more")"
  }

  private func limits(_ finding: Finding) -> String {
    if let ratio = finding.ratio { return " (\(range(ratio.interval)))" }
    return finding.differenceInterval.map { " (\(points($0.lower)) to \(points($0.upper)) points)" } ?? ""
  }

  /// What the answer goes by: all categories pooled, or the one that the report is about.
  struct Finding {
    let uplift: Double?
    let upliftInterval: ConfidenceInterval?
    let difference: Double?
    let differenceInterval: ConfidenceInterval?
    let verdict: Verdict

    /// Nil where there is none, as where no text-only notification had the event: then the answer is told in points.
    var ratio: (uplift: Double, interval: ConfidenceInterval)? {
      guard let uplift, let upliftInterval else { return nil }
      return (uplift, upliftInterval)
    }
  }

  var finding: Finding {
    guard result.query.category != nil, let one = categories.first else {
      return Finding(
        uplift: pooled.uplift, upliftInterval: pooled.upliftInterval, difference: pooled.difference,
        differenceInterval: pooled.differenceInterval, verdict: pooled.verdict)
    }
    return Finding(
      uplift: one.uplift, upliftInterval: one.upliftInterval, difference: one.difference,
      differenceInterval: one.differenceInterval, verdict: one.verdict)
  }

  private var scopeWords: String {
    result.query.category.map {
      "in the category \(TextTable.visible(Comparison.Scope.category($0).name)) alone"
    }
      ?? (pooled.categories == categories.count
        ? "all categories together" : "\(pooled.categories) of \(categories.count) categories together")
  }

  private var eventNoun: String {
    switch result.query.metric {
    case .interaction: "interactions"
    case .expansion: "expansions"
    case .open: "openings"
    case .action: "custom actions"
    case .customAction(let identifier): "actions “\(TextTable.visible(identifier))”"
    case .reply: "replies"
    case .dismissal: "dismissals"
    case .fallback: "fallbacks"
    }
  }

  /// The verdict of a comparison with the figures that carry it.
  func sentence(_ comparison: Comparison) -> String {
    let verdict = comparison.verdict
    let words = verdict.reason.map { "\(verdict.words): \($0)" } ?? verdict.words
    guard verdict.reason == nil, let uplift = comparison.upliftInterval,
      let difference = comparison.difference,
      let interval = comparison.differenceInterval, let p = comparison.pValue
    else { return words }
    let figure = comparison.uplift.map { Format.signedPercent($0) } ?? "undefined"
    let adjusted = comparison.adjustedPValue.map { " (adjusted: \(Format.pValue($0)))" } ?? ""
    return "\(words); uplift \(figure) (\(range(uplift))), \(points(difference)) points "
      + "(\(points(interval.lower)) to \(points(interval.upper))), \(Format.pValue(p))\(adjusted), "
      + "deff \(comparison.designEffect.map { Format.decimal($0, digits: 2) } ?? "unknown")"
  }

  func range(_ interval: ConfidenceInterval) -> String {
    let upper = interval.upper.isFinite ? Format.signedPercent(interval.upper) : "no upper limit"
    return "\(Format.signedPercent(interval.lower)) to \(upper)"
  }

  func points(_ difference: Double) -> String { Format.signed(difference * 100, digits: 2) }

  /// What was left out, and what should be known beside the figures.
  func remarks(_ comparison: Comparison) -> [String] {
    let facts = comparison.facts
    var remarks: [String] = []
    if comparison.verdict.reason == nil {
      if let always = comparison.alwaysValidUplift {
        remarks.append("looked at again and again, the uplift lies in \(range(always))")
      }
      if result.query.metric == .interaction { remarks.append(comparison.claim.sentence) }
    }
    remarks += sourceRemarks(facts)
    let devices = facts.devices
    if devices > 0, devices < Comparison.fewDevices {
      remarks.append(
        "few devices (\(Format.count(devices))): how alike a device's notifications are is hardly known")
    }
    let immature = facts.rich.immature + facts.text.immature
    if immature > 0 {
      remarks.append("\(Format.count(immature)) delivered too recently to count: their window is still open")
    }
    if facts.orphans > 0 {
      remarks.append(
        "\(Format.count(facts.orphans)) interacted with, but never reported as delivered: not counted")
    }
    if facts.dismissedOrphans > 0 {
      remarks.append(
        "\(Format.count(facts.dismissedOrphans)) dismissed, but never reported as delivered: not counted")
    }
    if facts.implausible > 0 {
      remarks.append("\(Format.count(facts.implausible)) events with a time that cannot be: not counted")
    }
    if let share = facts.fallbackShare, share > 0 {
      remarks.append("\(Format.percent(share)) of those meant to be rich were shown as text")
    }
    return remarks
  }

  /// All categories together.
  var pooledLines: [String] {
    var lines = ["All categories together, each compared within itself (Mantel–Haenszel):"]
    lines.append("  → " + pooledSentence)
    if let difference = pooled.difference, let interval = pooled.differenceInterval {
      lines.append(
        "    \(points(difference)) points (\(points(interval.lower)) to \(points(interval.upper)))")
    }
    if let heterogeneity = pooled.heterogeneity, let statistic = heterogeneity.test.statistic {
      lines.append(
        "    do the uplifts of \(pooled.heterogeneityCategories) categories with events in both arms differ? "
          + "Q = \(Format.decimal(statistic, digits: 2)), \(Format.pValue(heterogeneity.test.p)), "
          + "I² = \(Format.percent(heterogeneity.iSquared, digits: 0))")
    }
    if let rates = pooled.standardised {
      lines.append(
        "    standardised to the common mix: rich \(Format.percent(rates.rich, digits: 2)), "
          + "text \(Format.percent(rates.text, digits: 2))")
    }
    if !pooled.oneArmed.isEmpty {
      lines.append("    left out, as only one arm was delivered: \(Self.names(pooled.oneArmed))")
    }
    if !pooled.leftOut.isEmpty {
      lines.append("    left out, as their arms cannot be compared: \(leftOutNames)")
    }
    return lines + (simpsonWarning.map { ["    ⚠ " + $0] } ?? [])
  }

  /// The categories that the answer leaves out.
  var leftOutNames: String { Self.names(pooled.leftOut) }

  private static func names(_ categories: [String]) -> String {
    categories.map { TextTable.visible(Comparison.Scope.category($0).name) }.joined(separator: ", ")
  }

  /// A warning where the plain sum misleads; nil where it does not.
  var simpsonWarning: String? {
    guard let simpson = pooled.simpson, simpson.disagrees else { return nil }
    let crude = Format.signedPercent(simpson.crudeRatio - 1)
    let adjusted = Format.signedPercent(simpson.adjustedRatio - 1)
    let kind = simpson.isReversed ? "turns round (Simpson's paradox)" : "is off"
    return
      "The plain sum below \(kind): \(crude) against \(adjusted) within categories, as the arms' mix differs."
  }

  var footnotes: [String] {
    [
      "Rates: Wilson, on counts divided by the design effect (deff) of repeats on a device, in the arm's row. Difference and",
      "uplift: Miettinen–Nurminen, p: N−1 chi-square, on counts divided by that of the difference, behind p. Both are measured",
      "over \(BucketedArms.bucketCount) buckets of devices. Valid on this date only; the interval for looking again and again is an",
      "asymptotic confidence sequence."
        + (familySize > 1
          ? " Verdicts go by p adjusted (Benjamini–Hochberg) over \(familySize) categories." : ""),
    ] + sampleLines
  }

  private var sampleLines: [String] {
    let sample = result.deviceSample
    guard !sample.isEveryDevice else { return [] }
    return [
      "Devices are estimated from \(sample.buckets) of \(BucketedArms.bucketCount) of them, "
        + "\(Format.count(sample.counted(result.total.devices))) in all; every notification is counted."
    ]
  }
}
