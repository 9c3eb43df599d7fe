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

  /// What is known of a unit: the value that an event tells, the events that tell it, and how the values of several are
  /// merged, with operations that commute and repeat harmlessly.
  private struct Fact {
    let name: String
    let value: SQL
    var tellers: SQL?
    let merge: String

    static func least(_ name: String, _ value: SQL, of tellers: SQL? = nil) -> Fact {
      Fact(name: name, value: value, tellers: tellers, merge: "min")
    }

    var ofMany: SQL {
      let merged: SQL = "\(unsafeRaw: merge)(\(value))"
      return tellers.map { "\(merged) filter (where \($0))" } ?? merged
    }

    var ofOne: SQL { tellers.map { "case when \($0) then \(value) end" } ?? value }
  }

  private static let facts: [Fact] = [
    .least("first_seen_at", "corrected_at"),
    .least("delivered_at", "corrected_at", of: "type = 0"),
    .least("delivered_category", #"category collate "C""#, of: "type = 0 and category <> ''"),
    .least("interaction_category", #"category collate "C""#, of: "type <> 0 and category <> ''"),
    Fact(name: "intended", value: "intended", merge: "bit_or"),
    Fact(name: "attached", value: "attached", merge: "bit_or"),
    Fact(name: "custom_interface", value: "custom_interface", merge: "bool_or"),
    .least("fallback", "fallback"),
    .least("offered", #"offered collate "C""#),
    .least("experiment", #"experiment collate "C""#),
    .least("arm", #"arm collate "C""#),
    .least("source", "source"),
    .least("app_version", #"app_version collate "C""#),
    .least("interruption_level", #"interruption_level collate "C""#),
  ]

  /// What tells units apart. The unit's id is made from app and device, so that grouping by these as well makes no more groups.
  private static let key: SQL = "unit_id, app_id, device_key"

  /// The units of a source that has `eventColumns`, each with what its events tell together.
  static func merged(from source: SQL) -> SQL {
    "select \(columns(\.ofMany)) from \(source) where time_quality <> 2 group by \(key)"
  }

  private static func columns(_ form: (Fact) -> SQL) -> SQL {
    facts.reduce(key) { "\($0), \(form($1)) as \(identifier: $1.name)" }
  }

  /// The units of a source that has `eventColumns` of which there is more than one event, with the earliest delivery.
  static func several(from source: SQL) -> SQL {
    """
    select unit_id, min(corrected_at) filter (where type = 0) as unit_delivered_at
    from \(source) where time_quality <> 2 group by unit_id having count(*) > 1
    """
  }

  /// As ``merged(from:)``, with the first interactions, of events joined to what ``several(from:)`` gives of their units.
  static func mergedWithFirst(from source: SQL) -> SQL {
    var columns = columns(\.ofMany)
    for kind in kinds {
      columns += """
        , min(corrected_at) filter (where type <> 0 and corrected_at >= unit_delivered_at and \(kind.condition))
          as \(identifier: kind.name)
        """
    }
    return "select \(columns) from \(source) where time_quality <> 2 group by \(key)"
  }

  /// The same where no unit has more than one event, and so no interaction after a delivery.
  static func single(from source: SQL) -> SQL {
    var columns = columns(\.ofOne)
    for kind in kinds { columns += ", null::timestamptz as \(identifier: kind.name)" }
    return "select \(columns) from \(source) where time_quality <> 2"
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

  /// The kinds of which the first is kept: the column, and what tells an interaction of the kind by its `type`, `action_id`
  /// and `replied`.
  private static let kinds: [(name: String, condition: SQL)] = {
    let (opening, dismissal) = (quoted(ActionID.defaultAction), quoted(ActionID.dismiss))
    let custom: SQL = "type = 2 and action_id not in (\(ActionRow.notCustom))"
    return [
      ("expanded_at", "type = 1"),
      ("opened_at", "action_id = \(opening)"),
      ("acted_at", custom),
      ("replied_at", "\(custom) and replied"),
      ("dismissed_at", "action_id = \(dismissal)"),
    ]
  }()

  /// A constant of ours, spliced in where a statement cannot bind: `create table as` takes no parameters.
  private static func quoted(_ action: ActionID) -> SQL { SQL(unsafeRaw: "'\(action.text)'") }

  /// The first interaction of each kind at or after the delivery, of the units that have any.
  ///
  /// - Parameters:
  ///   - interactions: rows of `unit_interaction`; repeats change nothing.
  ///   - deliveries: rows of `unit_id` and `delivered_at`, the earliest of each unit or all: later ones find nothing earlier.
  static func firstInteractions(of interactions: SQL, deliveries: SQL) -> SQL {
    var columns: SQL = "unit_id"
    for kind in kinds {
      columns += ", min(at) filter (where \(kind.condition)) as \(identifier: kind.name)"
    }
    return """
      select \(columns)
      from \(deliveries) delivery join \(interactions) interaction using (unit_id)
      where at >= delivered_at
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
