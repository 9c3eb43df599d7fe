internal import EngagementEvents
internal import Postgres

extension RateReader {
  static func details(_ statements: RateStatements, on connection: borrowing Connection) throws -> RateDetails
  {
    RateDetails(
      breakdowns: try breakdowns(statements, on: connection), times: try times(statements, on: connection))
  }

  private static func breakdowns(
    _ statements: RateStatements, on connection: borrowing Connection
  ) throws -> [RateDetails.Breakdown] {
    var groups: [RateDetails.Dimension: [RateDetails.Group]] = [:]
    try connection.query(statements.breakdowns).forEach { row in
      guard let dimension = RateDetails.Dimension(rawValue: try row.value(0)) else { return }
      let value = try row.value(1, as: String?.self)
      var known = groups[dimension, default: []]
      // Rows of one value follow each other.
      if known.isEmpty || !isSame(known.last?.value, value) { known.append(RateDetails.Group(value: value)) }
      var count = RateDetails.ArmCount()
      count.units = try row.value(3)
      count.successes = try row.value(4)
      if try row.value(2, as: Bool.self) {
        known[known.count - 1].rich = count
      } else {
        known[known.count - 1].text = count
      }
      groups[dimension] = known
    }
    return RateDetails.Dimension.allCases.map {
      RateDetails.Breakdown(dimension: $0, groups: groups[$0] ?? [])
    }
  }

  /// By bytes, as the rows are grouped.
  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    one.map { ExactText($0) } == other.map { ExactText($0) }
  }

  private static func times(
    _ statements: RateStatements, on connection: borrowing Connection
  ) throws -> [RateDetails.InteractionTimes] {
    var times: [RateDetails.InteractionTimes] = []
    try connection.query(statements.interactionTimes).forEach { row in
      let category = try row.value(0, as: String?.self)
      if times.isEmpty || !isSame(times.last?.category, category) {
        times.append(RateDetails.InteractionTimes(category: category))
      }
      let seconds = try row.value(3, as: [Int64].self).map { Double($0) / 1_000_000 }
      let quartiles = RateDetails.Quartiles(
        units: try row.value(2), lower: seconds[0], median: seconds[1], upper: seconds[2])
      if try row.value(1, as: Bool.self) {
        times[times.count - 1].rich = quartiles
      } else {
        times[times.count - 1].text = quartiles
      }
    }
    return times
  }
}
