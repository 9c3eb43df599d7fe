internal import EngagementEvents
internal import ForeignEvents
internal import Postgres
package import Projections
package import Statistics

/// The comparison, and what a page and the nightly files show beside it.
package struct EngagementReport: Sendable, Hashable {
  package let rates: RateReport
  /// Both arms' rates by the comparison's metric, all categories added up that its sum adds up, in as many points as a picture
  /// shows well.
  package let trend: Trend
  /// The same day by day; only where the days were read by category.
  package let dailyTrend: Trend
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
    self.rates = rates
    // What has no arms, or was not told, has no place in a picture of them.
    let armless = rates.armless
    // Of what is summed.
    let limits = rates.crude.facts.limits
    let hasArms = !limits.contains(.richness)
    let isTold = hasArms && !limits.contains(rates.result.query.metric.neededOfSource)
    let omitted = rates.omitted
    let days =
      details.isByCategory
      ? details.days.filter { !armless.contains(ExactText($0.cell.category)) } : details.days
    let summed =
      !isTold
      ? [] : details.isByCategory ? days.filter { !omitted.contains(ExactText($0.cell.category)) } : days
    trend = try Trend(summed, of: details, level: level)
    dailyTrend =
      details.isByCategory && trend.step > 1 ? try Trend(summed, of: details, step: 1, level: level) : trend
    categoryTrends = try Self.categoryTrends(details, days, level: level)
    categoriesWithoutExpansion = details.categoriesWithoutExpansion
    funnel =
      hasArms ? try FunnelStep.all(details.funnel, level: level).filter { $0.kind.isTold(limits) } : []
    let allLimits = rates.result.total.limits
    actions = try ActionRates.all(
      allLimits.contains(.action) ? [] : details.actions.filter { !armless.contains(ExactText($0.category)) },
      titles: details.actionTitles, level: level)
    fallbacks = details.fallbacks.filter { count in
      rates.result.facts[ExactText(count.category)]?.limits.contains(.display) != true
    }
    rejected = details.rejected
    self.parts = parts
  }

  private static func categoryTrends(
    _ details: EngagementDetails, _ days: [DayCell], level: ConfidenceLevel
  ) throws(StatisticsError) -> [CategoryTrend] {
    guard details.isByCategory else { return [] }
    let cells = Dictionary(grouping: days) { ExactText($0.cell.category) }
    var trends: [CategoryTrend] = []
    for name in cells.keys.sorted() {
      let trend = try Trend(cells[name] ?? [], of: details, step: 1, level: level)
      trends.append(CategoryTrend(category: name.string, trend: trend))
    }
    return trends
  }
}
