internal import EngagementEvents
internal import EventStore
internal import Postgres

/// The statements by which a query is answered, given how far the store has read.
struct RateStatements {
  let query: RateQuery
  let watermark: PostgresTimestamp
  let tables: ProjectionTables
  let window: SQL

  init(_ query: RateQuery, watermark: PostgresTimestamp, tables: ProjectionTables = .serving) {
    self.query = query
    self.watermark = watermark
    self.tables = tables
    window = "(\(query.windowSeconds) * interval '1 second')"
  }

  /// category, is rich, bucket, units, successes.
  var cells: SQL {
    """
    select category, is_rich, bucket, sum(units)::bigint, sum(successes)::bigint
    from (\(counted)) source
    where \(isWantedCategory)
    group by category, is_rich, bucket
    having sum(units) > 0
    order by category collate "C", is_rich, bucket
    """
  }

  /// category, is rich, units, distinct devices, units in an experiment, immature units, units intended rich, of these
  /// those shown without media, units with any interaction. Null for category means all of them, null for is rich both
  /// arms.
  var armFacts: SQL {
    """
    select category, is_rich, count(*) filter (where is_mature), count(distinct device_key) filter (where is_mature),
      count(experiment) filter (where is_mature), count(*) filter (where not is_mature),
      count(*) filter (where is_mature and intended), count(*) filter (where is_mature and intended and not shown),
      count(*) filter (where is_mature and \(isWithinWindow("interaction")))
    from (select *, \(isRich) as is_rich, \(isMature) as is_mature from (\(units())) unit) unit
    where \(isWantedCategory) and \(isInDenominator)
    group by grouping sets ((category, is_rich), (category), (is_rich), ())
    """
  }

  /// category, units with interactions and no delivery. They belong to the day on which they were first heard of.
  var orphans: SQL {
    """
    select category, count(*)
    from \(tables.unitOutcome)
    where app_id = \(query.app.id.rawValue) and delivered_at is null and \(isInPeriod("first_seen_at"))
      and \(isWantedCategory)
    group by category
    """
  }

  /// category, events. Their own time means nothing, so they belong to the day on which they came, in the app's zone.
  var implausible: SQL {
    """
    select category, sum(events)::bigint
    from \(tables.dailyImplausible)
    where app_id = \(query.app.id.rawValue) and \(isInPeriod(day: "day")) and \(isWantedCategory)
    group by category
    """
  }

  /// category, whether it ever reported an expansion, a dismissal: what was never reported may not be measurable.
  var reportedKinds: SQL {
    """
    select category, sum(expansion) > 0 or bool_or(custom_interface), sum(dismissal) > 0
    from \(tables.dailyRate) where app_id = \(query.app.id.rawValue) group by category
    """
  }
}

extension RateStatements {
  /// day, category, is rich, bucket, units, successes: what the query counts, in rows that add up.
  var counted: SQL {
    dailyColumn.map { "\(closedDays($0)) union all \(matureUnits(onlyOpenDays: true))" }
      ?? matureUnits(onlyOpenDays: false)
  }

  /// Whether `daily_rate` is kept in the query's zone and window.
  var isKeptDaily: Bool { query.zone == query.app.zone && query.windowSeconds == query.app.windowSeconds }

  /// The column of `daily_rate` that answers the query for closed days; nil where the rows are kept otherwise.
  private var dailyColumn: String? {
    isKeptDaily ? RateRow.metrics.first { $0.name == query.metric.id }?.name : nil
  }

  private func closedDays(_ column: String) -> SQL {
    """
    select day, category, \(isRich) as is_rich, bucket, delivered as units, \(identifier: column) as successes
    from \(tables.dailyRate)
    where app_id = \(query.app.id.rawValue) and day < \(firstOpenDay) and \(isInPeriod(day: "day"))
    """
  }

  /// A row for each unit whose window has closed.
  private func matureUnits(onlyOpenDays: Bool) -> SQL {
    let isOpen: SQL = onlyOpenDays ? isFrom(firstOpenDay, "delivered_at") : "true"
    return """
      select (delivered_at at time zone \(query.zone))::date as day, category, \(isRich) as is_rich, bucket, 1 as units,
        (case when \(isSuccess) then 1 else 0 end) as successes
      from (\(units())) unit
      where \(isMature) and \(isOpen) and \(isInDenominator)
      """
  }

  /// The delivered units of the period, whether or not their window has closed.
  ///
  /// - Parameter more: further columns, each after a comma.
  func units(with more: SQL = "") -> SQL {
    """
    select unit_id, device_key, category, experiment, delivered_at, offered, expanded_at, opened_at, acted_at, replied_at,
      dismissed_at, \(RateRow.armColumns), \(RateRow.bucket) \(more)
    from \(tables.unitOutcome)
    where app_id = \(query.app.id.rawValue) and delivered_at is not null and \(isInPeriod("delivered_at"))
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
  var isMature: SQL { "(delivered_at + \(window) <= \(watermark))" }

  var isInDenominator: SQL {
    switch query.metric {
    case .customAction(let identifier): "coalesce(offered::jsonb, '[]') ? \(identifier)"
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

  /// The first day with a unit whose window may have been open at the watermark.
  var firstOpenDay: SQL { "((\(watermark) - \(window)) at time zone \(query.zone))::date" }

  /// Whether an instant lies on the day or later.
  ///
  /// Where clocks go back at midnight a day begins twice, and its date does not tell which beginning is meant. So it is
  /// the instant's own day that decides, and the day's beginning, give or take a day, only narrows the search.
  func isFrom(_ day: SQL, _ instant: SQL) -> SQL {
    """
    (\(instant) >= (\(day))::timestamp at time zone \(query.zone) - interval '24 hours'
      and (\(instant) at time zone \(query.zone))::date >= \(day))
    """
  }

  private func isUpTo(_ day: SQL, _ instant: SQL) -> SQL {
    """
    (\(instant) < (\(day))::timestamp at time zone \(query.zone) + interval '48 hours'
      and (\(instant) at time zone \(query.zone))::date <= \(day))
    """
  }

  func isInPeriod(_ instant: SQL) -> SQL {
    var condition: SQL = "true"
    if let first = query.firstDay { condition += " and \(isFrom("\(first)", instant))" }
    if let last = query.lastDay { condition += " and \(isUpTo("\(last)", instant))" }
    return condition
  }

  func isInPeriod(day: SQL) -> SQL {
    var condition: SQL = "true"
    if let first = query.firstDay { condition += " and \(day) >= \(first)" }
    if let last = query.lastDay { condition += " and \(day) <= \(last)" }
    return condition
  }

  var isWantedCategory: SQL { query.category.map { "category = \($0)" } ?? "true" }
}
