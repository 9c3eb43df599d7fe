internal import EngagementEvents
internal import ForeignEvents
internal import Projections

extension Verdict {
  /// Why a metric cannot be measured on what other systems told; nil where it can.
  static func whyNotTold(_ metric: Metric, _ facts: CategoryFacts) -> String? {
    let limit = metric.neededOfSource
    return facts.limits.names(of: limit).map { "records of \($0) do not tell \(limit.words)" }
  }

  /// Why arms brought in from other systems cannot be set against each other; nil where they can.
  static func whyNotAlike(_ facts: CategoryFacts) -> String? {
    if let names = facts.limits.names(of: .richness) {
      return
        "records of \(names) do not tell which notifications were rich; a campaigns file tells which were meant to be"
    }
    guard facts.limits.contains(.delivery) else { return nil }
    let shares = [facts.rich, facts.text].map { Double($0.onlySent) / Double(max($0.units, 1)) }
    guard facts.rich.units > 0, facts.text.units > 0, abs(shares[0] - shares[1]) > tolerableSentDifference
    else { return nil }
    return
      "\(Format.percent(shares[0], digits: 0)) of the rich and \(Format.percent(shares[1], digits: 0)) of the "
      + "text-only notifications are only known to have been sent, the others to have reached a device"
  }

  /// The largest difference between the arms in the share of what is only known to be sent.
  private static let tolerableSentDifference = 0.1
}

extension RateReport {
  /// What is to be known of a comparison's records beside its verdict.
  func sourceRemarks(_ facts: CategoryFacts) -> [String] {
    var remarks: [String] = []
    if let names = facts.limits.names(of: .delivery) {
      remarks.append(
        "records of \(names) tell what was sent, not what reached a device: rates are of notifications sent, lower than "
          + "of delivered ones")
    }
    let limits = facts.limits.set
    if result.query.metric == .interaction, let interactions = limits.interactions,
      let names = facts.limits.names(of: .expansion) ?? facts.limits.names(of: .action)
    {
      let missing = limits.intersection([.action, .expansion]).untold ?? ""
      remarks.append("in records of \(names), interactions are \(interactions): they do not tell \(missing)")
    }
    if let names = facts.limits.names(of: .notification) {
      remarks.append("\(names) tells the campaign only: its notifications to a device count as one")
    }
    return remarks
  }

  /// What cannot be measured at all on this period's records from other systems, and what can be compared all the same; empty
  /// where there are none.
  package var sourceLines: [String] {
    let limits = result.total.limits
    guard !limits.isEmpty else { return [] }
    var lines: [String] = []
    for limit in limits.all where !SourceLimit.ofMetrics.contains(limit) {
      guard let names = limits.names(of: limit) else { continue }
      lines.append("Records of \(names) do not tell \(limit.words): \(limit.consequence).")
    }
    // What the same systems do not tell is one line.
    let metrics = Dictionary(grouping: limits.all.filter(SourceLimit.ofMetrics.contains)) {
      limits.names(of: $0) ?? ""
    }
    for (names, untold) in metrics.sorted(by: { $0.key < $1.key }) {
      let words = untold.reduce(into: LimitSet()) { $0.insert(LimitSet($1)) }.untold ?? ""
      lines.append("Records of \(names) do not tell \(words): \(SourceLimit.opening.consequence).")
    }
    return lines + ["Of records with all these limits, \(limits.set.comparison)."]
  }

  /// Categories of which nobody told what was rich, so that they have no arms.
  var armless: Set<ExactText> {
    Set(result.facts.filter { $0.value.limits.contains(.richness) }.keys)
  }
}
