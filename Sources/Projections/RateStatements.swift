internal import EngagementEvents
internal import EventStore
internal import Postgres

/// The statements by which a query is answered, given how far the store has read.
struct RateStatements {
  /// May become narrower in its category, and in nothing else.
  var query: RateQuery
  let period: RatePeriod
  let tables: ProjectionTables
  let window: SQL
  /// The zone and window that rates are kept in, if these are the query's; nil where the units have to be counted.
  var frame: RateFrame?
  /// What makes up for the daily rows; none until it has been summed up.
  var unitRows = UnitRows.none
  /// The categories whose units are all in the denominator, and those of others are not; nil where each unit has to be looked at.
  var wholeCategories: [String]?

  init(_ query: RateQuery, _ period: RatePeriod, tables: ProjectionTables = .serving) {
    self.query = query
    self.period = period
    self.tables = tables
    window = "(\(query.windowSeconds) * interval '1 second')"
  }

  /// category, is rich, bucket, units, successes, units in an experiment, units intended rich, of these those shown without
  /// media, units with any interaction, immature units. All but the last count mature units.
  var cells: SQL {
    """
    select category, is_rich, bucket, sum(units)::bigint, sum(successes)::bigint, sum(in_experiment)::bigint,
      sum(intended_rich)::bigint, sum(fell_back)::bigint, sum(interacting)::bigint, sum(immature)::bigint
    from (\(counted)) source
    where \(isWantedCategory)
    group by category, is_rich, bucket
    order by category collate "C", is_rich, bucket
    """
  }

  /// slots, devices: how many devices have mature units in exactly these slots, told by a text with a digit for each slot,
  /// 1 where they have. A category has two slots, text before rich, in the order given.
  ///
  /// - Parameter categories: all that the report has.
  func devices(_ sample: DeviceSample, in categories: [String]) -> SQL {
    let none = SQL(unsafeRaw: "B'" + String(repeating: "0", count: 2 * categories.count) + "'")
    return """
      select slots, count(*)
      from (
        select bit_or(set_bit(\(none), 2 * array_position(\(categories), category) - case when \(isRich) then 1 else 2 end, 1))::text
          as slots
        from (\(units())) unit
        where \(isMature) and \(isWantedCategory) and \(isInDenominator) and \(Self.isIn(sample))
        group by device_key
      ) device
      group by slots
      """
  }

  private static func isIn(_ sample: DeviceSample) -> SQL {
    let buckets = (0..<sample.buckets).map { "\($0)" }.joined(separator: ", ")
    return sample.isEveryDevice ? "true" : "\(RateRow.bucketNumber) in (\(unsafeRaw: buckets))"
  }

  /// category, experiment, its arm, rich units, text-only units: of the devices that are looked at.
  func experiments(_ sample: DeviceSample) -> SQL {
    """
    select category, experiment, arm, count(*) filter (where \(isRich)), count(*) filter (where not \(isRich))
    from (\(units(with: ", coalesce(arm, '') as arm"))) unit
    where \(isMature) and \(isWantedCategory) and \(isInDenominator) and \(Self.isIn(sample))
      and experiment is not null
    group by category, experiment, arm
    """
  }

  /// category, units with interactions and no delivery, such units that were dismissed and nothing else. They belong to the day
  /// on which they were first heard of.
  var orphans: SQL {
    """
    select category, count(*) filter (where interacted), count(*) filter (where not interacted)
    from (
      select category, exists (
          select from \(tables.unitInteraction) i
          where i.unit_id = unit.unit_id and not (i.type = 2 and i.action_id = \(ActionID.dismiss.text))
        ) as interacted
      from \(tables.unitOutcome) unit
      where app_id = \(query.app.id.rawValue) and delivered_at is null and \(period.contains(instant: "first_seen_at"))
        and \(isWantedCategory)
    ) unit
    group by category
    """
  }

  /// category, events. Their own time means nothing, so they belong to the day on which they came, in the app's zone.
  var implausible: SQL {
    """
    select category, sum(events)::bigint
    from \(tables.dailyImplausible)
    where app_id = \(query.app.id.rawValue) and \(period.contains(day: "day")) and \(isWantedCategory)
    group by category
    """
  }

  /// category, whether it ever reported an expansion, a dismissal: what was never reported may not be measurable. Nil for
  /// metrics that do not depend on it.
  var reportedKinds: SQL? {
    query.metric == .expansion || query.metric == .dismissal ? kindsEverReported : nil
  }

  /// The same whatever the metric.
  var kindsEverReported: SQL {
    """
    select category, sum(expansion) > 0 or bool_or(custom_interface), sum(dismissal) > 0
    from \(tables.dailyRate) where app_id = \(query.app.id.rawValue) group by category order by category collate "C"
    """
  }
}

extension RateStatements {
  /// day, category, is rich, bucket, units, successes and what `cells` adds up beside them: what the query counts, in rows that
  /// add up.
  var counted: SQL {
    if case .customAction(let action) = query.metric { return counted(action) }
    let successes: SQL =
      query.metric == .fallback
      ? "case when shown then 0 else delivered end" : "\(identifier: query.metric.id)"
    return """
      select day, category, \(isRich) as is_rich, bucket, delivered as units, \(successes) as successes, in_experiment,
        case when intended then delivered else 0 end as intended_rich,
        case when intended and not shown then delivered else 0 end as fell_back, interaction as interacting, immature
      from (\(dailyRows)) daily
      where \(isInDenominator)
      """
  }

