internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift trend`, `pushlift actions`, `pushlift replies`: parts of the report by themselves, with its options.
enum PartCommands {
  private static let format = Option<Listing.Format>(
    "format", .choice, default: .table, help: "How to print it.")

  private static let options: [any DeclaredOption] =
    SharedOptions.store + ReportOptions.counting + [
      CalculatorOptions.confidence, format, ReportOptions.byteOrderMark,
    ]

  static let trend = Command(
    "trend", abstract: "The rates of both arms, day by day.",
    discussion: """
      All categories added up, by weeks from two months on; as CSV or JSON each day, and each category too. A day counts what \
      was delivered on it.
      """,
    examples: ["pushlift trend --from 2026-11-01", "pushlift trend --metric open --format csv > trend.csv"],
    options: options
  ) { arguments in
    let isTable = arguments[format] == .table
    let report = try await read(arguments, [.days], byCategory: !isTable)
    try print(arguments, report.trendRows, report.rates) { report.trendTable(fitting: $0) }
  }

  private static let optionsWithoutMetric = options.filter {
    $0.definition.name != ReportOptions.metric.definition.name
  }

  static let actions = Command(
    "actions", abstract: "How often each button was taken where it was offered.",
    discussion: "The 200 pairs of category and button that were offered or taken most often.",
    examples: ["pushlift actions --category social_post", "pushlift actions --format json"],
    options: optionsWithoutMetric
  ) { arguments in
    let report = try await read(arguments, [.actions], metric: .interaction)
    try print(arguments, report.actionRows, report.rates) { report.actionTable(fitting: $0) }
  }

  private static let text = Option<Bool>.flag(
    "text", help: "List what people wrote, latest first. The login has to be a member of pushlift_replies.")
  private static let limit = Option<Int>(
    "limit", .integer(in: 1...1_000_000), default: 100, help: "With --text: how many to list.")

  static let replies = Command(
    "replies", abstract: "Who replies, and how long the replies are.",
    discussion: """
      Counts notifications that were replied to within the window, and tells how long the texts are. An empty reply, and one \
      whose text is not told, counts and has no length. What they say stays in the vault, unless --text asks for it.
      """,
    examples: ["pushlift replies", "pushlift replies --category message --text --limit 20"],
    options: optionsWithoutMetric + [text, limit]
  ) { arguments in
    try ReportOptions.checkPeriod(arguments)
    try requireCSV(arguments)
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let query = try ReportOptions.query(arguments, metric: .reply, on: connection)
      guard arguments[text] else {
        let (result, lengths) = try RateReader.readReplies(query, on: connection)
        let report = ReplyReport(
          try RateReport(result, level: try CalculatorOptions.level(arguments)), lengths)
        return try print(arguments, report.rows, report.rates) { report.table(fitting: $0) }
      }
      let words = try RateReader.readReplyWords(
        query, limit: arguments[limit], on: opened.store.connect(.readingReplies))
      var listing = Listing(["written", "category", "arm", "action", "text"])
      for reply in words {
        listing.append([
          .time(reply.at), .text(reply.category), .text(reply.isRich ? "rich" : "text"), .text(reply.action),
          .text(reply.text),
        ])
      }
      try listing.print(arguments[format], empty: "There is no reply with text in this period.")
      if words.count == arguments[limit] {
        Terminal.complain("These are the latest \(words.count); --limit lists more.")
      }
    }
  }

  /// One snapshot's worth of these parts.
  private static func read(
    _ arguments: ParsedArguments, _ parts: ReportParts, metric: Metric? = nil, byCategory: Bool = false
  ) async throws -> EngagementReport {
    try ReportOptions.checkPeriod(arguments)
    try requireCSV(arguments)
    return try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let reading = try RateReader.readEngagement(
        try ReportOptions.query(arguments, metric: metric, on: connection), byCategory: byCategory,
        on: connection
      ) { _, _ in parts }
      return try EngagementReport(reading, level: try CalculatorOptions.level(arguments))
    }
  }

  private static func requireCSV(_ arguments: ParsedArguments) throws {
    guard !arguments[ReportOptions.byteOrderMark] || arguments[format] == .csv else {
      throw arguments.usageError("--bom goes with --format csv.")
    }
  }

  private static func print(
    _ arguments: ParsedArguments, _ rows: ReportRows, _ rates: RateReport, _ table: (_ width: Int?) -> String
  ) throws {
    for line in rates.sourceLines { Terminal.complain(line) }
    // The table says it itself; rows have no place for it.
    if arguments[format] != .table, let sentence = rates.immatureSentence { Terminal.complain(sentence) }
    switch arguments[format] {
    case .table: try Terminal.write(Array(table(Terminal.width).utf8))
    case .csv:
      try Terminal.write((arguments[ReportOptions.byteOrderMark] ? CSV.byteOrderMark : []) + rows.csv)
    case .json: try Terminal.write(rows.json)
    }
  }
}
