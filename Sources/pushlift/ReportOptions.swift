internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// The options that say what a report counts, shared by all that make one.
enum ReportOptions {
  static let category = Option<String?>.optional(
    "category", .text.named("name"), help: "Only this category; '' is that of notifications without one.")

  static let metric = Option<Metric>(
    "metric", .metric, default: .interaction,
    help: "What to count: interaction, expansion, open, action, action:ID, reply, dismissal or fallback.")

  static let from = Option<CalendarDate?>.optional("from", .date, help: "The first day of delivery.")
  static let to = Option<CalendarDate?>.optional("to", .date, help: "The last day of delivery, inclusive.")

  static let zone = Option<String?>.optional(
    "zone", .text.named("zone"), help: "The IANA time zone that days are cut in. Usually the app's own.")

  static let window = Option<Duration?>.optional(
    "window",
    .duration(in: .seconds(RateQuery.windowRange.lowerBound) ... .seconds(RateQuery.windowRange.upperBound)),
    help: "How long after its delivery an interaction counts, 1m to 30d. Usually the app's own, 24h.")

  static let richMeans = Option<ArmRule>(
    "rich-means", .choice, default: .intended,
    help: "What makes a notification rich: what its payload asked for, or what was shown.")

  static let byteOrderMark = Option<Bool>.flag(
    "bom", help: "Begin CSV with a byte order mark, by which Excel knows UTF-8.")

  static let counting: [any DeclaredOption] = [
    SharedOptions.app, category, metric, from, to, zone, window, richMeans,
  ]

  /// Finds a period that is none before a store is opened for it.
  static func checkPeriod(_ arguments: ParsedArguments) throws {
    if let from = arguments[from], let to = arguments[to], to < from {
      throw arguments.usageError("--to \(to) is before --from \(from).")
    }
  }

  /// The query that the arguments describe.
  ///
  /// - Parameter fixed: the metric of a command without that option.
  static func query(
    _ arguments: ParsedArguments, metric fixed: Metric? = nil, on connection: borrowing Connection
  ) throws -> RateQuery {
    var query = try nightlyQuery(arguments, metric: fixed, on: connection)
    query.category = arguments[category]
    query.firstDay = arguments[from]?.postgresDate
    query.lastDay = arguments[to]?.postgresDate
    return query
  }

  /// The same without category and period, which a nightly report sets itself.
  static func nightlyQuery(
    _ arguments: ParsedArguments, metric fixed: Metric? = nil, on connection: borrowing Connection
  ) throws -> RateQuery {
    var query = RateQuery(app: try App.find(arguments[SharedOptions.app], on: connection))
    query.metric = fixed ?? arguments[metric]
    query.armRule = arguments[richMeans]
    if let zone = arguments[zone] {
      try arguments.requireZone(zone, on: connection)
      query.zone = zone
    }
    if let window = arguments[window] { query.windowSeconds = Int(window.components.seconds) }
    return query
  }
}

extension ValueParser where Value == Metric {
  static var metric: Self {
    ValueParser(
      placeholder: "metric",
      parse: { text throws(ValueError) in
        guard let metric = Metric(id: text) else {
          throw ValueError(
            expected: Metric.simple.map(\.id).joined(separator: ", ") + ", or action:ID for one button")
        }
        return metric
      },
      describe: \.id)
  }
}