  /// day, category, intended, shown, custom_interface, bucket, immature, and the counts of `daily_rate` over mature units:
  /// rows that add up, in the query's zone and window.
  var dailyRows: SQL {
    guard let frame else {
      guard let statement = unitRows.statement else { preconditionFailure("the units were not summed up") }
      return statement
    }
    let rows: SQL =
      frame.id == 0
      ? "\(tables.dailyRate) where true" : "\(tables.framedRate) where frame_id = \(frame.id)"
    let kept: SQL = """
      select day, category, intended, shown, custom_interface, bucket,
        case when \(isWholeDay) then 0 else delivered end as immature, \(RateRow.counts.values(where: isWholeDay))
      from \(rows) and app_id = \(query.app.id.rawValue) and \(period.contains(day: "day"))
      """
    return unitRows.statement.map { "\(kept) union all \($0)" } ?? kept
  }

  /// Whether what is kept of a day counts, all its units being mature.
  var isWholeDay: SQL { period.hasOpenDays ? "day < \(firstImmatureDay)" : "true" }

  /// The first day whose rows are taken as immature. The day on which windows were closing is mature in part: what makes up
  /// for that is read from its units, from the smaller part of them.
  private var firstImmatureDay: PostgresDate {
    (period.isFirstOpenMostlyImmature ? period.firstOpen : period.secondOpen).day
  }

  /// What makes up for the day that is mature in part: its mature units where its rows are taken as immature, and else its
  /// immature ones, to be taken away.
  var makeUp: SQL {
    sum(
      where: isMadeUpFor, weight: makeUpWeight,
      immature: period.isFirstOpenMostlyImmature ? "-count(*)" : "count(*)")
  }

  /// Which units those are.
  var isMadeUpFor: SQL {
    "\(period.isFirstOpenMostlyImmature ? isMature : isImmature) and \(period.isOnFirstOpen("delivered_at"))"
  }

  /// What each of them counts.
  var makeUpWeight: SQL { period.isFirstOpenMostlyImmature ? "1" : "-1" }

  /// All units of the period, in rows alike.
  var everyUnit: SQL {
    sum(
      where: "true", weight: "case when \(isMature) then 1 else 0 end",
      immature: "count(*) filter (where \(isImmature))")
  }

  /// - Parameters:
  ///   - weight: what a unit counts, a whole number.
  ///   - immature: how many of a row's units are not mature, an aggregate.
  private func sum(where condition: SQL, weight: SQL, immature: SQL) -> SQL {
    """
    select day, category, intended, shown, custom_interface, bucket, \(immature) as immature,
      \(RateRow.counts(weight: weight, window: window))
    from (select *, (delivered_at at time zone \(query.zone))::date as day from (\(units())) unit where \(condition)) unit
    group by day, category, intended, shown, custom_interface, bucket
    """
  }

  /// The delivered units of the period, whether or not their window has closed.
  ///
  /// - Parameter more: further columns, each after a comma.
  func units(with more: SQL = "") -> SQL {
    """
    select unit_id, device_key, category, experiment, delivered_at, offered, expanded_at, opened_at, acted_at, replied_at,
      dismissed_at, \(RateRow.armColumns), \(RateRow.bucket) \(more)
    from \(tables.unitOutcome) where \(isInPeriod)
    """
  }

  /// Whether a unit was delivered in the period.
  var isInPeriod: SQL {
    """
    app_id = \(query.app.id.rawValue) and delivered_at is not null and \(period.contains(instant: "delivered_at"))
    """
  }

  var isRich: SQL {
    switch query.armRule {
    case .intended: "intended"
    case .shown: "shown"
    case .shownOrInterface: "(shown or custom_interface)"
    }
  }

  /// Whether the window had closed when the last event that was read came in.
  var isMature: SQL { "(delivered_at <= \(period.matureUntil))" }
  /// Otherwise; said so that an index serves it.
  var isImmature: SQL { "(delivered_at > \(period.matureUntil))" }

  var isInDenominator: SQL {
    switch query.metric {
    case .customAction(let identifier):
      wholeCategories.map { "category = any(\($0))" } ?? "coalesce(offered::jsonb, '[]') ? \(identifier)"
    case .fallback: "intended"
    default: "true"
    }
  }

  var isSuccess: SQL {
    switch query.metric {
    case .fallback: return "not shown"
    case .customAction(let identifier):
      return """
        exists (
          select from \(tables.unitInteraction) i
          where i.unit_id = unit.unit_id and i.type = 2 and i.action_id = \(identifier)
            and i.at >= delivered_at and i.at < delivered_at + \(window))
        """
    default: return isWithinWindow(query.metric.id)
    }
  }

  /// Whether the unit has its first event of a metric within the window.
  func isWithinWindow(_ metric: String) -> SQL { "\(firstTime(of: metric)) < delivered_at + \(window)" }

  /// The time of the unit's first event of a metric; null where there is none.
  func firstTime(of metric: String) -> SQL {
    SQL(unsafeRaw: RateRow.metrics.first { $0.name == metric }?.time ?? "null::timestamptz")
  }

  /// The same of a table named `unit`, beside others.
  var isWantedUnitCategory: SQL { query.category.map { "unit.category = \($0)" } ?? "true" }

  var isWantedCategory: SQL { query.category.map { "category = \($0)" } ?? "true" }
}
