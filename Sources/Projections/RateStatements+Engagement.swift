internal import EventStore
internal import Postgres

/// The statements behind `EngagementDetails`.
extension RateStatements {
  /// day, category or nothing, is rich, bucket, units, successes.
  ///
  /// - Parameter omitted: the categories that no sum counts. Told apart, they are there.
  func days(byCategory: Bool, without omitted: [String] = []) -> SQL {
    let category: SQL = byCategory ? "category" : "''::text"
    let isSummed: SQL = byCategory ? "true" : "category <> all (\(omitted))"
    return """
      select day, category, is_rich, bucket, sum(units)::bigint, sum(successes)::bigint
      from (
        select day, \(category) as category, is_rich, bucket, units, successes
        from (\(counted)) source
        where \(isWantedCategory) and \(isSummed)
      ) source
      group by day, category, is_rich, bucket
      having sum(units) > 0
      order by day, category collate "C", is_rich, bucket
      """
  }

  /// is rich, bucket, delivered, interacted, expanded, opened, acted, replied, those of them that could be expanded.
  ///
  /// - Parameters:
  ///   - categories: those whose expansions cannot be reported.
  ///   - omitted: those that no sum counts.
  func funnel(withoutExpansion categories: [String], without omitted: [String] = []) -> SQL {
    """
    select is_rich, bucket, sum(delivered)::bigint, sum(interaction)::bigint,
      coalesce(sum(expansion) filter (where is_expandable), 0)::bigint, sum(open)::bigint, sum(action)::bigint,
      sum(reply)::bigint, coalesce(sum(delivered) filter (where is_expandable), 0)::bigint
    from (
      select *, \(isRich) as is_rich, category <> all (\(categories)) as is_expandable
      from (\(dailyRows)) daily
      where \(isWantedCategory) and category <> all (\(omitted))
    ) step
    group by is_rich, bucket
    having sum(delivered) > 0
    order by is_rich, bucket
    """
  }

  /// The delivered units whose window has closed, whatever the metric.
  var matureUnits: SQL {
    """
    select *, \(isRich) as is_rich from (\(units(with: ", fallback"))) unit where \(isMature) and \(isWantedCategory)
    """
  }

  /// category, stored reason, units meant to be rich and shown as text.
  var fallbacks: SQL {
    """
    select category, fallback, count(*)
    from (\(matureUnits)) unit
    where intended and not shown
    group by category, fallback
    order by category collate "C", fallback nulls last
    """
  }

  /// The days of a range that the query's zone does not have.
  func skippedDays(_ range: ClosedRange<PostgresDate>) -> SQL {
    """
    select day::date
    from generate_series(\(range.lowerBound)::timestamp, \(range.upperBound)::timestamp, interval '1 day') day
    where ((day + interval '12 hours') at time zone \(query.zone) at time zone \(query.zone))::date <> day::date
    """
  }

  /// code, events refused that came in the period, as far as the log was read; those whose letters are gone, too.
  func rejected(upTo watermark: PostgresTimestamp) -> SQL {
    """
    select code, sum(letters)::bigint
    from (
      select app_id, received_at, code, 1 as letters from dead_letter
      union all
      select app_id, received_at, code, letters from dead_letter_tally
    ) refused
    where app_id = \(query.app.id.rawValue) and received_at <= \(watermark) and \(period.contains(instant: "received_at"))
    group by code
    """
  }
}
