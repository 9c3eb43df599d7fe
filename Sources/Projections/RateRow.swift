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

  static let counts = AdditiveColumns(names: ["delivered", "in_experiment"] + metrics.map(\.name))

  /// Units summed up in the zone and window of each app and of each frame that it keeps: the counts of `daily_rate` by its key,
  /// by `frame_id` and by what was `offered`. All kept rows are made of these.
  ///
  /// - Parameters:
  ///   - units: a table of units with the columns of `unit_outcome`.
  ///   - weight: what a unit counts, 1 or a column.
  ///   - frames: rows as `RateFrame.all` has them.
  static func sums(of units: SQL, weight: SQL, in frames: SQL = RateFrame.all) -> SQL {
    """
    select app_id, frame_id, (delivered_at at time zone zone)::date as day, category, \(armColumns), \(bucket), offered,
      \(counts(weight: weight, window: "attribution_window"))
    from \(units) unit join \(frames) using (app_id)
    where delivered_at is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    """
  }

  /// The rows of `daily_rate` from ``sums(of:weight:)``.
  static func rates(from sums: SQL) -> SQL {
    """
    select \(keyColumns), \(counts.sums) from \(sums) sum where frame_id = 0 group by \(keyColumns)
    """
  }

  /// The rows of `framed_rate` from ``sums(of:weight:)``.
  static func framedRates(from sums: SQL) -> SQL {
    """
    select frame_id, \(keyColumns), \(counts.sums) from \(sums) sum where frame_id > 0
    group by frame_id, \(keyColumns)
    """
  }

  /// A statement that sums up to these rows: there are few of them for their units, which the planner does not see, and
  /// sorting all units takes four times as long.
  static func byHash(_ statement: SQL) -> [SQL] { hashing + [statement] + sorting }

  /// Lends the transaction while it adds up like that.
  static func byHash<Value>(
    on connection: borrowing Connection, _ body: (borrowing Connection) throws -> Value
  ) throws -> Value {
    for setting in hashing { try connection.execute(setting) }
    let value = try body(connection)
    for setting in sorting { try connection.execute(setting) }
    return value
  }

  private static let hashing: [SQL] = [
    "set local enable_sort = off", "set local enable_incremental_sort = off",
  ]
  private static let sorting: [SQL] = [
    "set local enable_sort = on", "set local enable_incremental_sort = on",
  ]

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
}
