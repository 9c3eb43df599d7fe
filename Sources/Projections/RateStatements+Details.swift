internal import EngagementEvents
internal import EventStore
internal import Postgres

extension RateStatements {
  /// dimension, value, is rich, units, successes.
  var breakdowns: SQL {
    let values = SQL(
      unsafeRaw: RateDetails.Dimension.allCases.map { "('\($0.rawValue)', \(value(of: $0)))" }
        .joined(separator: ", "))
    return """
      select dimension, value, is_rich, count(*), count(*) filter (where is_success)
      from (
        select *, \(isRich) as is_rich, \(isSuccess) as is_success,
          extract(hour from delivered_at at time zone \(query.zone)) as hour
        from (\(units(with: ", intended as intended_kinds, attached as attached_kinds, arm, source, app_version, interruption_level"))) unit
        where \(isMature) and \(isWantedCategory) and \(isInDenominator)
      ) unit
      cross join lateral (values \(values)) as dimension (dimension, value)
      group by dimension, value, is_rich
      order by dimension, value collate "C" nulls first
      """
  }

  /// category, is rich, units, quartiles of the microseconds from the delivery to the first interaction. Null for category
  /// means all of them.
  var interactionTimes: SQL {
    """
    select category, is_rich, count(*),
      percentile_disc(array[0.25, 0.5, 0.75]) within group (order by (extract(epoch from elapsed) * 1000000)::bigint)
    from (
      select category, \(isRich) as is_rich, \(firstTime(of: "interaction")) - delivered_at as elapsed
      from (\(units())) unit
      where \(isMature) and \(isWantedCategory) and \(isInDenominator) and \(isWithinWindow("interaction"))
    ) unit
    group by grouping sets ((category, is_rich), (is_rich))
    order by category collate "C" nulls last
    """
  }

  /// An expression over the columns of the statement above.
  private func value(of dimension: RateDetails.Dimension) -> String {
    switch dimension {
    case .category: "category"
    case .intendedMedia: Self.kinds("coalesce(intended_kinds, attached_kinds, 0)")
    case .shownMedia: Self.kinds("coalesce(attached_kinds, 0)")
    case .experiment: "experiment || ' / ' || arm"
    case .appVersion: "app_version"
    case .source: Self.sources
    case .hour: "to_char(hour, 'FM00')"
    case .interruptionLevel: "interruption_level"
    }
  }

  private static func kinds(_ bits: String) -> String {
    let names = MediaKind.allCases.map { kind in
      "case when \(bits) & \(MediaKind.storedBits([kind])) <> 0 then '\(kind.rawValue)' end"
    }
    return "case \(bits) when 0 then 'none' else concat_ws('+', \(names.joined(separator: ", "))) end"
  }

  private static let sources: String = {
    let cases = EventSource.allCases.map { "when \($0.storedCode) then '\($0.rawValue)'" }
    return "case source \(cases.joined(separator: " ")) end"
  }()
}
