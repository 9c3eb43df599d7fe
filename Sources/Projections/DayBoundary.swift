internal import Postgres

/// Where a day of a zone begins.
///
/// Where clocks go back at midnight a day begins twice, and its date does not tell which beginning is meant. So close to
/// such a boundary it is the instant's own day that decides. Further away two instants do, which are worked out once, and
/// which an index can go by. Where clocks are not changed for a day around, the two are one.
struct DayBoundary: Sendable, Hashable {
  let day: PostgresDate
  let zone: String
  /// Whatever is before this is on an earlier day.
  let earliest: PostgresTimestamp
  /// Whatever is at this or later is on the day or a later one.
  private let latest: PostgresTimestamp

  /// The boundaries of several days, in their order.
  static func find(
    _ days: [PostgresDate], in zone: String, on connection: borrowing Connection
  ) throws -> [DayBoundary] {
    try connection.query(
      """
      select day, midnight - around, midnight + around
      from unnest(\(days)) with ordinality day (day, number),
        lateral (select day::timestamp at time zone \(zone) as midnight) beginning,
        lateral (
          select case when count(distinct (at at time zone \(zone)) - (at at time zone 'UTC')) = 1
            then interval '0' else interval '24 hours' end as around
          from generate_series(midnight - interval '24 hours', midnight + interval '24 hours', interval '1 hour') at
        ) change
      order by number
      """
    ).map { row in
      DayBoundary(day: try row.value(0), zone: zone, earliest: try row.value(1), latest: try row.value(2))
    }
  }

  /// Whether an instant is on the day or a later one.
  func isReached(by instant: SQL) -> SQL {
    """
    (\(instant) >= \(earliest) and (\(instant) >= \(latest) or (\(instant) at time zone \(zone))::date >= \(day)))
    """
  }

  /// Whether an instant is on an earlier day.
  func isAhead(of instant: SQL) -> SQL {
    """
    (\(instant) < \(latest) and (\(instant) < \(earliest) or (\(instant) at time zone \(zone))::date < \(day)))
    """
  }
}
