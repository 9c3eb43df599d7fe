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

  private static let compare = Option<EarlierPeriod?>.optional(
    "compare", .earlierPeriod,
    help: "An earlier period, and whether the uplift has changed since: previous, or FROM..TO.")

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
      "pushlift rates --from 2026-11-01 --to 2026-11-28 --compare previous",
      "pushlift rates --format html > report.html", "pushlift rates --split 20:80 --confidence 99%",
    ],
    options: SharedOptions.store + ReportOptions.counting + [
      CalculatorOptions.confidence, CalculatorOptions.split, format, ReportOptions.byteOrderMark, asOf,
      details, compare,
    ]
  ) { arguments in
    try ReportOptions.checkPeriod(arguments)
    if arguments[details], arguments[format] == .csv {
      throw arguments.usageError("--details goes with --format table or json: the CSV's columns are fixed.")
    }
    if arguments[ReportOptions.byteOrderMark], arguments[format] != .csv {
      throw arguments.usageError("--bom goes with --format csv.")
    }
    try arguments[compare]?.check(arguments)
    if arguments[compare] != nil, arguments[details] || arguments[format] == .html {
      throw arguments.usageError("--compare goes with --format table, csv or json, and without --details.")
    }
    if arguments[compare] != nil, arguments[CalculatorOptions.split] != nil {
      throw arguments.usageError("--split tests an experiment's arms, which --compare does not show.")
    }
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      if arguments[asOf] == nil { try remindOfUnread(arguments, on: connection) }
      if let period = arguments[compare] { return try compare(period, arguments, on: connection) }
      let page = try report(arguments, on: connection)
      if arguments[CalculatorOptions.split] != nil, case .observational = page.rates.assignment {
        Terminal.complain("--split was not used: the comparison is observational.")
      }
      switch arguments[format] {
      case .table: try Terminal.write(Array(page.rates.table(fitting: Terminal.width).utf8))
      case .csv:
        let mark = arguments[ReportOptions.byteOrderMark] ? CSV.byteOrderMark : []
        try Terminal.write(mark + page.rates.csv)
      case .json: try Terminal.write(page.rates.json)
      case .html: try Terminal.write(page.html)
      }
    }
  }

  /// All of it from one snapshot.
  private static func report(
    _ arguments: ParsedArguments, on connection: borrowing Connection
  ) throws -> EngagementReport {
    let split = arguments[CalculatorOptions.split] ?? .even
    let parts: ReportParts =
      arguments[format] == .html ? .all : arguments[details] ? .unitDetails : []
    let reading = try RateReader.readEngagement(
      try ReportOptions.query(arguments, on: connection), asOf: arguments[asOf].map(Int64.init),
      on: connection, parts: { _, _ in parts })
    return try EngagementReport(
      reading, level: try CalculatorOptions.level(arguments), split: (split.rich, split.text))
  }

  /// Prints both periods' uplifts, and what became of them.
  private static func compare(
    _ period: EarlierPeriod, _ arguments: ParsedArguments, on connection: borrowing Connection
  ) throws {
    let query = try ReportOptions.query(arguments, on: connection)
    let (now, before) = try RateReader.readPair(
      query, period.query(before: query), asOf: arguments[asOf].map(Int64.init), on: connection
    )
    let level = try CalculatorOptions.level(arguments)
    let comparison = try PeriodComparison(
      now: try RateReport(now, level: level), before: try RateReport(before, level: level), level: level)
    switch arguments[format] {
    case .table: try Terminal.write(Array(comparison.table(fitting: Terminal.width).utf8))
    case .csv:
      let mark = arguments[ReportOptions.byteOrderMark] ? CSV.byteOrderMark : []
      try Terminal.write(mark + comparison.rows.csv)
    case .json, .html: try Terminal.write(comparison.rows.json)
    }
  }

  /// Said first: where it applies, the figures that follow are not what was sent in.
  private static func remindOfUnread(
    _ arguments: ParsedArguments, on connection: borrowing Connection
  ) throws {
    let app = try ReportOptions.query(arguments, on: connection).app
    guard try EngagementProjection.hasUnread(of: app.id, on: connection) else { return }
    Terminal.complain("Events of \(app.name) are not aggregated yet: run pushlift aggregate.")
  }
}
