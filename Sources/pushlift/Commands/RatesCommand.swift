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
    help: "How to print the report; html is a page with pictures, which needs nothing but itself.")

  private static let asOf = Option<Int?>.optional(
    "as-of", .integer(in: 0...Int.max).named("position"),
    help: "Report what was known when the event of this position was the last one read.")

  private static let details = Option<Bool>.flag(
    "details",
    help: "Also what the arms are made up of, by app version, hour and so on, and how soon people interact.")

  static let command = Command(
    "rates", abstract: "Compare rich with text-only notifications, per category and in total.",
    discussion: """
      Counts notifications on devices, each once, whatever happened to it how often. One counts when its attribution \
      window has closed; what is left out is told.

      Every report names the position of the last event that it counts. With --as-of that position gives the same report \
      again, whatever has come since. It is worked out from the events, which takes as long as reading all of them.
      """,
    examples: [
      "pushlift rates", "pushlift rates --category social_post --from 2026-11-01 --to 2026-11-29",
      "pushlift rates --metric action:like --format csv",
      "pushlift rates --format html > report.html", "pushlift rates --split 20:80 --confidence 99%",
    ],
    options: SharedOptions.store + ReportOptions.counting + [
      CalculatorOptions.confidence, CalculatorOptions.split, format, ReportOptions.byteOrderMark, asOf,
      details,
    ]
  ) { arguments in
    try ReportOptions.checkPeriod(arguments)
    if arguments[details], arguments[format] == .csv {
      throw arguments.usageError("--details goes with --format table or json: the CSV's columns are fixed.")
    }
    if arguments[ReportOptions.byteOrderMark], arguments[format] != .csv {
      throw arguments.usageError("--bom goes with --format csv.")
    }
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let query = try ReportOptions.query(arguments, on: connection)
      let split = arguments[CalculatorOptions.split] ?? .even
      let position = arguments[asOf].map(Int64.init)
      let level = try CalculatorOptions.level(arguments)
      func report(_ result: RateResult) throws -> RateReport {
        try RateReport(result, level: level, split: (split.rich, split.text))
      }
      if arguments[format] == .html {
        let (result, details) = try RateReader.readEngagement(query, asOf: position, on: connection)
        Terminal.write(try EngagementReport(try report(result), details).html)
      } else {
        let report = try report(
          RateReader.read(query, asOf: position, withDetails: arguments[details], on: connection))
        switch arguments[format] {
        case .csv:
          Terminal.write((arguments[ReportOptions.byteOrderMark] ? CSV.byteOrderMark : []) + report.csv)
        case .json: Terminal.write(report.json)
        default: Terminal.write(Array(report.table.utf8))
        }
      }
      if arguments[asOf] == nil { try remindOfUnread(on: connection) }
    }
  }

  private static func remindOfUnread(on connection: borrowing Connection) throws {
    let read = try EngagementProjection.checkpoint(on: connection).position
    guard let last = try PositionBarrier.lastPosition(on: connection), last > read else { return }
    Terminal.complain(
      "Events from position \(read + 1) to \(last) are not aggregated yet: run pushlift aggregate.")
  }
}
