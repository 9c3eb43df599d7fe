internal import Projections
internal import Statistics

/// What a comparison says, in words.
package enum Verdict: Sendable, Hashable {
  case richIsHigher
  case textIsHigher
  case noDifferenceShown
  /// Not enough units or events for any verdict; says what is missing.
  case tooFew(reason: String)
  /// The arms are not measured alike, so that no figure of theirs can be set against the other.
  case notComparable(reason: String)
  /// The metric means nothing for this category.
  case notMeasurable(reason: String)

  /// The verdict in a few words, the same in every format.
  package var words: String {
    switch self {
    case .richIsHigher: "rich is higher"
    case .textIsHigher: "text is higher"
    case .noDifferenceShown: "no difference shown"
    case .tooFew: "too few"
    case .notComparable: "not comparable"
    case .notMeasurable: "not measurable"
    }
  }

  /// Why there is no verdict; nil where there is one.
  package var reason: String? {
    switch self {
    case .richIsHigher, .textIsHigher, .noDifferenceShown: nil
    case .tooFew(let reason), .notComparable(let reason), .notMeasurable(let reason): reason
    }
  }

  /// Whether a figure may set one arm against the other.
  package var isComparable: Bool {
    switch self {
    case .notComparable, .notMeasurable: false
    case .richIsHigher, .textIsHigher, .noDifferenceShown, .tooFew: true
    }
  }

  /// Fewest units in either arm.
  package static let minimalUnits = 100.0
  /// Fewest devices in either arm. Of fewer clusters than ten, no correction for their number keeps what it promises (Li and
  /// Redden 2015, Stat Med 34:281).
  package static let minimalDevices = 10
  /// Fewest events to expect in either arm if both had the same rate.
  package static let minimalExpectedEvents = 5.0
  /// The largest share of interacting units that may lack a delivery. Beyond it, what cannot be put into an arm could
  /// make up the whole difference.
  package static let tolerableOrphanShare = 0.1
  /// So few orphans prove nothing.
  package static let negligibleOrphans = 5

  /// The verdict where enough was counted, and counted alike.
  ///
  /// - Parameters:
  ///   - pValue: adjusted for the family of comparisons; nil where nothing varied.
  init(difference: Double?, pValue: Double?, level: ConfidenceLevel) {
    guard let pValue, let difference, pValue < level.alpha, difference != 0 else {
      self = .noDifferenceShown
      return
    }
    self = difference > 0 ? .richIsHigher : .textIsHigher
  }

  /// What stands in the way of a verdict; nil for nothing.
  ///
  /// - Parameter devices: nil where nobody counted them.
  static func obstacle(
    _ pair: TwoProportions, _ facts: CategoryFacts, _ metric: Metric, _ devices: ArmDevices? = nil
  ) -> Verdict? {
    obstacleToComparing(pair, facts, metric) ?? whyTooFew(pair, devices).map { .tooFew(reason: $0) }
  }

  /// What keeps figures of one arm from being set against those of the other, however many there are.
  static func obstacleToComparing(
    _ pair: TwoProportions, _ facts: CategoryFacts, _ metric: Metric
  ) -> Verdict? {
    whyNotTold(metric, facts).map { .notMeasurable(reason: $0) }
      ?? whyNotAlike(facts).map { .notComparable(reason: $0) }
      ?? whyNotMeasurable(metric, facts, hasUnits: pair.pooled.trials > 0).map { .notMeasurable(reason: $0) }
      ?? whyNotComparable(pair, facts).map { .notComparable(reason: $0) }
  }

  /// Whether a count of the metric's events is one, so that none is none.
  static func isMeasured(_ metric: Metric, _ facts: CategoryFacts) -> Bool {
    guard whyNotTold(metric, facts) == nil else { return false }
    return switch metric {
    case .expansion: facts.measuresExpansion
    case .dismissal: facts.measuresDismissal
    default: true
    }
  }

  /// What is to be said where no unit counts.
  static func ofNothing(_ metric: Metric, _ facts: CategoryFacts) -> Verdict {
    let immature = facts.rich.immature + facts.text.immature
    if immature > 0 {
      return .tooFew(reason: "\(Format.count(immature)) delivered, whose windows are all still open")
    }
    if let reason = whyNotMeasurable(metric, facts, hasUnits: false), case .customAction = metric {
      return .notMeasurable(reason: reason)
    }
    return .tooFew(reason: "no notification of this period counts")
  }

  private static func whyNotMeasurable(
    _ metric: Metric, _ facts: CategoryFacts, hasUnits: Bool
  ) -> String? {
    switch metric {
    case .customAction(let identifier) where !hasUnits && facts.rich.immature + facts.text.immature == 0:
      "no notification delivered offered the action \(TextTable.visible(identifier))"
    case .expansion where facts.hasContentExtension == false:
      "no content extension is registered for it, and nothing else can report an expansion"
    case .expansion where !facts.measuresExpansion:
      "no expansion was ever reported; only a content extension can"
    case .dismissal where facts.asksForDismissal == false:
      "it is registered without customDismissAction, so that iOS tells nobody of dismissals"
    case .dismissal where !facts.measuresDismissal:
      "no dismissal was ever reported; the category must ask for it (customDismissAction)"
    case .fallback: "only rich notifications can fall back to text"
    default: nil
    }
  }

  private static func whyNotComparable(_ pair: TwoProportions, _ facts: CategoryFacts) -> String? {
    guard facts.orphans >= negligibleOrphans else { return nil }
    // An orphan may have done anything; so it is weighed against all interactions, whatever the metric.
    let interacting = facts.orphans + facts.rich.interacting + facts.text.interacting
    let share = Double(facts.orphans) / Double(interacting)
    guard share > tolerableOrphanShare || pair.hasEmptyArm else { return nil }
    var reason =
      "\(Format.count(facts.orphans)) notifications were interacted with and never reported as delivered "
    reason += "(\(Format.percent(share, digits: 0)) of those interacted with); "
    if pair.text.trials == 0, pair.rich.trials > 0 {
      reason += "text-only ones sent without mutable-content are never seen by the service extension"
    } else {
      reason += "nobody knows which arm they belong to"
    }
    return reason
  }

  private static func whyTooFew(_ pair: TwoProportions, _ devices: ArmDevices?) -> String? {
    for (name, arm) in [("rich", pair.rich), ("text-only", pair.text)] where arm.trials < minimalUnits {
      return "\(Format.count(arm.trials)) \(name) delivered, \(Format.count(minimalUnits)) needed"
    }
    for (name, count) in [("rich", devices?.rich), ("text-only", devices?.text)] {
      guard let count, count < minimalDevices else { continue }
      return "\(Format.count(count, "device")) got \(name) ones, \(minimalDevices) needed"
    }
    guard let rate = pair.pooled.rate else { return "nothing delivered" }
    for (name, arm) in [("rich", pair.rich), ("text-only", pair.text)] {
      let expected = arm.trials * rate
      guard expected < minimalExpectedEvents else { continue }
      return "\(Format.decimal(expected, digits: 1)) events to expect among \(name), "
        + "\(Format.count(minimalExpectedEvents)) needed"
    }
    return nil
  }
}
