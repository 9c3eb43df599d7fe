internal import EngagementEvents
internal import EventStore
package import ForeignEvents
internal import Postgres

/// What the deliveries of a category do not tell, by the systems that they were brought in from.
package struct SourceLimits: Sendable, Hashable {
  private var sources: [SourceLimit: Set<ExactText>] = [:]

  package init() {}

  package var isEmpty: Bool { sources.isEmpty }

  /// What is not told, in a fixed order.
  package var all: [SourceLimit] { sources.keys.sorted() }

  package func contains(_ limit: SourceLimit) -> Bool { sources[limit] != nil }

  /// The same without the systems.
  package var set: LimitSet { all.reduce(into: []) { $0.insert(LimitSet($1)) } }

  /// The systems that do not tell it, such as `braze and csv`; nil where all tell it.
  package func names(of limit: SourceLimit) -> String? {
    sources[limit].map { $0.sorted().map(\.string).joined(separator: " and ") }
  }

  package mutating func insert(_ limit: SourceLimit, of source: String) {
    sources[limit, default: []].insert(ExactText(source))
  }

  package mutating func formUnion(_ other: SourceLimits) {
    sources.merge(other.sources) { $0.union($1) }
  }
}

extension Metric {
  /// What has to be told for the metric to be measured.
  package var neededOfSource: SourceLimit {
    switch self {
    case .interaction, .open: .opening
    case .expansion: .expansion
    case .action, .customAction: .action
    case .reply: .reply
    case .dismissal: .dismissal
    case .fallback: .display
    }
  }
}

extension RateStatements {
  /// category, what is not told, by which system: of the deliveries of the period that came in up to a position.
  func sourceLimits(upTo position: Int64) -> SQL {
    var isWithin: SQL = "true"
    // The days are of UTC, those of the query of a zone: whatever they have in common counts.
    if let first = period.first {
      isWithin +=
        " and \(first.isReached(by: "((day + 1)::timestamp at time zone 'UTC' - interval '1 microsecond')"))"
    }
    if let end = period.end { isWithin += " and \(end.isAhead(of: "(day::timestamp at time zone 'UTC')"))" }
    return """
      select distinct category, lack, source
      from source_limit
      where app_id = \(query.app.id.rawValue) and position < \(position) and \(isWithin) and \(isWantedCategory)
      """
  }

  /// category, is rich, mature units of which it is only known that they were sent.
  var onlySent: SQL {
    """
    select category, \(isRich), count(*)
    from (\(units(with: ", source"))) unit
    where \(isMature) and \(isWantedCategory) and \(isInDenominator) and source = 3
    group by 1, 2
    """
  }
}

extension RateTally {
  /// Rows of `RateStatements.sourceLimits` and `onlySent`. Almost all apps have none.
  mutating func addSourceLimits(
    _ statements: RateStatements, upTo position: Int64, on connection: borrowing Connection
  ) throws {
    var hasOnlySent = false
    try connection.query(statements.sourceLimits(upTo: position)).forEach { row in
      let category = try row.value(0, as: String.self)
      // What a newer pushlift wrote down means nothing here.
      guard has(category), let limit = SourceLimit(rawValue: try row.value(1)) else { return }
      let source: String = try row.value(2)
      self[category: category].limits.insert(limit, of: source)
      // Where rich is what was shown, nobody knows what was rich.
      if limit == .display, statements.query.armRule != .intended {
        self[category: category].limits.insert(.richness, of: source)
      }
      hasOnlySent = hasOnlySent || limit == .delivery
    }
    guard hasOnlySent else { return }
    try connection.query(statements.onlySent).forEach { row in
      let category = try row.value(0, as: String.self)
      guard has(category) else { return }
      if try row.value(1, as: Bool.self) {
        self[category: category].rich.onlySent = try row.value(2)
      } else {
        self[category: category].text.onlySent = try row.value(2)
      }
    }
  }
}
