internal import Postgres

/// The statements that project one range of positions into a set of tables, in the order in which they run in one
/// transaction.
///
/// The temporary tables live as long as the transaction. They are analysed before they are joined, or else the planner
/// takes them for empty and scans all units.
struct ProjectionStep {
  let tables: ProjectionTables

  /// Everything the step needs of the range's events.
  static func readEvents(after low: Int64, upTo high: Int64) -> SQL {
    """
    create temporary table step_event on commit drop as
    select \(UnitFacts.eventColumns)
    from event
    where position > \(unsafeRaw: "\(low)") and position <= \(unsafeRaw: "\(high)")
    """
  }

  /// The planner needs to know how many rows a temporary table has, and hardly more.
  static let settings = "set local default_statistics_target = 1"

  var statements: [SQL] {
    [countEvents, countImplausible, mergeEvents, "analyze step_unit"]
      + Self.byIndex(readFormerState) + ["analyze step_former"] + Self.byIndex(readFormerInteractions)
      + [
        addNewInteractions, addMoreInteractions, readInteractions, "analyze step_interaction", measureUnits,
        "analyze step_new", addNewUnits, changeKnownUnits,
      ] + RateRow.byHash(sumUpChanges) + [
        "analyze step_sum", moveDailyRates, moveFramedRates, moveDailyActions,
      ]
      + removeEmptyRows.flatMap(Self.byIndex)
  }

  /// A statement that must not scan a table of history, whatever the planner knows of it.
  static func byIndex(_ statement: SQL) -> [SQL] {
    ["set local enable_seqscan = off", statement, "set local enable_seqscan = on"]
  }

  private var countEvents: SQL {
    """
    insert into \(tables.logTally) as tally (week, events)
    select date_trunc('week', day::timestamp)::date as week, sum(events)
    from (select day, count(*) as events from step_event group by day) daily
    group by 1
    on conflict (week) do update set events = tally.events + excluded.events
    """
  }

  /// Times that cannot be believed are counted apart, and play no part in what follows.
  private var countImplausible: SQL {
    """
    insert into \(tables.dailyImplausible) as known (app_id, day, category, events)
    select app_id, (received_at at time zone zone)::date as day, category, count(*)
    from step_event join app using (app_id)
    where time_quality = 2
    group by app_id, 2, category
    on conflict (app_id, day, category) do update set events = known.events + excluded.events
    """
  }

  private let mergeEvents: SQL = """
    create temporary table step_unit on commit drop as
    \(UnitFacts.merged(from: "step_event"))
    order by unit_id
    """

  /// Looks the range's units up one by one. As a plain join, the planner could come to read all units of history, and it
  /// does while it knows little of them.
  private var readFormerState: SQL {
    """
    create temporary table step_former on commit drop as
    select former.*
    from step_unit
      cross join lateral (select * from \(tables.unitOutcome) known where known.unit_id = step_unit.unit_id offset 0) former
    """
  }

  /// Of units that were not known nothing is there to be repeated.
  private var addNewInteractions: SQL {
    """
    insert into \(tables.unitInteraction) (unit_id, at, type, action_id, replied)
    select distinct * from (\(UnitFacts.interactions(from: "step_event"))) interaction
    where not exists (select from step_former where step_former.unit_id = interaction.unit_id)
    order by \(UnitFacts.interactionOrder)
    """
  }

  private var addMoreInteractions: SQL {
    """
    insert into \(tables.unitInteraction) (unit_id, at, type, action_id, replied)
    select * from (
      select * from (\(UnitFacts.interactions(from: "step_event"))) interaction
      where exists (select from step_former where step_former.unit_id = interaction.unit_id)
      except
      select * from step_former_interaction
    ) interaction
    order by \(UnitFacts.interactionOrder)
    """
  }

  private var readFormerInteractions: SQL {
    """
    create temporary table step_former_interaction on commit drop as
    select known.unit_id, known.at, known.type, known.action_id, known.replied
    from step_former
      cross join lateral (
        select * from \(tables.unitInteraction) known where known.unit_id = step_former.unit_id offset 0) known
    """
  }

  /// The range's own, and what was there of units that were known.
  private let readInteractions: SQL = """
    create temporary table step_interaction on commit drop as
    \(UnitFacts.interactions(from: "step_event"))
    union all
    select * from step_former_interaction
    """

