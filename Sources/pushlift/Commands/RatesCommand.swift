internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift rates`.
enum RatesCommand {
  enum Format: String, CaseIterable, Sendable {
    case table, csv, json
  }

  private static let format = Option<Format>(
    "format", .choice, default: .table, help: "How to print the report.")

  static let command = Command(
    "rates", abstract: "Compare rich with text-only notifications, per category and in total.",
    discussion: """
      Counts notifications on devices, each once, whatever happened to it how often. One counts when its attribution \
      window has closed; what is left out is told.
      """,
    examples: [
      "pushlift rates", "pushlift rates --category social_post --from 2026-11-01 --to 2026-11-29",
      "pushlift rates --metric action:like --format csv", "pushlift rates --split 20:80 --confidence 99%",
    ],
    options: SharedOptions.store + ReportOptions.counting + [
      CalculatorOptions.confidence, CalculatorOptions.split, format,
    ]
  ) { arguments in
    try ReportOptions.checkPeriod(arguments)
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let query = try ReportOptions.query(arguments, on: connection)
      let split = arguments[CalculatorOptions.split] ?? .even
      let report = try RateReport(
        try RateReader.read(query, on: connection), level: try CalculatorOptions.level(arguments),
        split: (split.rich, split.text))
      switch arguments[format] {
      case .table: try Terminal.write(Array(report.table.utf8))
      case .csv: try Terminal.write(report.csv)
      case .json: try Terminal.write(report.json)
      }
      try remindOfUnread(on: connection)
    }
  }

  private static func remindOfUnread(on connection: borrowing Connection) throws {
    let read = try EngagementProjection.checkpoint(on: connection).position
    guard let last = try PositionBarrier.lastPosition(on: connection), last > read else { return }
    Terminal.complain(
      "Events from position \(read + 1) to \(last) are not aggregated yet: run pushlift aggregate.")
  }
}
