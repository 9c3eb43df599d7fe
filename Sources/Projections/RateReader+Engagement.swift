internal import EngagementEvents
internal import EventStore
package import Postgres

extension RateReader {
  /// Reads a comparison's counts and what a report shows beside them, all in one snapshot.
  ///
  /// - Parameters:
  ///   - asOf: as for `read`. The trend then has the query's own days, or some of them.
  ///   - parts: what to read beside the counts, given how many units they count, and whether rates are kept in the query's zone
  ///     and window.
  ///   - trend: whose days to give, where they are others than the query's own.
  ///   - byCategory: whether the days are told apart by category. Many days of many categories are many rows.
  /// - Throws: as `read`.
  package static func readEngagement(
    _ query: RateQuery, asOf position: Int64? = nil, trend: RateQuery? = nil, byCategory: Bool = false,
    on connection: borrowing Connection,
    parts: (_ units: Int, _ isKept: Bool) -> ReportParts = { _, _ in .all }
  ) throws -> RateReading {
    try withSnapshot(of: query, asOf: position, on: connection) { checkpoint, tables, connection in
      var family = query
      family.category = nil
      guard
        var statements = try statements(family, at: checkpoint, from: tables, on: connection),
        let watermark = checkpoint.watermark
      else {
        let result = try read(family, at: checkpoint, from: tables, false, on: connection)
        return RateReading(
          query: query, result: result, unitDetails: nil, details: EngagementDetails(), parts: parts(0, true))
      }
      var result = try read(statements, at: checkpoint, false, on: connection)
      let parts = parts(result.total.rich.units + result.total.text.units, statements.frame != nil)
      statements.query = query
      let registry = try registry(of: query, at: checkpoint, from: tables, on: connection)
      var details = try engagement(statements, registry, parts, upTo: watermark, on: connection)
      if parts.contains(.days) {
        (details.firstDay, details.lastDay) = ((trend ?? query).firstDay, (trend ?? query).lastDay)
        details.isByCategory = byCategory
        let ofTrend = try trend.flatMap {
          try self.statements($0, at: checkpoint, from: tables, named: "trend_unit_row", on: connection)
        }
        details.days = try days(ofTrend ?? statements, byCategory, on: connection)
      }
      let unitDetails = parts.contains(.unitDetails) ? try self.details(statements, on: connection) : nil
      if query.category == nil { result.details = unitDetails }
      return RateReading(
        query: query, result: result, unitDetails: unitDetails, details: details, parts: parts)
    }
  }

  private static func days(
    _ statements: RateStatements, _ byCategory: Bool, on connection: borrowing Connection
  ) throws -> [DayCell] {
    try RateRow.byHash(on: connection) { (connection: borrowing Connection) in
      try connection.query(statements.days(byCategory: byCategory)).map { row in
        DayCell(
          day: try row.value(0),
          cell: RateCell(
            category: try row.value(1), isRich: try row.value(2),
            bucket: Int(try row.value(3, as: Int16.self)), units: try row.value(4),
            successes: try row.value(5)))
      }
    }
  }

  private static func engagement(
    _ statements: RateStatements, _ registry: CategoryRegistry?, _ parts: ReportParts,
    upTo watermark: PostgresTimestamp, on connection: borrowing Connection
  ) throws -> EngagementDetails {
    var details = EngagementDetails()
    let mute = (registry?.categories ?? []).filter { !$0.hasContentExtension }.map(\.category.text)
    details.categoriesWithoutExpansion = mute
    if parts.contains(.funnel) {
      details.funnel = try connection.query(statements.funnel(withoutExpansion: mute)).map { row in
        FunnelCell(
          isRich: try row.value(0), bucket: Int(try row.value(1, as: Int16.self)),
          delivered: try row.value(2), interacted: try row.value(3), expanded: try row.value(4),
          opened: try row.value(5), acted: try row.value(6), replied: try row.value(7),
          expandable: try row.value(8))
      }
    }
    if parts.contains(.actions) {
      details.actions = try RateRow.byHash(on: connection) { (connection: borrowing Connection) in
        try connection.query(statements.actions).map { row in
          ActionCell(
            category: try row.value(0), action: try row.value(1), isRich: try row.value(2),
            bucket: Int(try row.value(3, as: Int16.self)), offered: try row.value(4), taken: try row.value(5),
            takenUnoffered: try row.value(6))
        }
      }
      for category in registry?.categories ?? [] {
        for action in category.actions {
          details.actionTitles[.init(category.category.text, action.id.text)] = registry?.shown(action.title)
        }
      }
    }
    if parts.contains(.fallbacks) {
      details.fallbacks = try connection.query(statements.fallbacks).map { row in
        let code = try row.value(1, as: Int16?.self)
        return FallbackCount(
          category: try row.value(0), reason: FallbackReason.allCases.first { $0.storedCode == code },
          units: try row.value(2))
      }
    }
    if parts.contains(.rejected) {
      try connection.query(statements.rejected(upTo: watermark)).forEach { row in
        details.rejected[try row.value(0)] = try row.value(1)
      }
    }
    return details
  }
}
