internal import Arguments
internal import Postgres
internal import Projections
internal import Reports

/// The files of one day of deliveries.
struct NightlyFiles {
  /// In the order in which they are written: a day is there once its rates are.
  enum Kind: String, CaseIterable, Sendable {
    case actions, trend, quality, report, rates

    var fileExtension: String { self == .report ? "html" : "csv" }

    /// Whether it is of its day alone. The others show the days before as well.
    var isOfItsDay: Bool {
      switch self {
      case .rates, .actions, .quality: true
      case .trend, .report: false
      }
    }
  }

  let day: CalendarDate
  let contents: [Kind: [UInt8]]

  /// The trend goes back so many days, the reported one among them.
  private static let trendDays: Int32 = 28

  /// - Parameter hasByteOrderMark: for the CSV.
  init(
    _ day: CalendarDate, _ query: RateQuery, hasByteOrderMark: Bool = false,
    on connection: borrowing Connection
  ) throws {
    var query = query
    query.firstDay = day.postgresDate
    query.lastDay = day.postgresDate
    var trend = query
    trend.firstDay = PostgresDate(daysSince1970: day.postgresDate.daysSince1970 - Self.trendDays + 1)
    let report = try EngagementReport(
      try RateReader.readEngagement(
        query, trend: trend, byCategory: true, omitting: RateReport.omitted, on: connection))
    let mark = hasByteOrderMark ? CSV.byteOrderMark : []
    self.day = day
    contents = [
      .rates: mark + report.rates.csv, .actions: mark + report.actionsCSV, .trend: mark + report.trendCSV,
      .quality: mark + report.qualityCSV, .report: report.html,
    ]
  }
}
