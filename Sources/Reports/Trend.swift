package import Postgres
package import Projections
package import Statistics

/// Rates over the days of a period, oldest first: every day is there, also those without a delivery.
package struct Trend: Sendable, Hashable {
  /// The rates of some days in a row.
  package struct Point: Sendable, Hashable {
    package let firstDay: PostgresDate
    /// Inclusive.
    package let lastDay: PostgresDate
    package let rates: ArmRates
  }

  package let points: [Point]
  /// How many days make a point.
  package let step: Int

  /// - Parameters:
  ///   - cells: of one category, or of all together.
  ///   - details: whose period it is; where that has no bound, that of the cells.
  ///   - step: how many days make a point; nil for as many as a picture shows well.
  package init(
    _ cells: [DayCell], of details: EngagementDetails, step: Int? = nil, level: ConfidenceLevel
  ) throws(StatisticsError) {
    try self.init(
      cells, from: details.firstDay, to: details.lastDay, step: step, skipping: details.skippedDays,
      level: level)
  }

  /// - Parameter skipped: days that never were.
  package init(
    _ cells: [DayCell], from first: PostgresDate?, to last: PostgresDate?, step: Int? = nil,
    skipping skipped: Set<PostgresDate> = [], level: ConfidenceLevel
  ) throws(StatisticsError) {
    let days = cells.map(\.day.daysSince1970)
    guard let start = first?.daysSince1970 ?? days.min(), let end = last?.daysSince1970 ?? days.max(),
      start <= end
    else {
      points = []
      self.step = 1
      return
    }
    self.step = step ?? Self.step(days: Int(end - start) + 1)
    let width = Int32(self.step)
    let byPoint = Dictionary(grouping: cells) { ($0.day.daysSince1970 - start) / width }
    var points: [Point] = []
    for place in 0...(end - start) / width {
      let day = start + place * width
      if width == 1, skipped.contains(PostgresDate(daysSince1970: day)) { continue }
      points.append(
        Point(
          firstDay: PostgresDate(daysSince1970: day),
          lastDay: PostgresDate(daysSince1970: min(day + width - 1, end)),
          rates: try ArmRates((byPoint[place] ?? []).map(\.cell), level: level)))
    }
    self.points = points
  }

  /// Days as such for two months, then weeks, then as many weeks as it takes.
  private static func step(days: Int) -> Int {
    days <= 62 ? 1 : (days + 7 * 62 - 1) / (7 * 62) * 7
  }
}

/// The trend of one category, day by day.
package struct CategoryTrend: Sendable, Hashable {
  package let category: String
  package let trend: Trend
}
