internal import EventStore
internal import Foundation
internal import Postgres

/// Fills the log with events as an app of six categories makes them, straight into the tables: what is measured here
/// comes after.
///
/// Four notifications in three events: a fifth are opened or answered by a button, an eighth expanded. Seven notifications a device
/// and month.
final class SyntheticLog {
  private let connection: Connection
  private let app: AppID
  /// The first day that has events; days follow each other with `eventsPerDay` each.
  let firstDay: PostgresDate
  let eventsPerDay: Int
  private(set) var events = 0

  /// One of the two that every notification offers.
  static let button = "like"
  private static let eventsPerUnit = 1.33
  private static let unitsAtATime = 500_000

  /// - Parameter days: over which `events` are to be spread; they end the day before yesterday.
  init(_ bench: BenchStore, days: Int, events: Int) throws {
    connection = try Connection(
      bench.database.with(setting: "search_path", "pushlift, pg_temp").with(setting: "work_mem", "128MB")
        .with(setting: "synchronous_commit", "off").with(setting: "TimeZone", "UTC"))
    app = bench.app
    eventsPerDay = max(1, events / days)
    firstDay = try connection.value(of: "select current_date - 2 - \(Int32(days))")
    _ = try connection.query("select make_event_partitions(\(firstDay), current_date)")
  }

  /// How many days have events.
  var days: Int { (events + eventsPerDay - 1) / eventsPerDay }

  /// Adds about so many events, later than those before.
  func add(_ count: Int) throws {
    var rest = Int(Double(count) / Self.eventsPerUnit)
    while rest > 0 {
      let units = min(rest, Self.unitsAtATime)
      try makeUnits(units)
      events += try connection.execute(insert)
      try connection.execute("drop table unit")
      rest -= units
    }
    try connection.execute("analyze event")
  }

  private func makeUnits(_ units: Int) throws {
    let start = Double(events) / Double(eventsPerDay)
    let length = Double(units) * Self.eventsPerUnit / Double(eventsPerDay)
    let devices = max(1_000, Int(Double(eventsPerDay) * 30 / Self.eventsPerUnit / 7))
    try connection.execute(
      """
      create temporary table unit as
      select gen_random_uuid() as unit_id, md5('d' || (random() * \(unsafeRaw: "\(devices)"))::integer)::uuid as device_key,
        \(unsafeRaw: "date '1970-01-01' + \(firstDay.daysSince1970)")
          + (\(unsafeRaw: "\(start)") + \(unsafeRaw: "\(length)") * n / \(unsafeRaw: "\(units)")) * interval '1 day' as at,
        (random() * 5)::integer as category, (random() < 0.5)::integer as media, random() as luck
      from generate_series(1, \(unsafeRaw: "\(units)")) n
      """)
  }

  private var insert: SQL {
    """
    insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at, type,
      time_quality, source, intended, attached, custom_interface, notification_id, category, action_id, occurred_at_raw,
      detail)
    select gen_random_uuid(), unit_id, (at at time zone 'UTC')::date, \(app.rawValue), device_key, gen_random_uuid(), at,
      at + interval '1 s', at, type, 0, 0, case when type = 0 then media end, case when type = 0 then media end, false,
      unit_id::text, 'category_' || category, action_id, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      case when type = 0
        then '{"intended":["image"],"attachments":[{"kind":"image","bytes":204800}],"actions":["like","reply"],"interruptionLevel":"active","appVersion":"4.2.0"}'::jsonb
      end
    from (
      select unit_id, device_key, at, category, media, 0 as type, null as action_id from unit
      union all
      select unit_id, device_key, at + luck * interval '10 hours', category, media, 2,
        case when luck < 0.05 then '\(unsafeRaw: Self.button)' else 'com.apple.UNNotificationDefaultActionIdentifier' end
      from unit where luck < 0.2
      union all
      select unit_id, device_key, at + luck * interval '1 hour', category, media, 1, null from unit where luck < 0.13
    ) happened
    order by at
    """
  }
}
