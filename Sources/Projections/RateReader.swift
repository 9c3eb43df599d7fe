package import Postgres
internal import EventStore

/// Reads the counts behind a comparison.
///
/// Days whose last window has closed come from `daily_rate`, where zone and window are those it is kept in; everything
/// else is computed from the units. Both give the same counts.
package enum RateReader {

  /// Reads in one snapshot, so that counts, facts and position belong together.
  ///
  /// - Parameters:
  ///   - asOf: the position of the last event that counts, at most the one that was aggregated. What the store
  ///     said then is worked out from the log, which takes seconds to minutes. Nil for all that was aggregated.
  ///   - withDetails: also what else is known of the units, for which each of them is looked at.
  /// - Throws: `StoreError.invalidValue` for a zone that Postgres does not know, a window out of range, or a position
  ///   that cannot be looked back to.
  package static func read(
    _ query: RateQuery, asOf position: Int64? = nil, withDetails: Bool = false,
    on connection: borrowing Connection
  ) throws -> RateResult {
    try withSnapshot(of: query, asOf: position, on: connection) { checkpoint, tables, connection in
      try read(query, at: checkpoint, from: tables, withDetails, on: connection)
    }
  }

  /// Lends the state that a query is answered from: how far it goes, and the tables that hold it.
  static func withSnapshot<Value>(
    of query: RateQuery, asOf position: Int64?, on connection: borrowing Connection,
    _ body: (EngagementProjection.Checkpoint, ProjectionTables, borrowing Connection) throws -> Value
  ) throws -> Value {
    guard RateQuery.windowRange.contains(query.windowSeconds) else {
      throw StoreError(
        .invalidValue, "The window of \(query.windowSeconds) s is out of range.",
        remedy: "Choose 1 minute to 30 days.")
    }
    try TimeZones.require(query.zone, on: connection)
    // Looking back makes temporary tables, which no read-only transaction may.
    return try connection.withTransaction(
      isolation: .repeatableRead, readOnly: position == nil, first: ProjectionTables.share
    ) { (connection: borrowing Connection) in
      guard let position else {
        return try body(try EngagementProjection.checkpoint(on: connection), .serving, connection)
      }
      return try body(try LookBack(query, position).prepare(on: connection), .replayed, connection)
    }
  }

  static func read(
    _ query: RateQuery, at checkpoint: EngagementProjection.Checkpoint, from tables: ProjectionTables,
    _ withDetails: Bool, on connection: borrowing Connection
  ) throws -> RateResult {
    guard let watermark = checkpoint.watermark else {
      return RateResult(query: query, checkpoint: checkpoint, cells: [], facts: [:], total: CategoryFacts())
    }
    let statements = RateStatements(query, watermark: watermark, tables: tables)
    let facts = try facts(statements, on: connection)
    return RateResult(
      query: query, checkpoint: checkpoint, cells: try cells(statements, on: connection),
      facts: facts.categories, total: facts.total,
      details: withDetails ? try details(statements, on: connection) : nil)
  }

  private static func cells(_ statements: RateStatements, on connection: borrowing Connection) throws
    -> [RateCell]
  {
    try connection.query(statements.cells).map { row in
      RateCell(
        category: try row.value(0), isRich: try row.value(1), bucket: Int(try row.value(2, as: Int16.self)),
        units: try row.value(3), successes: try row.value(4))
    }
  }

  private static func facts(
    _ statements: RateStatements, on connection: borrowing Connection
  ) throws -> (categories: [String: CategoryFacts], total: CategoryFacts) {
    var facts: [String: CategoryFacts] = [:]
    var total = CategoryFacts()
    try connection.query(statements.armFacts).forEach { row in
      let category = try row.value(0, as: String?.self)
      var known = category.map { facts[$0] ?? CategoryFacts() } ?? total
      let arm = ArmFacts(
        units: try row.value(2), devices: try row.value(3), unitsInExperiment: try row.value(4),
        immature: try row.value(5), intendedRich: try row.value(6), fellBack: try row.value(7),
        interacting: try row.value(8))
      switch try row.value(1, as: Bool?.self) {
      case true?: known.rich = arm
      case false?: known.text = arm
      case nil: known.devices = arm.devices
      }
      if let category { facts[category] = known } else { total = known }
    }
    try connection.query(statements.orphans).forEach { row in
      facts[try row.value(0), default: CategoryFacts()].orphans = try row.value(1)
    }
    try connection.query(statements.implausible).forEach { row in
      facts[try row.value(0), default: CategoryFacts()].implausible = try row.value(1)
    }
    try connection.query(statements.reportedKinds).forEach { row in
      let category = try row.value(0, as: String.self)
      guard facts[category] != nil else { return }
      facts[category]?.reportsExpansion = try row.value(1)
      facts[category]?.reportsDismissal = try row.value(2)
    }
    for category in facts.values {
      total.orphans += category.orphans
      total.implausible += category.implausible
      total.reportsExpansion = total.reportsExpansion || category.reportsExpansion
      total.reportsDismissal = total.reportsDismissal || category.reportsDismissal
    }
    return (facts, total)
  }
}
