internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Projections
internal import Statistics

extension RateReport {
  /// The names of the columns, in order.
  package static let csvHeader = [
    "app", "first_day", "last_day", "zone", "window_seconds", "metric", "definition_version", "rich_means",
    "position",
    "watermark", "scope", "category", "rich_delivered", "rich_devices", "rich_events", "rich_rate",
    "rich_rate_lower",
    "rich_rate_upper", "text_delivered", "text_devices", "text_events", "text_rate", "text_rate_lower",
    "text_rate_upper", "difference", "difference_lower", "difference_upper", "uplift", "uplift_lower",
    "uplift_upper",
    "confidence", "p_value", "verdict", "reason", "rich_immature", "text_immature", "orphans", "implausible",
    "fallback_share",
  ]

  /// One row a category, then one for all together.
  package var csv: [UInt8] {
    var csv = CSV(header: Self.csvHeader)
    for comparison in categories + [total] { csv.append(frame + cells(comparison)) }
    return csv.utf8
  }

  /// What is the same in every row.
  private var frame: [CSV.Cell] {
    let query = result.query
    return [
      .text(query.app.name), .text(query.firstDay?.text ?? ""), .text(query.lastDay?.text ?? ""),
      .text(query.zone),
      .integer(query.windowSeconds), .text(query.metric.id), .integer(Metric.definitionVersion),
      .text(query.armRule.rawValue), .integer(Int(result.checkpoint.position)),
      .text(result.checkpoint.watermark.map { Timestamp($0).rfc3339 } ?? ""),
    ]
  }

  private func cells(_ comparison: Comparison) -> [CSV.Cell] {
    let intended = comparison.rich.facts.intendedRich + comparison.text.facts.intendedRich
    let fellBack = comparison.rich.facts.fellBack + comparison.text.facts.fellBack
    // The arms of what cannot be measured or compared still have their counts, but no figure sets one against the other.
    let isShown = comparison.isComparable
    return [.text(comparison.scope.kind), .text(comparison.scope.name)]
      + cells(comparison.rich) + cells(comparison.text)
      + cells(comparison.difference, comparison.differenceInterval, isShown)
      + cells(comparison.uplift, comparison.upliftInterval, isShown)
      + [
        .decimal(confidence, digits: 4), isShown ? .decimal(comparison.pValue, digits: 10) : .empty,
        .text(comparison.verdict.words), .text(comparison.verdict.reason ?? ""),
        .integer(comparison.rich.facts.immature), .integer(comparison.text.facts.immature),
        .integer(comparison.orphans), .integer(comparison.implausible),
        intended > 0 ? .decimal(Double(fellBack) / Double(intended), digits: 8) : .empty,
      ]
  }

  private func cells(_ arm: Comparison.Arm) -> [CSV.Cell] {
    [.integer(Int(arm.counts.trials)), .integer(arm.facts.devices), .integer(Int(arm.counts.successes))]
      + [arm.rate, arm.interval?.lower, arm.interval?.upper].map { .decimal($0, digits: 8) }
  }

  private func cells(_ value: Double?, _ interval: ConfidenceInterval?, _ isShown: Bool) -> [CSV.Cell] {
    guard isShown else { return [.empty, .empty, .empty] }
    return [value, interval?.lower, interval?.upper].map { .decimal($0, digits: 8) }
  }
}

extension Comparison {
  /// Whether a figure may set one arm against the other.
  package var isComparable: Bool {
    switch verdict {
    case .notComparable, .notMeasurable: false
    case .richIsHigher, .textIsHigher, .noDifferenceShown, .tooFew: true
    }
  }
}

extension Comparison.Scope {
  /// `category`, `uncategorised` or `all`: so that no category's name can be mistaken for another row.
  package var kind: String {
    switch self {
    case .category(""): "uncategorised"
    case .category: "category"
    case .allCategories: "all"
    }
  }

  /// The category; "(none)" and "(all)" where there is no such name.
  package var name: String {
    switch self {
    case .category(""): "(none)"
    case .category(let name): name
    case .allCategories: "(all)"
    }
  }
}
