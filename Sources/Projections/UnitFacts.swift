internal import EngagementEvents
internal import Postgres

/// How events become what is known of a unit, as pieces of SQL: the same for a range of new events and for the whole log.
enum UnitFacts {
  /// What is needed of the rows of `event`.
  static let eventColumns: SQL = """
    unit_id, app_id, device_key, day, type, time_quality, corrected_at, received_at, category, intended, attached,
    coalesce(custom_interface, false) as custom_interface, fallback, coalesce(action_id, '') as action_id,
    reply_length is not null as replied, experiment, arm, case when type = 0 then source end as source,
    detail ->> 'actions' as offered, detail ->> 'appVersion' as app_version,
    detail ->> 'interruptionLevel' as interruption_level
    """

  /// The events of a source that has `eventColumns`, merged by unit with operations that commute and repeat harmlessly.
  ///
  /// The unit's id is made from app and device, so that grouping by these as well makes no more groups.
  static func merged(from source: SQL) -> SQL {
    """
    select unit_id, app_id, device_key, min(corrected_at) as first_seen_at,
      min(corrected_at) filter (where type = 0) as delivered_at,
      min(category collate "C") filter (where type = 0 and category <> '') as delivered_category,
      min(category collate "C") filter (where type <> 0 and category <> '') as interaction_category,
      bit_or(intended) as intended, bit_or(attached) as attached, bool_or(custom_interface) as custom_interface,
      min(fallback) as fallback, min(offered collate "C") as offered,
      min(experiment collate "C") as experiment, min(arm collate "C") as arm, min(source) as source,
      min(app_version collate "C") as app_version, min(interruption_level collate "C") as interruption_level
    from \(source)
    where time_quality <> 2
    group by unit_id, app_id, device_key
    """
  }

  /// The interactions of a source that has `eventColumns`, as often as they come, as rows of `unit_interaction`.
  static func interactions(from source: SQL) -> SQL {
    """
    select unit_id, corrected_at as at, type, action_id, replied from \(source) where type <> 0 and time_quality <> 2
    """
  }

  /// What puts rows of `unit_interaction` in the order of their key.
  static let interactionOrder: SQL = "unit_id, at, type, action_id, replied"

  /// Units with their facts, and the first interaction of each kind at or after the delivery.
  ///
  /// - Parameters:
  ///   - facts: units with their facts.
  ///   - first: what ``firstInteractions(of:deliveries:)`` gives of these units at least.
  static func outcomes(of facts: SQL, first: SQL) -> SQL {
    """
    select fact.*, expanded_at, opened_at, acted_at, replied_at, dismissed_at
    from \(facts) fact left join \(first) first using (unit_id)
    """
  }

  /// The first interaction of each kind at or after the delivery, of the units that have any.
  ///
  /// - Parameters:
  ///   - interactions: rows of `unit_interaction`; repeats change nothing.
  ///   - deliveries: rows of `unit_id` and `delivered_at`, the earliest of each unit or all: later ones find nothing earlier.
  static func firstInteractions(of interactions: SQL, deliveries: SQL) -> SQL {
    """
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
      from \(deliveries) delivery join \(interactions) interaction using (unit_id)
      where at >= delivered_at
    ) interaction
    group by unit_id
    """
  }

  /// The columns of `unit_outcome` that follow from the events.
  static let columns: SQL = """
    unit_id, app_id, device_key, first_seen_at, delivered_at, category, intended, attached, custom_interface, fallback,
    offered, experiment, arm, source, app_version, interruption_level, expanded_at, opened_at, acted_at, replied_at,
    dismissed_at
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
