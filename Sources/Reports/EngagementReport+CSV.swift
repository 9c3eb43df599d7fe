internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Postgres
internal import Projections
internal import Statistics

/// The files beside the rates, each with the same columns in front.
extension EngagementReport {
  private static let frameHeader = [
    "app", "first_day", "last_day", "zone", "window_seconds", "metric", "definition_version", "rich_means",
    "position", "watermark", "confidence", "scope", "category",
  ]

  private static func armHeader(_ of: String, _ events: String) -> [String] {
    ["rich", "text"].flatMap { arm in
      [of, events, "rate", "rate_lower", "rate_upper"].map { "\(arm)_\($0)" }
    }
  }

  private typealias Cells = ReportRows.Cells

  package var actionsCSV: [UInt8] { actionRows.csv }
  package var trendCSV: [UInt8] { trendRows.csv }

  /// One row an action of a category: units that it was offered on, and of these those where it was taken.
  package var actionRows: ReportRows {
    let header =
      Self.frameHeader + ["action"] + Self.armHeader("offered", "taken") + ["taken_unoffered", "title"]
    return framed(
      header,
      actions.map { action in
        var cells = Self.scope(.category(action.category))
        cells["action"] = .text(action.action)
        cells["title"] = .text(action.title ?? "")
        cells["taken_unoffered"] = .integer(action.takenUnoffered)
        Self.add(action.rates, "offered", "taken", to: &cells)
        return cells
      })
  }

  /// One row a day, for all categories added up and then for each of them.
  package var trendRows: ReportRows {
    let trends =
      [(Comparison.Scope.crude, dailyTrend)] + categoryTrends.map { (.category($0.category), $0.trend) }
    let rows = trends.flatMap { scope, trend in
      let comparison = scope == .crude ? rates.crude : rates.categories.first { $0.scope == scope }
      return trend.points.map { point in
        var cells = Self.scope(scope)
        cells["day"] = .text(point.firstDay.text)
        cells["first_day"] = .text(trend.points.first?.firstDay.text ?? "")
        cells["last_day"] = .text(trend.points.last?.lastDay.text ?? "")
        Self.add(
          point.rates, "delivered", "events", isMeasured: comparison?.rich.isMeasured ?? true, to: &cells)
        return cells
      }
    }
    return framed(Self.frameHeader + ["day"] + Self.armHeader("delivered", "events"), rows)
  }

  /// One row for each way in which an event or a notification is kept from counting, or counts as less than was meant.
  package var qualityCSV: [UInt8] {
    var rows: [Cells] = []
    for comparison in rates.categories {
      let (facts, scope) = (comparison.facts, comparison.scope)
      let immature = facts.rich.immature + facts.text.immature
      let mature = facts.rich.units + facts.text.units
      let interacting = facts.rich.interacting + facts.text.interacting
      rows.append(Self.quality("too_recent", scope, count: immature, of: immature + mature))
      rows.append(Self.quality("orphan", scope, count: facts.orphans, of: facts.orphans + interacting))
      // Files from before there was such a row are not restated for there being none.
      if facts.dismissedOrphans > 0 {
        rows.append(Self.quality("orphan_dismissed", scope, count: facts.dismissedOrphans, of: nil))
      }
      rows.append(Self.quality("implausible", scope, count: facts.implausible, of: nil))
      guard !facts.limits.contains(.display) else { continue }
      let intended = facts.rich.intendedRich + facts.text.intendedRich
      for reason in FallbackReason.allCases.map(Optional.some) + [nil] {
        let units = fallbacks.filter { .category($0.category) == scope && $0.reason == reason }
          .reduce(0) { $0 + $1.units }
        rows.append(
          Self.quality("fallback", scope, reason: reason?.rawValue ?? "unknown", count: units, of: intended))
      }
    }
    for (code, count) in rejected.sorted(by: { $0.key < $1.key }) {
      rows.append(Self.quality("rejected", .crude, reason: code, count: count, of: nil))
    }
    return framed(Self.frameHeader + ["measure", "reason", "count", "of"], rows).csv
  }

  private static func quality(
    _ measure: String, _ scope: Comparison.Scope, reason: String = "", count: Int, of whole: Int?
  ) -> Cells {
    var cells = Self.scope(scope)
    cells["measure"] = .text(measure)
    cells["reason"] = .text(reason)
    cells["count"] = .integer(count)
    if let whole { cells["of"] = .integer(whole) }
    return cells
  }

  /// With what is the same in every row.
  private func framed(_ header: [String], _ rows: [Cells]) -> ReportRows {
    ReportRows(header, rows.map { row in rates.frame.merging(row) { _, own in own } })
  }

  private static func scope(_ scope: Comparison.Scope) -> Cells {
    ["scope": .text(scope.kind), "category": .text(scope.cell)]
  }

  /// - Parameter isMeasured: whether no event is none.
  private static func add(
    _ rates: ArmRates, _ of: String, _ events: String, isMeasured: Bool = true, to cells: inout Cells
  ) {
    for (name, arm) in [("rich", rates.rich), ("text", rates.text)] {
      cells["\(name)_\(of)"] = .integer(Int(arm.counts.trials))
      guard isMeasured else { continue }
      cells["\(name)_\(events)"] = .integer(Int(arm.counts.successes))
      cells["\(name)_rate"] = .decimal(arm.rate, digits: 8)
      cells["\(name)_rate_lower"] = .decimal(arm.interval?.lower, digits: 8)
      cells["\(name)_rate_upper"] = .decimal(arm.interval?.upper, digits: 8)
    }
  }
}