  /// The facts of each unit that was touched, old and new. What an orphan's interactions say of the category gives way to
  /// what its delivery says once that is there.
  private let mergedWithFormerState: SQL = """
    select new.unit_id, new.app_id, new.device_key,
      least(old.first_seen_at, new.first_seen_at) as first_seen_at,
      least(old.delivered_at, new.delivered_at) as delivered_at,
      coalesce(
        case
          when old.delivered_at is null and new.delivered_at is null
          then least(nullif(old.category, '') collate "C", new.interaction_category)
          when old.delivered_at is null then new.delivered_category
          else least(nullif(old.category, '') collate "C", new.delivered_category)
        end, '') as category,
      coalesce(old.intended | new.intended, old.intended, new.intended) as intended,
      coalesce(old.attached | new.attached, old.attached, new.attached) as attached,
      coalesce(old.custom_interface, false) or new.custom_interface as custom_interface,
      least(old.fallback, new.fallback) as fallback,
      least(old.offered collate "C", new.offered) as offered,
      least(old.experiment collate "C", new.experiment) as experiment,
      least(old.arm collate "C", new.arm) as arm,
      least(old.source, new.source) as source,
      least(old.app_version collate "C", new.app_version) as app_version,
      least(old.interruption_level collate "C", new.interruption_level) as interruption_level
    from step_unit new left join step_former old using (unit_id)
    """

  private var measureUnits: SQL {
    let deliveries: SQL = """
      (select unit_id, delivered_at from step_unit union all select unit_id, delivered_at from step_former)
      """
    return """
      create temporary table step_new on commit drop as
      \(UnitFacts.outcomes(
        of: "(\(mergedWithFormerState))",
        first: "(\(UnitFacts.firstInteractions(of: "step_interaction", deliveries: deliveries)))"))
      """
  }

  /// Apart from the known ones: to be ready for a conflict costs a third more, and nobody else writes here.
  private var addNewUnits: SQL {
    """
    insert into \(tables.unitOutcome) (\(UnitFacts.columns))
    select \(UnitFacts.columns) from step_new
    where not exists (select from step_former where step_former.unit_id = step_new.unit_id)
    order by unit_id
    """
  }

  private var changeKnownUnits: SQL {
    """
    insert into \(tables.unitOutcome) (\(UnitFacts.columns))
    select \(UnitFacts.columns) from step_new
    where exists (select from step_former where step_former.unit_id = step_new.unit_id)
    order by unit_id
    on conflict (unit_id) do update set
      first_seen_at = excluded.first_seen_at, delivered_at = excluded.delivered_at, category = excluded.category,
      intended = excluded.intended, attached = excluded.attached, custom_interface = excluded.custom_interface,
      fallback = excluded.fallback, offered = excluded.offered, experiment = excluded.experiment, arm = excluded.arm,
      source = excluded.source, app_version = excluded.app_version,
      interruption_level = excluded.interruption_level, expanded_at = excluded.expanded_at,
      opened_at = excluded.opened_at, acted_at = excluded.acted_at, replied_at = excluded.replied_at,
      dismissed_at = excluded.dismissed_at
    """
  }

  /// What the range changed: the new state of each unit added, the former taken away.
  private let sumUpChanges: SQL = """
    create temporary table step_sum on commit drop as
    \(RateRow.sums(
      of: """
        (select 1 as sign, \(UnitFacts.columns) from step_new
        union all
        select -1, \(UnitFacts.columns) from step_former)
        """, weight: "sign"))
    """

  private var moveDailyRates: SQL {
    """
    insert into \(tables.dailyRate) as rate (\(RateRow.keyColumns), \(RateRow.counts.list))
    select * from (\(RateRow.rates(from: "step_sum"))) change
    where \(RateRow.counts.isAnyNotZero)
    on conflict (\(RateRow.keyColumns)) do update set \(RateRow.counts.additions(to: "rate"))
    """
  }

  private var moveFramedRates: SQL {
    """
    insert into \(tables.framedRate) as rate (frame_id, \(RateRow.keyColumns), \(RateRow.counts.list))
    select * from (\(RateRow.framedRates(from: "step_sum"))) change
    where \(RateRow.counts.isAnyNotZero)
    on conflict (frame_id, \(RateRow.keyColumns)) do update set \(RateRow.counts.additions(to: "rate"))
    """
  }

  private var moveDailyActions: SQL {
    let taken: SQL = """
      \(ActionRow.taken(by: "step_new", of: "step_interaction"))
      union all
      \(ActionRow.taken(by: "step_former", of: "step_former_interaction", weight: "-1"))
      """
    return """
      insert into \(tables.dailyAction) as action (\(ActionRow.keyColumns), \(ActionRow.counts.list))
      select * from (\(ActionRow.actions(offeredIn: "step_sum", taken: taken))) change
      where \(ActionRow.counts.isAnyNotZero)
      on conflict (\(ActionRow.keyColumns)) do update set \(ActionRow.counts.additions(to: "action"))
      """
  }

  /// Rows that late data emptied.
  private var removeEmptyRows: [SQL] {
    [
      "delete from \(tables.dailyRate) where delivered = 0",
      "delete from \(tables.framedRate) where delivered = 0",
      "delete from \(tables.dailyAction) where offered = 0 and unoffered = 0",
    ]
  }
}
