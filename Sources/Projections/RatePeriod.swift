internal import Postgres

/// The times by which a query tells units apart, given how far the store has read.
struct RatePeriod: Sendable, Hashable {
  /// Nil for no bound.
  let first: DayBoundary?
  /// The day after the last one; nil for no bound.
  let end: DayBoundary?
  /// The first day with a notification whose window may have been open at the watermark: all later ones were open.
  let firstOpen: DayBoundary
  /// The day after that.
  let secondOpen: DayBoundary
  /// Units delivered up to here had their window closed at the watermark.
  let matureUntil: PostgresTimestamp

  init(_ query: RateQuery, watermark: PostgresTimestamp, on connection: borrowing Connection) throws {
    let open = try ClosedDays.firstOpen(query, watermark, on: connection)
    let end = query.lastDay.map { PostgresDate(daysSince1970: $0.daysSince1970 + 1) }
    let next = PostgresDate(daysSince1970: open.daysSince1970 + 1)
    let days = [query.firstDay, end].compactMap { $0 } + [open, next]
    var boundaries = try DayBoundary.find(days, in: query.zone, on: connection)
    secondOpen = boundaries.removeLast()
    firstOpen = boundaries.removeLast()
    self.end = end == nil ? nil : boundaries.removeLast()
    first = boundaries.last
    matureUntil = PostgresTimestamp(
      microsecondsSince1970: watermark.microsecondsSince1970 - Int64(query.windowSeconds) * 1_000_000)
  }

  /// Whether the period reaches a day whose last window may have been open.
  var hasOpenDays: Bool { end.map { $0.day > firstOpen.day } ?? true }

  /// Whether less of the first open day was mature than was not.
  var isFirstOpenMostlyImmature: Bool {
    matureUntil.microsecondsSince1970 - firstOpen.earliest.microsecondsSince1970
      < secondOpen.earliest.microsecondsSince1970 - matureUntil.microsecondsSince1970
  }

  func isOnFirstOpen(_ instant: SQL) -> SQL {
    "\(firstOpen.isReached(by: instant)) and \(secondOpen.isAhead(of: instant))"
  }

  func contains(instant: SQL) -> SQL {
    var condition: SQL = "true"
    if let first { condition += " and \(first.isReached(by: instant))" }
    if let end { condition += " and \(end.isAhead(of: instant))" }
    return condition
  }

  /// - Parameter day: of the zone in which the query's days are cut.
  func contains(day: SQL) -> SQL {
    var condition: SQL = "true"
    if let first { condition += " and \(day) >= \(first.day)" }
    if let end { condition += " and \(day) < \(end.day)" }
    return condition
  }
}
