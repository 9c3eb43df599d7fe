internal import ForeignEvents
internal import Postgres
package import Projections
package import Statistics

/// The comparison, and what a page and the nightly files show beside it.
package struct EngagementReport: Sendable, Hashable {
  package let rates: RateReport
  /// Both arms' rates by the comparison's metric, all categories added up.
  package let trend: Trend
  /// The same day by day and by category, in the order of their bytes; empty where the days were not read so.
  package let categoryTrends: [CategoryTrend]
  package let funnel: [FunnelStep]
  /// Categories that no content extension draws, which the funnel's expansions leave out.
  package let categoriesWithoutExpansion: [String]
  package let actions: [ActionRates]
  package let fallbacks: [FallbackCount]
  package let rejected: [String: Int]
  /// What of this was read.
  package let parts: ReportParts

  /// - Throws: as `RateReport` of a reading.
  package init(
    _ reading: RateReading, level: ConfidenceLevel = .ninetyFive, split: (rich: Double, text: Double) = (1, 1)
  ) throws {
    try self.init(
      try RateReport(reading, level: level, split: split), reading.details, parts: reading.parts)
  }

  package init(
    _ rates: RateReport, _ details: EngagementDetails, parts: ReportParts = .all
  ) throws(StatisticsError) {
    let level = try ConfidenceLevel(rates.confidence)
    let (first, last) = (details.firstDay, details.lastDay)
    self.rates = rates
    // What has no arms, or was not told, has no place in a picture of them.
    let armless = rates.armless
    let limits = rates.result.total.limits
    let isTold = !limits.contains(rates.result.query.metric.neededOfSource)
    let days = isTold ? details.days.filter { !armless.contains($0.cell.category) } : []
    trend = try Trend(days, from: first, to: last, level: level)
    categoryTrends = try Self.categoryTrends(details, days, level: level)
    categoriesWithoutExpansion = details.categoriesWithoutExpansion
    funnel =
      armless.isEmpty
      ? try FunnelStep.all(details.funnel, level: level).filter { $0.kind.isTold(limits) } : []
    actions = try ActionRates.all(
      limits.contains(.action) ? [] : details.actions.filter { !armless.contains($0.category) },
      titles: details.actionTitles, level: level)
    fallbacks = details.fallbacks.filter { count in
      rates.result.facts[count.category]?.limits.contains(.display) != true
    }
    rejected = details.rejected
    self.parts = parts
  }

  private static func categoryTrends(
    _ details: EngagementDetails, _ days: [DayCell], level: ConfidenceLevel
  ) throws(StatisticsError) -> [CategoryTrend] {
    guard details.isByCategory else { return [] }
    let cells = Dictionary(grouping: days, by: \.cell.category)
    var trends: [CategoryTrend] = []
    for name in cells.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let trend = try Trend(
        cells[name] ?? [], from: details.firstDay, to: details.lastDay, step: 1, level: level)
      trends.append(CategoryTrend(category: name, trend: trend))
    }
    return trends
  }
}
