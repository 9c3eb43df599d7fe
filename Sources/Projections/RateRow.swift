internal import Postgres

/// The shape of the additive rows that rates are made from, as pieces of SQL over the columns of `unit_outcome`.
///
/// The same pieces fill `daily_rate` and compute a report straight from the units, so that both count alike.
enum RateRow {
  /// The counts of a row: each metric's name, and the time of its first event in a unit.
  static let metrics: [(name: String, time: String)] = [
    ("interaction", "least(expanded_at, opened_at, acted_at)"),
    ("expansion", "expanded_at"),
    ("open", "opened_at"),
    ("action", "acted_at"),
    ("reply", "replied_at"),
    ("dismissal", "dismissed_at"),
  ]

  /// Whether the payload asked for media, whether media was attached, whether a custom view was there. Where nobody told
  /// what the payload asked for, what was attached stands for it.
  static let armColumns: SQL = """
    coalesce(intended, attached, 0) <> 0 as intended, coalesce(attached, 0) <> 0 as shown, custom_interface
    """

  /// How many groups devices are hashed into.
  static let bucketCount = 128

  /// The device's group, 0 to 127. The index `unit_outcome_sample` has the same expression.
  static let bucketNumber: SQL = "(get_byte(uuid_send(device_key), 15) & 127)"

  static let bucket: SQL = "\(bucketNumber)::smallint as bucket"

  /// What tells the rows of `daily_rate` apart.
  static let keyColumns: SQL = "app_id, day, category, intended, shown, custom_interface, bucket"

  /// The columns that add up.
  static let countNames = ["delivered", "in_experiment"] + metrics.map(\.name)

  static let countColumns = SQL(unsafeRaw: countNames.joined(separator: ", "))

  /// The same where a row counts, and 0 where it does not.
  static func countColumns(where condition: SQL) -> SQL {
    var columns: [SQL] = countNames.map {
      "case when \(condition) then \(identifier: $0) else 0 end as \(identifier: $0)"
    }
    let first = columns.removeFirst()
    return columns.reduce(first) { "\($0), \($1)" }
  }

  /// Units summed up to the rows of `daily_rate`, in the zone and window of each app.
  ///
  /// - Parameters:
  ///   - units: a table of units with the columns of `unit_outcome`.
  ///   - weight: what a unit counts, 1 or a column.
  static func rates(of units: SQL, weight: SQL) -> SQL {
    """
    select app_id, (delivered_at at time zone zone)::date as day, category, \(armColumns), \(bucket),
      \(counts(weight: weight, window: "attribution_window"))
    from \(units) unit join app using (app_id)
    where delivered_at is not null
    group by 1, 2, 3, 4, 5, 6, 7
    """
  }

  /// A statement that sums up to these rows: there are few of them for their units, which the planner does not see, and
  /// sorting all units takes four times as long.
  static func byHash(_ statement: SQL) -> [SQL] {
    ["set local enable_sort = off", statement, "set local enable_sort = on"]
  }

  /// - Parameter window: the attribution window, an interval; half-open.
  static func counts(weight: SQL, window: SQL) -> SQL {
    var counts: SQL = """
      coalesce(sum(\(weight)), 0)::bigint as delivered,
      coalesce(sum(\(weight)) filter (where experiment is not null), 0)::bigint as in_experiment
      """
    for metric in metrics {
      counts += """
        , coalesce(sum(\(weight)) filter (where \(unsafeRaw: metric.time) < delivered_at + \(window)), 0)::bigint
          as \(identifier: metric.name)
        """
    }
    return counts
  }

  static func isAnyCountNot(_ value: Int) -> SQL {
    SQL(unsafeRaw: countNames.map { "\($0) <> \(value)" }.joined(separator: " or "))
  }

  static func sums(into table: String) -> SQL {
    SQL(
      unsafeRaw: countNames.map { "\($0) = \(table).\($0) + excluded.\($0)" }.joined(separator: ", "))
  }
}
