package import Postgres
internal import EventStore

/// Reads the counts behind a comparison.
///
/// Days whose last window has closed come from `daily_rate`, where zone and window are those it is kept in; everything
/// else is computed from the units. Both give the same counts. Devices are counted from the units in any case.
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
        let checkpoint = try EngagementProjection.checkpoint(on: connection)
        return try read(query, at: checkpoint, from: .serving, withDetails, on: connection)
      }
      let checkpoint = try LookBack(query, position).prepare(on: connection)
      return try read(query, at: checkpoint, from: .replayed, withDetails, on: connection)
    }
  }

  private static func read(
    _ query: RateQuery, at checkpoint: EngagementProjection.Checkpoint, from tables: ProjectionTables,
    _ withDetails: Bool, on connection: borrowing Connection
  ) throws -> RateResult {
    guard let watermark = checkpoint.watermark else {
      return RateResult(query: query, checkpoint: checkpoint, cells: [], facts: [:], total: CategoryFacts())
    }
    let period = try RatePeriod(query, watermark: watermark, on: connection)
    let statements = RateStatements(query, period, tables: tables)
    var tally = RateTally()
    try connection.query(statements.cells).forEach { row in try tally.addCell(row) }
    let sample = DeviceSample(units: tally.units)
    let categories = tally.categories
    if !categories.isEmpty {
      try connection.query(statements.devices(sample, in: categories)).forEach { row in
        tally.addDevices(try row.value(1), in: try row.value(0), of: categories, sample)
      }
    }
    try connection.query(statements.orphans).forEach { row in
      tally[category: try row.value(0)].orphans = try row.value(1)
    }
    try connection.query(statements.implausible).forEach { row in
      tally[category: try row.value(0)].implausible = try row.value(1)
    }
    if let kinds = statements.reportedKinds {
      try connection.query(kinds).forEach { row in try tally.addReportedKinds(row) }
    }
    return RateResult(
      query: query, checkpoint: checkpoint, cells: tally.cells, facts: tally.facts, total: tally.total,
      deviceSample: sample, details: withDetails ? try details(statements, on: connection) : nil)
  }
}
