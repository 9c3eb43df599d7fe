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
  /// Only the events of this app, for days whose notifications have all their events; nil for all.
  var app: AppID?
  /// Makes temporary tables, which go with the transaction.
  var isTemporary = true

  /// Makes and fills the tables, and gives the latest time of arrival among the events; nil where there are none.
  func fill(on connection: borrowing Connection, progress: (_ table: String) throws -> Void = { _ in }) throws
    -> PostgresTimestamp?
  {
    // Whole scans and large sorts: memory is better than files. Both last as long as the transaction.
    try connection.script("set local work_mem = '128MB'; set local jit = off")
    let columns = try BulkTable.columns(on: connection)
    for (table, statements) in statements(columns, areUnitsSealed: try Self.areUnitsSealed(on: connection)) {
      try progress(table)
      for statement in statements { try connection.execute(statement) }
    }
    return try connection.value(of: "select max(latest) from replay_count", as: PostgresTimestamp?.self)
  }

  /// Whether there are units that lost events.
  static func areUnitsSealed(on connection: borrowing Connection) throws -> Bool {
    try connection.value(of: "select exists (select from unit_outcome where is_sealed)", as: Bool.self)
  }

  /// - Parameters:
  ///   - columns: of the tables that are made as they are filled, as `BulkTable` has them.
  ///   - areUnitsSealed: whether some are; if none are, no event needs to be looked at for it.
  func statements(_ columns: [String: SQL], areUnitsSealed: Bool) -> [(table: String, statements: [SQL])] {
    let events = events(areUnitsSealed: areUnitsSealed)
    return [
      ("unit_interaction", [make("unit_interaction", columns, interactions(events))] + takenOverInteractions),
      (
        "unit_outcome",
        work("replay_several", several(events)) + work("replay_unit", unitsOfSeveralEvents(events))
          + inOrder(make("unit_outcome", columns, units(events))) + takenOverUnits
      ),
      (
        "daily_rate",
        work("replay_sum", sums).flatMap(RateRow.byHash)
          + [
            make("daily_rate", columns, byDay(RateRow.rates(from: "replay_sum"))),
            "analyze \(tables.dailyRate)",
          ]
      ), ("framed_rate", [make("framed_rate", columns, byDay(RateRow.framedRates(from: "replay_sum")))]),
      (
        "daily_action",
        RateRow.byHash(make("daily_action", columns, byDay(actions)))
          + ["drop table replay_several, replay_unit, replay_sum"]
      ),
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

  private func events(areUnitsSealed: Bool) -> SQL {
    var isWanted: SQL = "position <= \(position) \(isOfApp)"
    if areUnitsSealed {
      isWanted +=
        " and not exists (select from unit_outcome sealed where \(isTakenOver) and sealed.unit_id = event.unit_id)"
    }
    return "(select \(UnitFacts.eventColumns) from event where \(isWanted)) event"
  }

  /// Rows made of each half of the units, which one process reads and merges alone. Where several work on all units, each
  /// has a part of many a unit, and one of them has to merge these once more.
  private func inHalves(_ source: SQL, _ rows: (_ half: SQL) -> SQL) -> SQL {
    let middle: SQL = "'80000000-0000-0000-0000-000000000000'"
    func half(_ isIn: SQL) -> SQL { rows("(select * from \(source) where unit_id \(isIn)) half") }
    return "\(half("< \(middle)")) union all \(half(">= \(middle)"))"
  }

  private func interactions(_ events: SQL) -> SQL {
    "select distinct * from (\(UnitFacts.interactions(from: events))) interaction"
  }

  /// Whether a unit of the serving tables lost events, and is taken over as it is.
  ///
  /// Of one app, those of days that have lost events: what is left of them, such as a second delivery, would make other units of
  /// other days. Units of later days have lost nothing that counts, and are as the position has them.
  private var isTakenOver: SQL {
    guard app != nil else { return "is_sealed" }
    return """
      (is_sealed \(isOfApp) and coalesce(delivered_at, first_seen_at) <= \(RetiredEvents.lastTime))
      """
  }

  private var takenOverInteractions: [SQL] {
    [
      """
      insert into \(tables.unitInteraction)
      select known.* from unit_interaction known join unit_outcome using (unit_id) where \(isTakenOver)
      """, "analyze \(tables.unitInteraction)",
    ]
  }

  private var takenOverUnits: [SQL] {
    [
      "insert into \(tables.unitOutcome) select * from unit_outcome where \(isTakenOver)",
      "analyze \(tables.unitOutcome)",
    ]
  }

  /// Most units have one event, of which nothing is to be merged, sorted or joined; these are the others.
  private func several(_ events: SQL) -> SQL { inHalves(events, UnitFacts.several) }

  private func unitsOfSeveralEvents(_ events: SQL) -> SQL {
    let several: SQL = "(select * from \(events) join replay_several using (unit_id)) event"
    let units = withCategory(inHalves(several, UnitFacts.mergedWithFirst))
    // By time, as the job leaves units: a report reads those of some days.
    return isTemporary ? units : "\(units) order by delivered_at"
  }

  private func withCategory(_ facts: SQL) -> SQL {
    """
    select *, coalesce(
        case when delivered_at is null then interaction_category else delivered_category end, '') as category,
      false as is_sealed
    from (\(facts)) fact
    """
  }

  private func units(_ events: SQL) -> SQL {
    let single: SQL = """
      (select * from \(events) where not exists (select from replay_several where unit_id = event.unit_id)) event
      """
    return "\(withCategory(UnitFacts.single(from: single))) union all select * from replay_unit"
  }

  /// A statement whose processes read one table after the other together, so that rows come nearly in the order that they
  /// have there, by time.
  private func inOrder(_ statement: SQL) -> [SQL] {
    [
      "set local enable_parallel_append = off", "set local parallel_tuple_cost = 0.01", statement,
      "set local enable_parallel_append = on", "reset parallel_tuple_cost",
    ]
  }

  private var sums: SQL {
    let halves = inHalves(tables.unitOutcome) { half in
      RateRow.sums(of: "(select * from \(half))", weight: "1")
    }
    let key: SQL = "frame_id, \(RateRow.keyColumns), offered"
    return "select \(key), \(RateRow.counts.sums) from (\(halves)) half group by \(key)"
  }

  /// As the job leaves them: it moves the rows of the last days, and these lie together.
  private func byDay(_ rows: SQL) -> SQL { "\(rows) order by app_id, day" }

  private var actions: SQL {
    // Who took an action has a delivery and that.
    let units: SQL = """
      select \(ActionRow.unitColumns) from replay_unit
      union all
      select \(ActionRow.unitColumns) from unit_outcome where \(isTakenOver)
      """
    return ActionRow.actions(
      offeredIn: "replay_sum",
      taken: ActionRow.taken(by: "(\(units))", of: tables.unitInteraction))
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
