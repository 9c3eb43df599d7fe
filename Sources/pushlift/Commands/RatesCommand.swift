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
      let report = try report(arguments, on: connection)
      switch arguments[format] {
      case .table: try Terminal.write(Array(report.table.utf8))
      case .csv:
        try Terminal.write((arguments[ReportOptions.byteOrderMark] ? CSV.byteOrderMark : []) + report.csv)
      case .json: try Terminal.write(report.json)
      case .html:
        let query = try ReportOptions.query(arguments, on: connection)
        let details = try RateReader.readEngagement(
          query, asOf: arguments[asOf].map(Int64.init), on: connection
        ).1
        try Terminal.write(try EngagementReport(report, details).html)
      }
      if arguments[asOf] == nil { try remindOfUnread(on: connection) }
    }
  }

  private static func report(
    _ arguments: ParsedArguments, on connection: borrowing Connection
  ) throws -> RateReport {
    var query = try ReportOptions.query(arguments, on: connection)
    let category = query.category
    // All of them are read for one too, since its p-value is adjusted over all.
    query.category = nil
    let split = arguments[CalculatorOptions.split] ?? .even
    let level = try CalculatorOptions.level(arguments)
    let position = arguments[asOf].map(Int64.init)
    let report = try RateReport(
      try RateReader.read(
        query, asOf: position, withDetails: arguments[details] && category == nil, on: connection),
      level: level, split: (split.rich, split.text))
    guard let category else { return report }
    query.category = category
    let ownDetails =
      arguments[details]
      ? try RateReader.read(query, asOf: position, withDetails: true, on: connection).details : nil
    guard
      let narrowed = try report.narrowed(
        to: category, details: ownDetails, level: level, split: (split.rich, split.text))
    else {
      let names = report.categories.map(\.scope.name).joined(separator: ", ")
      throw StoreError(
        .invalidValue, "The app \(query.app.name) has nothing in the category '\(category)' in this period.",
        remedy: names.isEmpty ? "It has nothing in any." : "Choose one of these: \(names).")
    }
    return narrowed
  }

  private static func remindOfUnread(on connection: borrowing Connection) throws {
    let read = try EngagementProjection.checkpoint(on: connection).position
    guard let last = try PositionBarrier.lastPosition(on: connection), last > read else { return }
    Terminal.complain(
      "Events from position \(read + 1) to \(last) are not aggregated yet: run pushlift aggregate.")
  }
}
