internal import EventStore
internal import Postgres

/// Units summed up to rows of the shape of `daily_rate`, once for all statements of a report.
///
/// Where rates are kept in the query's zone and window, these are units of the one day on which windows were closing
/// at the watermark: half a day's worth at most, whatever the period. Where it is not, they are all units of the period.
struct UnitRows: Sendable {
  /// A statement that gives the rows; nil where there are none.
  let statement: SQL?

  static let none = UnitRows(statement: nil)

  private init(statement: SQL?) { self.statement = statement }

  /// - Parameter name: of the temporary table that many rows are put into until the transaction ends.
  init(_ statements: RateStatements, named name: String, on connection: borrowing Connection) throws {
    guard statements.frame != nil else {
      let table: SQL = "create temporary table \(identifier: name) on commit drop as \(statements.everyUnit)"
      try RateRow.byHash(on: connection) { (connection: borrowing Connection) in
        _ = try connection.execute(table)
      }
      statement = "select * from \(identifier: name)"
      return
    }
    guard statements.period.hasOpenDays else {
      statement = nil
      return
    }
    // Few, and so sent back as parameters: a read-only transaction has no tables of its own.
    var columns = Columns()
    try RateRow.byHash(on: connection) { (connection: borrowing Connection) in
      try connection.query(statements.makeUp).forEach { row in try columns.append(row) }
    }
    statement = columns.statement
  }

  private struct Columns {
    private var days: [PostgresDate] = []
    private var categories: [String] = []
    private var intended: [Bool] = []
    private var shown: [Bool] = []
    private var customInterface: [Bool] = []
    private var buckets: [Int16] = []
    private var immature: [Int64] = []
    /// By count, in the order of `RateRow.counts`.
    private var counts = [[Int64]](repeating: [], count: RateRow.counts.names.count)

    mutating func append(_ row: borrowing Row) throws {
      days.append(try row.value(0))
      categories.append(try row.value(1))
      intended.append(try row.value(2))
      shown.append(try row.value(3))
      customInterface.append(try row.value(4))
      buckets.append(try row.value(5))
      immature.append(try row.value(6))
      for place in counts.indices { counts[place].append(try row.value(7 + place)) }
    }

    var statement: SQL? {
      guard !days.isEmpty else { return nil }
      var columns: SQL =
        "\(days), \(categories), \(intended), \(shown), \(customInterface), \(buckets), \(immature)"
      for count in counts { columns += ", \(count)" }
      return """
        select * from unnest(\(columns))
          as unit_row (day, category, intended, shown, custom_interface, bucket, immature, \(RateRow.counts.list))
        """
    }
  }
}
