internal import EventStore
package import Postgres

/// Works the projections out afresh from the log, beside those that are there, and compares the two row for row.
///
/// All in one snapshot, which blocks neither writers nor the job.
package enum ProjectionCheck {
  /// What was found.
  package struct Result: Sendable, Hashable {
    /// The last position that both sides have read.
    package let position: Int64
    /// By table, in a fixed order.
    package let tables: [TableResult]
    /// Weeks of the log that hold more or fewer events than were read of them.
    package let weeks: [WeekDifference]
    /// Partitions of the log, and the events in them up to the position.
    package let partitions: Int
    package let events: Int
    /// Events behind the position, which the job has yet to read.
    package let waitingEvents: Int
    /// Units that lost events to retention, which nothing can be compared with.
    package let sealedUnits: Int
    /// Nil where the checkpoint has the watermark that the events have.
    package let watermarkFault: String?

    package var isSound: Bool {
      weeks.isEmpty && watermarkFault == nil && tables.allSatisfy { $0.differing == 0 }
    }
  }

  package struct TableResult: Sendable, Hashable {
    package let name: String
    /// Rows in the table.
    package let rows: Int
    /// Rows that are there on one side alone, or with other values.
    package let differing: Int
    /// The first of these by key, `shownDifferences` at most: which row it is, and what is wrong with it.
    package let differences: [String]
  }

  package struct WeekDifference: Sendable, Hashable {
    /// Where the week's events lie; several where some came before their partition was made, none where there are no
    /// events.
    package let partitions: [String]
    /// The Monday.
    package let week: PostgresDate
    package let read: Int
    package let present: Int
  }

  /// How many differences of a table are told.
  package static let shownDifferences = 20

  /// - Parameter progress: told what is worked out or compared next.
  package static func run(
    on connection: borrowing Connection, progress: (_ what: String) -> Void = { _ in }
  ) throws -> Result {
    try connection.withTransaction(isolation: .repeatableRead, first: ProjectionTables.share) {
      (connection: borrowing Connection) in
      let checkpoint = try EngagementProjection.checkpoint(on: connection)
      let watermark = try ProjectionReplay(tables: .replayed, position: checkpoint.position)
        .fill(on: connection, progress: progress)
      // The tally of events is compared by partition, below.
      var tables: [TableResult] = []
      for table in ProjectionTables.all where table.name != "log_tally" {
        progress(table.name)
        tables.append(try compare(table, on: connection))
      }
      let log = try connection.query(
        """
        select count(distinct tableoid) filter (where position <= \(checkpoint.position)),
          count(*) filter (where position <= \(checkpoint.position)),
          count(*) filter (where position > \(checkpoint.position))
        from event
        """
      ).map { row in
        (
          partitions: try row.value(0, as: Int.self), events: try row.value(1, as: Int.self),
          waiting: try row.value(2, as: Int.self)
        )
      }[0]
      return Result(
        position: checkpoint.position, tables: tables,
        weeks: try compareWeeks(upTo: checkpoint.position, on: connection),
        partitions: log.partitions, events: log.events, waitingEvents: log.waiting,
        sealedUnits: try connection.value(of: "select count(*) from unit_outcome where is_sealed"),
        watermarkFault: try compare(checkpoint, watermark, on: connection))
    }
  }

  private static func compare(
    _ table: ProjectionTables.Table, on connection: borrowing Connection
  ) throws -> TableResult {
    let kept = ProjectionTables.serving[table.name]
    let made = ProjectionTables.replayed[table.name]
    let key = SQL(unsafeRaw: table.key.map(SQL.quoted).joined(separator: ", "))
    let shownKey = SQL(
      unsafeRaw: table.key.map { "'\($0)=' || \(SQL.quoted($0))" }.joined(separator: " || ' ' || "))
    let rows = try connection.query(
      """
      with difference as materialized (
        select \(key), \(shownKey) as row_key, to_jsonb(kept) as kept_values, to_jsonb(made) as made_values
        from \(kept) kept full join \(made) made using (\(key))
        where kept is distinct from made
      )
      select (select count(*) from difference), row_key,
        case
          when made_values is null then 'should not be there'
          when kept_values is null then 'is missing'
          else (
            select string_agg(
              format('%s is %s, should be %s', name, coalesce(kept_values ->> name, 'null'),
                coalesce(made_values ->> name, 'null')), '; ' order by name)
            from jsonb_object_keys(kept_values) name
            where kept_values -> name is distinct from made_values -> name)
        end
      from difference
      order by \(key)
      limit \(shownDifferences)
      """
    ).map { row in
      (
        count: try row.value(0, as: Int.self),
        text: "\(try row.value(1, as: String.self)): \(try row.value(2, as: String.self))"
      )
    }
    return TableResult(
      name: table.name, rows: try connection.value(of: "select count(*) from \(kept)"),
      differing: rows.first?.count ?? 0, differences: rows.map(\.text))
  }

  /// The events in the log against those that the job has counted as it read them, without those dropped since.
  private static func compareWeeks(
    upTo position: Int64, on connection: borrowing Connection
  ) throws -> [WeekDifference] {
    try connection.query(
      """
      with present as (
        select date_trunc('week', day::timestamp)::date as week, count(*) as events,
          array_agg(distinct tableoid::regclass::text) as partitions
        from event where position <= \(position) group by 1
      )
      select coalesce(partitions, '{}'), week, coalesce(tally.events - tally.dropped, 0), coalesce(present.events, 0)
      from log_tally tally full join present using (week)
      where coalesce(tally.events - tally.dropped, 0) <> coalesce(present.events, 0)
      order by week
      """
    ).map { row in
      WeekDifference(
        partitions: try row.value(0), week: try row.value(1), read: try row.value(2),
        present: try row.value(3))
    }
  }

  /// Events that were dropped may have been the last to arrive, so the checkpoint may be ahead of what is left.
  private static func compare(
    _ checkpoint: EngagementProjection.Checkpoint, _ watermark: PostgresTimestamp?,
    on connection: borrowing Connection
  ) throws -> String? {
    let retired = try RetiredEvents.lastArrival(on: connection)
    let expected = [watermark, retired].compactMap { $0 }.max {
      $0.microsecondsSince1970 < $1.microsecondsSince1970
    }
    guard checkpoint.watermark != expected else { return nil }
    func text(_ time: PostgresTimestamp?) throws -> String {
      try connection.value(
        of: "select coalesce(to_char(\(time)::timestamptz, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), 'null')")
    }
    return "watermark is \(try text(checkpoint.watermark)), should be \(try text(expected))"
  }
}
