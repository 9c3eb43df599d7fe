import EventStore
import Postgres
import TestSupport

@testable import Projections

/// What the projection has written, row for row.
struct ProjectedState: Equatable {
  let units: [String]
  let interactions: [String]
  let days: [String]
  let framed: [String]
  let actions: [String]
  let implausible: [String]
  let tally: [String]
  let watermark: PostgresTimestamp?

  init(_ connection: borrowing Connection) throws {
    units = try Self.rows("unit_outcome", on: connection)
    interactions = try Self.rows("unit_interaction", on: connection)
    days = try Self.rows("daily_rate", on: connection)
    framed = try Self.rows("framed_rate", on: connection)
    actions = try Self.rows("daily_action", on: connection)
    implausible = try Self.rows("daily_implausible", on: connection)
    tally = try Self.rows("log_tally", on: connection)
    watermark = try EngagementProjection.checkpoint(on: connection).watermark
  }

  private static func rows(_ table: String, on connection: borrowing Connection) throws -> [String] {
    try connection.query("select t::text as row from \(identifier: table) t order by row")
      .map { row in try row.value(0, as: String.self) }
  }
}

extension EventStore {
  /// Empties what tests write, and keeps schema, partitions and apps.
  func reset(on superuser: borrowing Connection) throws {
    try superuser.script(
      """
      delete from event; delete from reply; delete from dead_letter; delete from unit_outcome;
      delete from unit_interaction; delete from daily_rate; delete from framed_rate; delete from daily_action;
      delete from rate_frame; delete from daily_implausible; delete from log_tally;
      update projection_checkpoint set watermark = null, position =
        (select case when is_called then last_value else 0 end from event_position)
      """)
  }

  /// Projects everything there is.
  @discardableResult
  func project(rangeLimit: Int64 = 250_000) throws -> EngagementProjection.Outcome {
    try EngagementProjection(rangeLimit: rangeLimit).run(on: connect(.aggregating))
  }

  /// Units and successes of both arms, over all categories.
  func counts(_ query: RateQuery) throws -> ArmCounts {
    var counts = ArmCounts()
    for cell in try RateReader.read(query, on: connect(.asking)).cells {
      if cell.isRich {
        counts.rich.append(cell)
      } else {
        counts.text.append(cell)
      }
    }
    return counts
  }
}

/// The cells of a result by arm.
struct ArmCounts {
  var rich: [RateCell] = []
  var text: [RateCell] = []

  var richUnits: Int { rich.reduce(0) { $0 + $1.units } }
  var richSuccesses: Int { rich.reduce(0) { $0 + $1.successes } }
  var textUnits: Int { text.reduce(0) { $0 + $1.units } }
  var textSuccesses: Int { text.reduce(0) { $0 + $1.successes } }
}
