internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Postgres
internal import Projections
internal import Statistics

extension RateReport {
  /// The names of the columns, in order.
  package static let csvHeader = [
    "app", "first_day", "last_day", "zone", "window_seconds", "metric", "definition_version", "rich_means",
    "position",
    "watermark", "assignment", "sample_ratio_p", "scope", "category", "rich_delivered", "rich_devices",
    "rich_events",
    "rich_rate", "rich_rate_lower", "rich_rate_upper", "text_delivered", "text_devices", "text_events",
    "text_rate",
    "text_rate_lower", "text_rate_upper", "difference", "difference_lower", "difference_upper", "uplift",
    "uplift_lower", "uplift_upper", "uplift_always_lower", "uplift_always_upper", "confidence",
    "design_effect",
    "p_value", "p_adjusted", "verdict", "reason", "claim", "rich_immature", "text_immature", "orphans",
    "implausible",
    "fallback_share", "cochran_q", "cochran_q_p", "i_squared", "simpson", "device_sample", "title",
    "not_told", "orphans_dismissed",
  ]

  /// One row a category, then all of them together: pooled, standardised, and crudely added up.
  package var csv: [UInt8] {
    var csv = CSV(header: Self.csvHeader)
    for comparison in categories { csv.append(row(comparison)) }
    csv.append(pooledRow)
    csv.append(standardisedRow)
    csv.append(row(crude))
    return csv.utf8
  }

  typealias Cells = ReportRows.Cells

  /// In the order of the header; what is not given is empty.
  private func ordered(_ cells: Cells) -> [CSV.Cell] {
    let all = frame.merging(cells) { _, own in own }
    return Self.csvHeader.map { all[$0] ?? .empty }
  }

  /// What is the same in every row.
  var frame: Cells {
    let query = result.query
    var frame: Cells = [
      "app": .text(query.app.name), "first_day": .text(query.firstDay?.text ?? ""),
      "last_day": .text(query.lastDay?.text ?? ""), "zone": .text(query.zone),
      "window_seconds": .integer(query.windowSeconds), "metric": .text(query.metric.id),
      "definition_version": .integer(Metric.definitionVersion), "rich_means": .text(query.armRule.rawValue),
      "position": .integer(Int(result.checkpoint.position)),
      "watermark": .text(result.checkpoint.watermark.map { Timestamp($0).rfc3339 } ?? ""),
      "assignment": .text(assignment.name), "confidence": .decimal(confidence, digits: 4),
      "device_sample": .decimal(result.deviceSample.share, digits: 6),
    ]
    if case .randomised(let pValue) = assignment { frame["sample_ratio_p"] = .decimal(pValue, digits: 10) }
    return frame
  }

  private func row(_ comparison: Comparison) -> [CSV.Cell] {
    let facts = comparison.facts
    var cells: Cells = [
      "scope": .text(comparison.scope.kind), "category": .text(comparison.scope.cell),
      "design_effect": .decimal(comparison.designEffect, digits: 4),
      "orphans_dismissed": .integer(facts.dismissedOrphans),
      "verdict": .text(comparison.verdict.words),
      "reason": .text(comparison.verdict.reason ?? ""), "rich_immature": .integer(facts.rich.immature),
      "text_immature": .integer(facts.text.immature), "orphans": .integer(facts.orphans),
      "title": .text(facts.title ?? ""), "implausible": .integer(facts.implausible),
      "fallback_share": .decimal(facts.fallbackShare, digits: 8),
      "not_told": .text(facts.limits.all.map(\.rawValue).joined(separator: " ")),
    ]
    add(comparison.rich, "rich", to: &cells)
    add(comparison.text, "text", to: &cells)
    // The arms of what cannot be measured or compared have their counts, but no figure sets one against the other.
    guard comparison.isComparable else { return ordered(cells) }
    add(comparison.difference, comparison.differenceInterval, "difference", to: &cells)
    add(comparison.uplift, comparison.upliftInterval, "uplift", to: &cells)
    cells["uplift_always_lower"] = .decimal(comparison.alwaysValidUplift?.lower, digits: 8)
    cells["uplift_always_upper"] = .decimal(comparison.alwaysValidUplift?.upper, digits: 8)
    cells["p_value"] = .decimal(comparison.pValue, digits: 10)
    cells["p_adjusted"] = .decimal(comparison.adjustedPValue, digits: 10)
    cells["claim"] = .text(comparison.claim.rawValue)
    return ordered(cells)
  }

