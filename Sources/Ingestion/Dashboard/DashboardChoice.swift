internal import Arguments
internal import EventStore
internal import HTTPServer
internal import Postgres
internal import Projections
internal import Reports

/// Why the address of a dashboard asks for nothing that there is.
struct DashboardFault: Error {
  let status: HTTPStatus
  /// For people; of what was sent it repeats only what is no key.
  let message: String

  init(_ message: String, status: HTTPStatus = .badRequest) {
    self.status = status
    self.message = message
  }
}

extension DashboardPage.Choice {
  private static let valueBytes = 256

  /// What a query asks for. Fields that a form sends empty count as left out.
  init(_ query: Query) throws(DashboardFault) {
    self.init()
    for item in query.items {
      guard let field = DashboardPage.Field(rawValue: item.name) else {
        let names = DashboardPage.Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw DashboardFault("There is no parameter “\(item.name.prefix(64))”; there are \(names).")
      }
      guard !item.value.isEmpty else { continue }
      guard values[field] == nil else { throw DashboardFault("The parameter “\(item.name)” is there twice.") }
      guard item.value.utf8.count <= Self.valueBytes else {
        throw DashboardFault("The parameter “\(item.name)” has more than \(Self.valueBytes) bytes.")
      }
      values[field] = item.value
    }
    splitMetric()
  }

  /// As much of a query as can be made out, for the page that says what is wrong with it.
  init(lenient query: Query) {
    self.init()
    for item in query.items where !item.value.isEmpty && item.value.utf8.count <= Self.valueBytes {
      if let field = DashboardPage.Field(rawValue: item.name), values[field] == nil {
        values[field] = item.value
      }
    }
    splitMetric()
  }

  /// `action:ID`, as the command line has it, stands in two fields of the form.
  private mutating func splitMetric() {
    guard let metric = values[.metric], values[.button] == nil, metric.hasPrefix("action:"),
      metric.utf8.count > 7
    else { return }
    values[.metric] = Metric.action.id
    values[.button] = String(metric.dropFirst(7))
  }

  /// Fills in the days, so that the form and its links have them.
  mutating func choose(_ days: ClosedRange<PostgresDate>) {
    values[.from] = days.lowerBound.text
    values[.to] = days.upperBound.text
  }

  /// The query for the store.
  func rateQuery(of app: App) throws(DashboardFault) -> RateQuery {
    var query = RateQuery(app: app)
    query.firstDay = try day(.from)
    query.lastDay = try day(.to)
    if let first = query.firstDay, let last = query.lastDay, last < first {
      throw DashboardFault("The last day, \(last.text), is before the first, \(first.text).")
    }
    query.metric = try metric()
    if let rule = try value(.richMeans, .choice, as: ArmRule.self) { query.armRule = rule }
    let range: ClosedRange<Duration> =
      .seconds(RateQuery.windowRange.lowerBound) ... .seconds(RateQuery.windowRange.upperBound)
    if let window = try value(.window, .duration(in: range)) {
      query.windowSeconds = Int(window.components.seconds)
    }
    if let zone = self[.zone] { query.zone = zone }
    if let details = self[.details], details != "1" { throw fault(.details, "1, or nothing") }
    return query
  }

  private func metric() throws(DashboardFault) -> Metric {
    let names = Metric.simple.map(\.id).joined(separator: ", ")
    guard let metric = Metric(id: self[.metric] ?? Metric.interaction.id) else {
      throw fault(.metric, "\(names), or action:ID for one button")
    }
    guard let button = self[.button] else { return metric }
    guard metric == .action else {
      throw DashboardFault("The parameter “button” goes with the metric action, and not with \(metric.id).")
    }
    return .customAction(button)
  }

  private func day(_ field: DashboardPage.Field) throws(DashboardFault) -> PostgresDate? {
    try value(field, .date).map { PostgresDate(daysSince1970: Int32($0.daysSince1970)) }
  }

  private func value<Value>(
    _ field: DashboardPage.Field, _ parser: ValueParser<Value>, as type: Value.Type = Value.self
  ) throws(DashboardFault) -> Value? {
    guard let text = self[field] else { return nil }
    do throws(InvalidText) {
      return try parser.value(of: text)
    } catch {
      throw fault(field, error.expectation)
    }
  }

  private func fault(_ field: DashboardPage.Field, _ expectation: String) -> DashboardFault {
    DashboardFault(
      "The parameter “\(field.rawValue)” is “\(self[field] ?? "")”; expected \(expectation).")
  }
}
