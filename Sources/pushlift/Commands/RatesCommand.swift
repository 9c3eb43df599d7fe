internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift rates`.
enum RatesCommand {
  enum Format: String, CaseIterable, Sendable {
    case table, csv, json, html
  }

  private static let format = Option<Format>(
    "format", .choice, default: .table,
    help: "How to print the report; html is a page of its own, with pictures.")

  static let command = Command(
    "rates", abstract: "Compare rich with text-only notifications, per category and in total.",
    discussion: """
      Counts notifications on devices, each once, whatever happened to it how often. One counts when its attribution \
      window has closed; what is left out is told.
      """,
    examples: [
      "pushlift rates", "pushlift rates --category social_post --from 2026-11-01 --to 2026-11-29",
      "pushlift rates --metric action:like --format csv", "pushlift rates --format html > report.html",
      "pushlift rates --split 20:80 --confidence 99%",
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
      let level = try CalculatorOptions.level(arguments)
      func report(_ result: RateResult) throws -> RateReport {
        try RateReport(result, level: level, split: (split.rich, split.text))
      }
      switch arguments[format] {
      case .table: Terminal.write(Array(try report(RateReader.read(query, on: connection)).table.utf8))
      case .csv: Terminal.write(try report(RateReader.read(query, on: connection)).csv)
      case .json: Terminal.write(try report(RateReader.read(query, on: connection)).json)
      case .html:
        let (result, details) = try RateReader.readDetailed(query, on: connection)
        Terminal.write(try EngagementReport(try report(result), details).html)
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
