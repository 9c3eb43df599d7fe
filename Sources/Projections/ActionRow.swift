internal import EngagementEvents
internal import Postgres

/// The shape of `daily_action`, the additive rows that the rates of single actions are made from, as pieces of SQL.
enum ActionRow {
  /// What tells the rows apart.
  static let keyColumns: SQL =
    "app_id, frame_id, day, category, intended, shown, custom_interface, bucket, action_id"

  /// Of the units offered the action: how many, in an experiment, with any interaction, that took it; and the units that took it
  /// and are not known to have been offered it.
  static let counts = AdditiveColumns(names: [
    "offered", "in_experiment", "interaction", "taken", "unoffered",
  ])

  /// The rows.
  ///
  /// - Parameters:
  ///   - sums: rows of `RateRow.sums(of:weight:)`.
  ///   - taken: rows of ``taken(by:of:weight:)``.
  static func actions(offeredIn sums: SQL, taken: SQL) -> SQL {
    let sums: SQL = """
      select \(keyColumns), delivered as offered, in_experiment, interaction, 0 as taken, 0 as unoffered
      from \(sums) sum
        cross join lateral (select distinct action_id from jsonb_array_elements_text(offered::jsonb) action_id) offer
      """
    return """
      select \(keyColumns), \(counts.sums)
      from (\(sums) union all \(taken)) part
      group by \(keyColumns)
      """
  }

  /// What is needed of units.
  static let unitColumns: SQL = """
    unit_id, app_id, device_key, category, intended, attached, custom_interface, delivered_at, offered
    """

  /// What units did of what they were offered, and of what they were not: rows of this shape, several of a kind.
  ///
  /// - Parameters:
  ///   - units: a table of units that has ``unitColumns``, as `unit_outcome` does.
  ///   - interactions: rows of `unit_interaction`; repeats change nothing.
  ///   - weight: what a unit counts, a whole number.
  ///   - frames: rows as `RateFrame.all` has them.
  static func taken(
    by units: SQL, of interactions: SQL, weight: SQL = "1", in frames: SQL = RateFrame.all
  ) -> SQL {
    """
    select app_id, frame_id, (delivered_at at time zone zone)::date as day, category, \(RateRow.armColumns),
      \(RateRow.bucket), action_id, 0 as offered, 0 as in_experiment, 0 as interaction,
      case when is_offered then \(weight) else 0 end as taken, case when is_offered then 0 else \(weight) end as unoffered
    from (
      select unit_id, app_id, device_key, category, intended, attached, custom_interface, delivered_at, action_id,
        coalesce(offered::jsonb, '[]') ? action_id as is_offered, min(at) as first_at
      from \(units) unit join \(interactions) interaction using (unit_id)
      where type = 2 and at >= delivered_at and (action_id not in (\(notCustom)) or \(mayOfferSystemActions))
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) took join \(frames) using (app_id)
    where first_at < delivered_at + attribution_window and (is_offered or action_id not in (\(notCustom)))
    """
  }

  /// Passes over nearly all openings before they are grouped: hardly anybody offers what the system has anyway.
  private static let mayOfferSystemActions: SQL = "strpos(offered, 'com.apple.UNNotification') > 0"

  /// The system's own identifiers, which are nobody's buttons.
  static let notCustom = SQL(
    unsafeRaw: [ActionID.defaultAction, .dismiss].map { "'\($0.text)'" }.joined(separator: ", "))
}
