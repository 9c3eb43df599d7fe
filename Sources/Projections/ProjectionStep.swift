internal import EngagementEvents
internal import Postgres

/// The statements that project one range of positions, in the order in which they run in one transaction.
///
/// The temporary tables live as long as the transaction. They are analysed before they are joined, or else the planner
/// takes them for empty and scans all units.
enum ProjectionStep {
  /// Everything the step needs of the range's events.
  static func readEvents(after low: Int64, upTo high: Int64) -> SQL {
    """
    create temporary table step_event on commit drop as
    select unit_id, app_id, device_key, type, time_quality, corrected_at, received_at, category, intended, attached,
      coalesce(custom_interface, false) as custom_interface, fallback, coalesce(action_id, '') as action_id,
      reply_length is not null as replied, experiment, arm, detail ->> 'actions' as offered
    from event
    where position > \(unsafeRaw: "\(low)") and position <= \(unsafeRaw: "\(high)")
    """
  }

  static let statements: [SQL] = [
    countImplausible, keepInteractions, mergeEvents, "analyze step_unit", readFormerState,
    "analyze step_former",
    mergeWithFormerState, "analyze step_merged", measureUnits, writeUnits, moveDailyRates,
    "delete from daily_rate where delivered = 0",
  ]

  /// Times that cannot be believed are counted apart, and play no part in what follows.
  private static let countImplausible: SQL = """
    insert into daily_implausible (app_id, day, category, events)
    select app_id, (received_at at time zone zone)::date as day, category, count(*)
    from step_event join app using (app_id)
    where time_quality = 2
    group by app_id, day, category
    on conflict (app_id, day, category) do update set events = daily_implausible.events + excluded.events
    """

  private static let keepInteractions: SQL = """
    insert into unit_interaction (unit_id, at, type, action_id, replied)
    select distinct unit_id, corrected_at, type, action_id, replied
    from step_event
    where type <> 0 and time_quality <> 2
    order by unit_id, corrected_at
    on conflict do nothing
    """

  /// The range's events, merged by unit.
  private static let mergeEvents: SQL = """
    create temporary table step_unit on commit drop as
    select unit_id, min(app_id) as app_id, min(device_key::text)::uuid as device_key, min(corrected_at) as first_seen_at,
      min(corrected_at) filter (where type = 0) as delivered_at,
      min(category collate "C") filter (where type = 0 and category <> '') as delivered_category,
      min(category collate "C") filter (where type <> 0 and category <> '') as interaction_category,
      bit_or(intended) as intended, bit_or(attached) as attached, bool_or(custom_interface) as custom_interface,
      min(fallback) as fallback, min(offered collate "C") as offered,
      min(experiment collate "C") as experiment, min(arm collate "C") as arm
    from step_event
    where time_quality <> 2
    group by unit_id
    """

  private static let readFormerState: SQL = """
    create temporary table step_former on commit drop as
    select unit_outcome.* from step_unit join unit_outcome using (unit_id)
    """

  /// The facts of each unit that was touched, old and new. What an orphan's interactions say of the category gives way to
  /// what its delivery says once that is there.
  private static let mergeWithFormerState: SQL = """
    create temporary table step_merged on commit drop as
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
      least(old.arm collate "C", new.arm) as arm
    from step_unit new left join step_former old using (unit_id)
    """

  /// The first interaction of each kind at or after the delivery.
  private static let measureUnits: SQL = """
    create temporary table step_new on commit drop as
    with first as (
      select unit_id,
        min(at) filter (where type = 1) as expanded_at,
        min(at) filter (where action_id = \(literal: ActionID.defaultAction.text)) as opened_at,
        min(at) filter (where is_custom) as acted_at,
        min(at) filter (where is_custom and replied) as replied_at,
        min(at) filter (where action_id = \(literal: ActionID.dismiss.text)) as dismissed_at
      from (
        select unit_id, at, type, action_id, replied,
          type = 2 and action_id not in (\(literal: ActionID.defaultAction.text), \(literal: ActionID.dismiss.text))
            as is_custom
        from step_merged join unit_interaction using (unit_id)
        where at >= delivered_at
      ) interaction
      group by unit_id
    )
    select step_merged.*, expanded_at, opened_at, acted_at, replied_at, dismissed_at
    from step_merged left join first using (unit_id)
    """

  private static let writeUnits: SQL = """
    insert into unit_outcome (\(unitColumns))
    select \(unitColumns) from step_new order by unit_id
    on conflict (unit_id) do update set
      first_seen_at = excluded.first_seen_at, delivered_at = excluded.delivered_at, category = excluded.category,
      intended = excluded.intended, attached = excluded.attached, custom_interface = excluded.custom_interface,
      fallback = excluded.fallback, offered = excluded.offered, experiment = excluded.experiment, arm = excluded.arm,
      expanded_at = excluded.expanded_at, opened_at = excluded.opened_at, acted_at = excluded.acted_at,
      replied_at = excluded.replied_at, dismissed_at = excluded.dismissed_at
    """

  private static let unitColumns: SQL = """
    unit_id, app_id, device_key, first_seen_at, delivered_at, category, intended, attached, custom_interface, fallback,
    offered, experiment, arm, expanded_at, opened_at, acted_at, replied_at, dismissed_at
    """

  /// The daily rows change by the difference that the range made to each unit: the new state added, the former taken away.
  private static let moveDailyRates: SQL = """
    insert into daily_rate (app_id, day, category, intended, shown, custom_interface, bucket, \(RateRow.countColumns))
    select * from (
      select app_id, (delivered_at at time zone zone)::date as day, category, \(RateRow.armColumns), \(RateRow.bucket),
        \(RateRow.counts(weight: "sign", window: "attribution_window"))
      from (
        select 1 as sign, \(unitColumns) from step_new
        union all
        select -1, \(unitColumns) from step_former
      ) unit join app using (app_id)
      where delivered_at is not null
      group by 1, 2, 3, 4, 5, 6, 7
    ) change
    where \(RateRow.isAnyCountNot(0))
    on conflict (app_id, day, category, intended, shown, custom_interface, bucket) do update set
      \(RateRow.sums(into: "daily_rate"))
    """
}

extension SQL.StringInterpolation {
  /// A text constant of ours, spliced in where a statement cannot bind: `create table as` takes no parameters.
  fileprivate mutating func appendInterpolation(literal text: String) {
    appendInterpolation(
      unsafeRaw: "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        + "'")
  }
}
