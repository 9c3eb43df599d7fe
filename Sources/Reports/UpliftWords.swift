internal import Projections
internal import Statistics

/// Uplifts in words.
enum UpliftWords {
  /// `+26.2 to +41.3 %`, or `from +26.2 %` where nothing bounds it above.
  static func range(_ interval: ConfidenceInterval) -> String {
    let lower = Format.signed(interval.lower * 100, digits: 1)
    guard interval.upper.isFinite else { return "from \(lower) %" }
    return "\(lower) to \(Format.signedPercent(interval.upper))"
  }

  /// As people say it: whole percents from ten on.
  private static func plain(_ share: Double) -> String {
    Format.decimal(share * 100, digits: share < 0.095 ? 1 : 0)
  }

  /// `31 % (24 to 39 %) more`, `12 % (5 to 18 %) fewer`.
  static func more(_ uplift: Double, _ interval: ConfidenceInterval) -> String {
    let (nearest, farthest) = uplift < 0 ? (interval.upper, interval.lower) : (interval.lower, interval.upper)
    // Where the interval reaches to the other side, each limit says on which it lies.
    guard nearest * uplift > 0 else { return "\(plain(abs(uplift))) % \(side(uplift)) (\(span(interval)))" }
    let range =
      farthest.isFinite
      ? "\(plain(abs(nearest))) to \(plain(abs(farthest))) %" : "at least \(plain(abs(nearest))) %"
    return "\(plain(abs(uplift))) % (\(range)) \(side(uplift))"
  }

  /// `4.1 % fewer to 9.0 % more`.
  static func span(_ interval: ConfidenceInterval) -> String {
    let lower = "\(plain(abs(interval.lower))) % \(side(interval.lower))"
    guard interval.upper.isFinite else { return "\(lower) to any number more" }
    return "\(lower) to \(plain(abs(interval.upper))) % \(side(interval.upper))"
  }

  private static func side(_ uplift: Double) -> String { uplift < 0 ? "fewer" : "more" }
}

extension Metric {
  /// What is counted, in the plural.
  var eventWords: String {
    switch self {
    case .interaction: "interactions"
    case .expansion: "expansions"
    case .open: "openings"
    case .action: "custom actions"
    case .customAction(let identifier): "taps on “\(identifier)”"
    case .reply: "replies with text"
    case .dismissal: "dismissals"
    case .fallback: "fallbacks to text"
    }
  }

  /// What counts, in a sentence.
  var meaning: String {
    switch self {
    case .interaction:
      "Units that were expanded, opened by a tap, or acted on with a button. Dismissals never count."
    case .expansion:
      "Units that were expanded. Not measurable, and never 0, where a category cannot report it."
    case .open: "Units that were opened by a tap on the notification."
    case .action: "Units on which any button was used."
    case .customAction: "Units on which this button was used, of those whose category offered it."
    case .reply: "Units on which a button was used that sent text."
    case .dismissal:
      "Units that were dismissed. Not measurable, and never 0, where a category does not report it."
    case .fallback: "Units meant to be rich that were shown as text."
    }
  }
}

extension RateReport {
  /// The answer in one sentence, for people who read nothing else.
  package var answer: String {
    let metric = result.query.metric
    let finding = finding
    if let reason = finding.verdict.reason { return "No answer yet: \(reason)." }
    let isClaimed = metric == .interaction && finding.upliftInterval != nil
    let claim = isClaimed ? words(of: Claim(finding.upliftInterval, finding.verdict)) : ""
    guard let (uplift, interval) = finding.ratio else { return answerInPoints(finding, claim) }
    if finding.verdict == .noDifferenceShown {
      return "No difference is shown between rich and text-only notifications: rich ones get "
        + "\(UpliftWords.span(interval)) \(metric.eventWords)\(claim)."
    }
    return
      "Rich notifications get \(UpliftWords.more(uplift, interval)) \(metric.eventWords) than text-only\(claim)."
  }

  /// Where there is no ratio.
  private func answerInPoints(_ finding: Finding, _ claim: String) -> String {
    let limits = finding.differenceInterval.map { " (\(points($0.lower)) to \(points($0.upper)))" } ?? ""
    let figure = "\(points(finding.difference ?? 0)) percentage points\(limits)"
    guard finding.verdict != .noDifferenceShown else {
      return
        "No difference is shown between rich and text-only notifications: the rates differ by \(figure)\(claim)."
    }
    let more = finding.verdict == .richIsHigher ? "more" : "fewer"
    return
      "Rich notifications get \(more) \(result.query.metric.eventWords) than text-only: by \(figure)\(claim)."
  }

  private func words(of finding: Claim) -> String {
    let claim = "the 30–40 % often claimed"
    return switch finding {
    case .inside: "; that lies inside \(claim)"
    case .above: "; that is above \(claim)"
    case .below: "; that is below \(claim)"
    case .overlaps: "; \(claim) overlaps with this"
    case .tooLittleData: "; there is too little data to tell whether \(claim) holds"
    }
  }

  /// The verdict over all categories with its figures.
  var pooledSentence: String {
    let words = pooled.verdict.reason.map { "\(pooled.verdict.words): \($0)" } ?? pooled.verdict.words
    guard let uplift = pooled.uplift, let interval = pooled.upliftInterval, let p = pooled.pValue else {
      return pooled.verdict.reason == nil
        ? pooled.pValue.map { "\(words); by the difference, \(Format.pValue($0))" } ?? words : words
    }
    return "\(words); uplift \(Format.signedPercent(uplift)) (\(range(interval))), \(Format.pValue(p))"
  }
}
