internal import EventStore
internal import Postgres

/// The projections worked out afresh from the log, in one pass up to a position, into a set of empty tables.
///
/// What it counts is defined once, with the incremental step; how it gets there is not: nothing is merged with a former
/// state, and nothing moves by differences.
struct ProjectionReplay {
  let tables: ProjectionTables
  /// The last position that is read; behind the barrier.
  let position: Int64
  /// Only the events of this app, and nothing that needs events that were dropped; nil for all, and then units that lost
  /// events are taken over from the serving tables as they are.
  var app: AppID?
  /// Makes temporary tables, which go with the transaction.
  var isTemporary = true

  /// Makes and fills the tables, and gives the latest time of arrival among the events; nil where there are none.
  func fill(on connection: borrowing Connection, progress: (_ table: String) throws -> Void = { _ in }) throws
    -> PostgresTimestamp?
  {
    // Whole scans and large sorts: memory is better than files. Both last as long as the transaction.
    try connection.script("set local work_mem = '128MB'; set local jit = off")
    for (table, statements) in statements(try BulkTable.columns(on: connection)) {
      try progress(table)
      for statement in statements { try connection.execute(statement) }
    }
    return try connection.value(of: "select max(latest) from replay_count", as: PostgresTimestamp?.self)
  }

  /// - Parameter columns: of the tables that are made as they are filled, as `BulkTable` has them.
  func statements(_ columns: [String: SQL]) -> [(table: String, statements: [SQL])] {
    [
      ("unit_interaction", [make("unit_interaction", columns, interactions)] + takenOverInteractions),
      (
        "unit_outcome",
        work("replay_fact", facts) + work("replay_first", firstInteractions)
          + [make("unit_outcome", columns, units), "drop table replay_fact, replay_first"] + takenOverUnits
      ),
      (
        "daily_rate",
        work("replay_sum", RateRow.sums(of: tables.unitOutcome, weight: "1")).flatMap(RateRow.byHash)
          + [make("daily_rate", columns, RateRow.rates(from: "replay_sum")), "analyze \(tables.dailyRate)"]
      ), ("framed_rate", [make("framed_rate", columns, RateRow.framedRates(from: "replay_sum"))]),
      ("daily_action", [make("daily_action", columns, actions), "drop table replay_sum"]),
      ("daily_implausible", [countEvents, makeLike("daily_implausible"), implausible]),
      ("log_tally", [makeLike("log_tally")] + (app == nil ? [tally] : [])),
    ]
  }

  private var create: SQL { isTemporary ? "create temporary table" : "create table" }
  private var onCommit: SQL { isTemporary ? "on commit drop" : "" }

  /// Made as it is filled, since Postgres reads by several processes for that and not for an insert.
  private func make(_ table: String, _ columns: [String: SQL], _ rows: SQL) -> SQL {
    "\(create) \(tables[table]) \(onCommit) as select \(columns[table] ?? "*") from (\(rows)) made"
  }

  /// A table that only the next statements of the same table read, and that is dropped after them.
  private func work(_ name: String, _ rows: SQL) -> [SQL] {
    let create: SQL = isTemporary ? "create temporary table" : "create unlogged table"
    return ["\(create) \(identifier: name) \(onCommit) as \(rows)", "analyze \(identifier: name)"]
  }

  private func makeLike(_ table: String) -> SQL {
    """
    \(create) \(tables[table])
      (like \(ProjectionTables.serving[table]) including defaults including constraints including comments) \(onCommit)
    """
  }

  private var isWanted: SQL {
    guard let app else {
      return """
        position <= \(position)
        and not exists (select from unit_outcome sealed where is_sealed and sealed.unit_id = event.unit_id)
        """
    }
    return "position <= \(position) and app_id = \(app.rawValue)"
  }

  /// Rows made of the events of each half of the units, which one process reads and merges alone. Where several work on all
  /// units, each has a part of many a unit, and one of them has to merge these once more.
  private func inHalves(_ rows: (_ events: SQL) -> SQL) -> SQL {
    func half(_ isIn: SQL) -> SQL {
      rows("(select \(UnitFacts.eventColumns) from event where \(isWanted) and unit_id \(isIn)) event")
    }
    let middle: SQL = "'80000000-0000-0000-0000-000000000000'"
    return "\(half("< \(middle)")) union all \(half(">= \(middle)"))"
  }

  private var takenOverInteractions: [SQL] {
    let analyse: SQL = "analyze \(tables.unitInteraction)"
    guard app == nil else { return [analyse] }
    return [
      """
      insert into \(tables.unitInteraction)
      select known.* from unit_interaction known join unit_outcome using (unit_id) where is_sealed
      """, analyse,
    ]
  }

  private var takenOverUnits: [SQL] {
    let analyse: SQL = "analyze \(tables.unitOutcome)"
    guard app == nil else { return [analyse] }
    return ["insert into \(tables.unitOutcome) select * from unit_outcome where is_sealed", analyse]
  }

  private var interactions: SQL {
    inHalves { events in "select distinct * from (\(UnitFacts.interactions(from: events))) interaction" }
  }

  private var facts: SQL {
    """
    select *, coalesce(
        case when delivered_at is null then interaction_category else delivered_category end, '') as category,
      false as is_sealed
    from (\(inHalves(UnitFacts.merged))) merged
    """
  }

  private var firstInteractions: SQL {
    UnitFacts.firstInteractions(of: tables.unitInteraction, deliveries: "replay_fact")
  }

  private var units: SQL {
    let outcomes = UnitFacts.outcomes(of: "replay_fact", first: "replay_first")
    // As the job leaves them, by time: a report reads the units of some days.
    return isTemporary ? outcomes : "\(outcomes) order by delivered_at"
  }

  private var actions: SQL {
    ActionRow.actions(
      offeredIn: "replay_sum",
      taken: ActionRow.taken(by: tables.unitOutcome, of: tables.unitInteraction))
  }

  /// Counts of the log by app and week, the implausible ones apart. Only because these are plain columns does Postgres foresee
  /// how few groups there are, and count by several processes.
  private var countEvents: SQL {
    """
    create temporary table replay_count on commit drop as
    select app_id, date_trunc('week', day::timestamp)::date as week, time_quality = 2 as is_implausible,
      count(*) as events, max(received_at) as latest
    from event
    where position <= \(position)
    group by 1, 2, 3
    """
  }

  /// By the day of arrival in the app's zone, and category. Read from the first to the last week that has any.
  private var implausible: SQL {
    let dropped: SQL =
      app == nil
      ? "union all select app_id, day, category, dropped, dropped from daily_implausible where dropped > 0"
      : ""
    return """
      insert into \(tables.dailyImplausible) (app_id, day, category, events, dropped)
      select app_id, day, category, sum(events), sum(dropped)
      from (
        select app_id, (received_at at time zone zone)::date as day, category, 1 as events, 0 as dropped
        from event join app using (app_id)
        where position <= \(position) and time_quality = 2 \(isOfApp)
          and event.day >= (select min(week) from replay_count where is_implausible)
          and event.day < (select max(week) + 7 from replay_count where is_implausible)
        \(dropped)
      ) known
      group by app_id, day, category
      """
  }

  private var isOfApp: SQL { app.map { "and app_id = \($0.rawValue)" } ?? "" }

  private var tally: SQL {
    """
    insert into \(tables.logTally) (week, events, dropped)
    select week, sum(events), sum(dropped)
    from (
      select week, events, 0 as dropped from replay_count
      union all
      select week, dropped, dropped from log_tally where dropped > 0
    ) known
    group by week
    """
  }
}
