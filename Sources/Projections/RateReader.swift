internal import EngagementEvents
internal import EventStore
package import Postgres

/// Reads the counts behind a comparison.
///
/// Where rates are kept in the query's zone and window, the counts come from there, corrected on the one day on which windows
/// were just closing; otherwise from the units. Both give the same counts. Devices are counted from the units in any case.
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

  /// Reads the counts of two periods of one app, in one snapshot.
  ///
  /// - Parameter earlier: differs from the query in its days alone.
  /// - Throws: as `read`.
  package static func readPair(
    _ query: RateQuery, _ earlier: RateQuery, asOf position: Int64? = nil, on connection: borrowing Connection
  ) throws -> (now: RateResult, before: RateResult) {
    // What is looked back to has to reach as far as the earlier one.
    try withSnapshot(of: earlier, asOf: position, on: connection) { checkpoint, tables, connection in
      (
        try read(query, at: checkpoint, from: tables, false, on: connection),
        try read(earlier, at: checkpoint, from: tables, false, named: "earlier_unit_row", on: connection)
      )
    }
  }

  /// Lends the state that a query is answered from: how far it goes, and the tables that hold it.
  static func withSnapshot<Value>(
    of query: RateQuery, asOf position: Int64?, on connection: borrowing Connection,
    _ body: (EngagementProjection.Checkpoint, ProjectionTables, borrowing Connection) throws -> Value
  ) throws -> Value {
    try query.requireValid(on: connection)
    let isKept = try RateFrame.find(query, on: connection) != nil
    // Temporary tables, which looking back and summing up many units makes, are more than a read-only transaction may.
    return try connection.withTransaction(
      isolation: .repeatableRead, readOnly: position == nil && isKept,
      first: ProjectionTables.share
    ) { (connection: borrowing Connection) in
      if isKept, try RateFrame.find(query, on: connection) == nil {
        throw StoreError(
          .overloaded, "The zone and window of this report were given up just now.", remedy: "Try again.")
      }
      guard let position else {
        return try body(try EngagementProjection.checkpoint(on: connection), .serving, connection)
      }
      return try body(try LookBack(query, position).prepare(on: connection), .replayed, connection)
    }
  }

  static func read(
    _ query: RateQuery, at checkpoint: EngagementProjection.Checkpoint, from tables: ProjectionTables,
    _ withDetails: Bool, named name: String = "unit_row", on connection: borrowing Connection
  ) throws -> RateResult {
    guard let statements = try statements(query, at: checkpoint, from: tables, named: name, on: connection)
    else {
      return RateResult(query: query, checkpoint: checkpoint, cells: [], facts: [:], total: CategoryFacts())
    }
    return try read(statements, at: checkpoint, withDetails, on: connection)
  }

  /// The statements that answer a query; nil while nothing has been aggregated.
  ///
  /// - Parameter name: of the transaction's own table where it needs one: another for each query.
  static func statements(
    _ query: RateQuery, at checkpoint: EngagementProjection.Checkpoint, from tables: ProjectionTables,
    named name: String = "unit_row", on connection: borrowing Connection
  ) throws -> RateStatements? {
    guard let watermark = checkpoint.watermark else { return nil }
    let period = try RatePeriod(query, watermark: watermark, on: connection)
    var statements = RateStatements(query, period, tables: tables)
    statements.frame = try RateFrame.find(query, on: connection)
    statements.unitRows = try UnitRows(statements, named: name, on: connection)
    return statements
  }

  static func read(
    _ statements: RateStatements, at checkpoint: EngagementProjection.Checkpoint, _ withDetails: Bool,
    on connection: borrowing Connection
  ) throws -> RateResult {
    var statements = statements
    let query = statements.query
    var tally = try RateRow.byHash(on: connection) { (connection: borrowing Connection) in
      var tally = RateTally()
      try connection.query(statements.cells).forEach { row in try tally.addCell(row) }
      return tally
    }
    let sample = DeviceSample(units: tally.units)
    let categories = tally.categories
    statements.wholeCategories = try wholeCategories(statements, tally, on: connection)
    if !categories.isEmpty {
      try connection.query(statements.devices(sample, in: categories)).forEach { row in
        tally.addDevices(try row.value(1), in: try row.value(0), of: categories, sample)
      }
    }
    if tally.hasOnlyExperiments {
      try connection.query(statements.experiments(sample)).forEach { row in try tally.addExperiment(row) }
      tally.judgeExperiments()
    }
    try connection.query(statements.orphans).forEach { row in
      tally[category: try row.value(0)].orphans = try row.value(1)
      tally[category: try row.value(0)].dismissedOrphans = try row.value(2)
    }
    try connection.query(statements.implausible).forEach { row in
      tally[category: try row.value(0)].implausible = try row.value(1)
    }
    if let kinds = statements.reportedKinds {
      try connection.query(kinds).forEach { row in try tally.addReportedKinds(row) }
    }
    try tally.addSourceLimits(statements, upTo: checkpoint.position, on: connection)
    if let registry = try registry(of: query, at: checkpoint, from: statements.tables, on: connection) {
      tally.add(registry)
    }
    return RateResult(
      query: query, checkpoint: checkpoint, cells: tally.cells, facts: tally.facts, total: tally.total,
      deviceSample: sample, details: withDetails ? try details(statements, on: connection) : nil)
  }

  /// The categories of the tally, where all units of each were offered the query's action: then an index tells them, which does not
  /// hold what was offered.
  private static func wholeCategories(
    _ statements: RateStatements, _ tally: RateTally, on connection: borrowing Connection
  ) throws -> [String]? {
    guard case .customAction = statements.query.metric, statements.frame != nil else { return nil }
    var delivered: [ExactText: Int] = [:]
    try connection.query(statements.deliveredUnits).forEach { row in
      delivered[ExactText(try row.value(0))] = try row.value(1)
    }
    let offered = tally.facts.mapValues { $0.rich.units + $0.text.units }
    return offered.allSatisfy { delivered[$0.key] == $0.value } ? tally.categories : nil
  }

  /// The registry that counts, or counted when the position looked back to was the last one.
  static func registry(
    of query: RateQuery, at checkpoint: EngagementProjection.Checkpoint, from tables: ProjectionTables,
    on connection: borrowing Connection
  ) throws -> CategoryRegistry? {
    try CategoryRegistry.current(
      of: query.app.id, asOf: tables == .replayed ? checkpoint.position : nil, on: connection)
  }
}
