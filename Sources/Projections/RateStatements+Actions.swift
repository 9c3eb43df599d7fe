internal import EventStore
internal import Postgres

/// The statements that count single actions. They add up by hash: to be run as `RateRow.byHash` has it.
extension RateStatements {
  /// The most pairs of category and action: a sender who makes up identifiers must not fill the memory.
  static let actionLimit = 200

  /// As `counted` has it, of an action over the units that were offered it.
  func counted(_ action: String) -> SQL {
    """
    select day, category, \(isRich) as is_rich, bucket, offered as units, taken as successes, in_experiment,
      case when intended then offered else 0 end as intended_rich,
      case when intended and not shown then offered else 0 end as fell_back, interaction as interacting, immature
    from (\(actionRows)) action
    where action_id = \(action) and (offered <> 0 or immature <> 0)
    """
  }

  /// category, mature units: whether or not they were offered an action.
  var deliveredUnits: SQL {
    """
    select category, sum(delivered)::bigint from (\(dailyRows)) daily where \(isWantedCategory) group by category
    """
  }

  /// category, action, is rich, bucket, units offered it, of these those that took it, others that took it: of mature units.
  var actions: SQL {
    """
    with counted as (
      select category, action_id, \(isRich) as is_rich, bucket, sum(offered)::bigint as offered,
        coalesce(sum(taken) filter (where action_id not in (\(ActionRow.notCustom))), 0)::bigint as taken,
        sum(unoffered)::bigint as unoffered
      from (\(actionRows)) action
      where \(isWantedCategory)
      group by category, action_id, 3, bucket
      having sum(offered) <> 0 or sum(unoffered) <> 0
    ), listed as (
      select category, action_id from counted group by category, action_id
      order by sum(offered + unoffered) desc, category collate "C", action_id collate "C" limit \(Self.actionLimit)
    )
    select category, action_id, is_rich, bucket, offered, taken, unoffered
    from counted join listed using (category, action_id)
    order by category collate "C", action_id collate "C", is_rich, bucket
    """
  }

  /// day, category, intended, shown, custom_interface, bucket, action_id, immature, and the counts of `daily_action` over mature
  /// units: rows that add up, in the query's zone and window.
  private var actionRows: SQL {
    guard let frame else {
      return """
        \(columns(immature: "0")) from (\(unitActions(isMature))) mature
        union all
        \(columns(immature: "offered", counting: "false")) from (\(unitActions(isImmature))) immature
        """
    }
    let kept: SQL = """
      \(columns(immature: "case when \(isWholeDay) then 0 else offered end", counting: isWholeDay))
      from \(tables.dailyAction)
      where app_id = \(query.app.id.rawValue) and frame_id = \(frame.id) and \(period.contains(day: "day"))
      """
    guard period.hasOpenDays else { return kept }
    let made = unitActions(isMadeUpFor, weight: makeUpWeight)
    return "\(kept) union all \(columns(immature: "-offered")) from (\(made)) made"
  }

  /// The beginning of a statement that gives rows of that shape.
  private func columns(immature: SQL, counting isCounted: SQL = "true") -> SQL {
    """
    select day, category, intended, shown, custom_interface, bucket, action_id, \(immature) as immature,
      \(ActionRow.counts.values(where: isCounted))
    """
  }

  /// Some of the period's units in rows of the shape of `daily_action`.
  ///
  /// - Parameter weight: what a unit counts, a whole number.
  private func unitActions(_ condition: SQL, weight: SQL = "1") -> SQL {
    let units: SQL = "(select * from \(tables.unitOutcome) where \(isInPeriod) and \(condition))"
    let frame: SQL = """
      (
        select \(query.app.id.rawValue) as app_id, 0::smallint as frame_id, \(query.zone)::text as zone,
          \(window) as attribution_window
      ) frame
      """
    return ActionRow.actions(
      offeredIn: "(\(RateRow.sums(of: units, weight: weight, in: frame)))",
      taken: ActionRow.taken(by: units, of: tables.unitInteraction, weight: weight, in: frame))
  }
}