  private var pooledRow: [CSV.Cell] {
    var cells: Cells = [
      "scope": .text("pooled"), "category": .text("(all)"), "verdict": .text(pooled.verdict.words),
      "reason": .text(pooled.verdict.reason ?? ""), "p_value": .decimal(pooled.pValue, digits: 10),
      "claim": .text(pooled.claim.rawValue), "i_squared": .decimal(pooled.heterogeneity?.iSquared, digits: 8),
      "cochran_q": .decimal(pooled.heterogeneity?.test.statistic, digits: 8),
      "cochran_q_p": .decimal(pooled.heterogeneity?.test.p, digits: 10),
    ]
    if let simpson = pooled.simpson {
      cells["simpson"] = .text(simpson.isReversed ? "reversed" : simpson.disagrees ? "disagrees" : "agrees")
    }
    add(pooled.difference, pooled.differenceInterval, "difference", to: &cells)
    add(pooled.uplift, pooled.upliftInterval, "uplift", to: &cells)
    return ordered(cells)
  }

  private var standardisedRow: [CSV.Cell] {
    let rates = pooled.standardised
    return ordered([
      "scope": .text("standardised"), "category": .text("(all)"),
      "rich_rate": .decimal(rates?.rich, digits: 8),
      "text_rate": .decimal(rates?.text, digits: 8),
      "difference": .decimal(rates?.difference.value, digits: 8),
      "reason": .text(rates == nil ? "no category has both arms" : ""),
    ])
  }

  private func add(_ arm: Comparison.Arm, _ name: String, to cells: inout Cells) {
    cells["\(name)_delivered"] = .integer(Int(arm.counts.trials))
    cells["\(name)_devices"] = .integer(arm.devices)
    if let events = arm.events { cells["\(name)_events"] = .integer(events) }
    add(arm.rate, arm.interval, "\(name)_rate", to: &cells)
  }

  private func add(_ value: Double?, _ interval: ConfidenceInterval?, _ name: String, to cells: inout Cells) {
    cells[name] = .decimal(value, digits: 8)
    cells["\(name)_lower"] = .decimal(interval?.lower, digits: 8)
    cells["\(name)_upper"] = .decimal(interval?.upper, digits: 8)
  }
}

extension Comparison.Scope {
  /// `category`, `uncategorised` or `crude`: so that no category's name can be mistaken for another row.
  package var kind: String {
    switch self {
    case .category(""): "uncategorised"
    case .category: "category"
    case .crude: "crude"
    }
  }

  /// The category as a cell of a file, where `kind` tells it from other rows; "(none)" and "(all)" where there is no such name.
  package var cell: String {
    switch self {
    case .category(""): "(none)"
    case .category(let name): name
    case .crude: "(all)"
    }
  }

  /// The same for people: a category that is really called "(none)" has its quotation marks.
  package var name: String { if case .category(let name) = self { Format.name(name) } else { cell } }
}

extension CategoryFacts {
  /// Of the units meant to be rich, the share shown as text; nil without any, and where not all records tell.
  package var fallbackShare: Double? {
    guard !limits.contains(.display) else { return nil }
    let intended = rich.intendedRich + text.intendedRich
    return intended > 0 ? Double(rich.fellBack + text.fellBack) / Double(intended) : nil
  }
}
