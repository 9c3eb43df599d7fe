internal import EventStore
internal import Postgres
internal import Projections

/// A database of its own for one worker: events go straight into the log, the product's job aggregates them, and the
/// product's reader reads them.
struct CoverageStore: ~Copyable {
  private let owner: Connection
  private let job: Connection
  private let reader: Connection
  private let firstDay: PostgresDate

  /// Prepares an empty database, whose superuser the session's user is, and lends the store in it.
  static func withFresh(
    _ database: ConnectionConfiguration, firstDay: PostgresDate,
    _ body: (borrowing CoverageStore) throws -> Void
  ) throws {
    let store = EventStore(database: database, secret: try StoreSecret(key: StoreSecret.makeRandom()))
    _ = try store.prepare()
    let owner = try Connection(database.with(setting: "search_path", "pushlift, pg_temp"))
    try leaveNoLog(owner)
    let job = try store.connect(.aggregating)
    let reader = try store.connect(.asking)
    try body(CoverageStore(owner: owner, job: job, reader: reader, firstDay: firstDay))
  }

  /// What is thrown away after each chunk needs no write-ahead log, which is a good part of the work.
  private static func leaveNoLog(_ owner: borrowing Connection) throws {
    let tables = try owner.query(
      """
      select c.oid::regclass::text from pg_class c
      where relnamespace = 'pushlift'::regnamespace and relkind = 'r'
        and (relname in ('unit_outcome', 'unit_interaction', 'daily_rate') or relispartition)
      """
    ).map { row in try row.value(0, as: String.self) }
    for table in tables { try owner.execute("alter table \(identifier: table) set unlogged") }
  }

  /// Appends the events of each replication as an app of its own, and aggregates them.
  ///
  /// - Returns: the apps, in the order of the replications.
  func fill(_ replications: [SimulatedReplication], _ plan: CoveragePlan) throws -> [App] {
    let apps = try owner.query(
      "insert into app (name) select gen_random_uuid()::text from generate_series(1, \(replications.count)) returning name"
    ).map { row in try row.value(0, as: String.self) }
    var found: [App] = []
    for (name, replication) in zip(apps, replications) {
      let app = try App.find(name, on: reader)
      try owner.execute(append(replication, to: app, plan))
      found.append(app)
    }
    guard case .caughtUp = try EngagementProjection().run(on: job) else {
      throw BenchError("the projection did not catch up")
    }
    try owner.execute("analyze unit_outcome")
    try owner.execute("analyze daily_rate")
    return found
  }

  /// Memory, disk and time stay bounded: no chunk sees the one before.
  func empty() throws {
    try owner.execute("truncate event, unit_outcome, unit_interaction, daily_rate, daily_implausible")
  }

  func read(_ app: App) throws -> RateResult { try RateReader.read(RateQuery(app: app), on: reader) }

  /// The app's daily rows as arrays of buckets: night, is rich, buckets, units, successes; in the order of the nights.
  func readNights(_ app: App, _ body: (Int, Bool, [Int16], [Int64], [Int64]) -> Void) throws {
    try reader.query(
      """
      select day - \(firstDay), intended, array_agg(bucket), array_agg(units), array_agg(successes)
      from (
        select day, intended, bucket, sum(delivered)::bigint as units, sum(interaction)::bigint as successes
        from daily_rate where app_id = \(app.id.rawValue) group by day, intended, bucket
      ) night
      group by day, intended order by day
      """
    ).forEach { row in
      body(
        Int(try row.value(0, as: Int32.self)), try row.value(1), try row.value(2), try row.value(3),
        try row.value(4))
    }
  }

  /// A delivery for each unit at noon, and an opening an hour later where it was interacted with. The job reads them as it
  /// reads what came by HTTP.
  private func append(_ replication: SimulatedReplication, to app: App, _ plan: CoveragePlan) -> SQL {
    """
    insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
      type, time_quality, intended, attached, custom_interface, notification_id, category, action_id, occurred_at_raw)
    select key, unit, day, app, device, key, at, \(firstDay) + \(Int32(plan.nights + 2)), at, type, 0,
      case when type = 0 then flags & 1 end, case when type = 0 then flags & 1 end, case when type = 0 then false end,
      i::text, (\(CoveragePlan.categories))[1 + (flags >> 1 & 1)],
      case when type = 2 then 'com.apple.UNNotificationDefaultActionIdentifier' end, ''
    from (
      select (prefix || lpad(to_hex(type), 8, '0') || lpad(to_hex(i), 16, '0'))::uuid as key,
        (prefix || '00000000' || lpad(to_hex(i), 16, '0'))::uuid as unit,
        \(firstDay) + get_byte(nights, i) as day, get_byte(flag_bytes, i) as flags, app, type, i,
        md5(prefix || \(String(plan.seed)) || i / \(Int32(plan.perDevice)))::uuid as device,
        (\(firstDay) + get_byte(nights, i)) + (12 + type / 2) * interval '1 hour' as at
      from (
        select \(app.id.rawValue) as app, lpad(to_hex(\(app.id.rawValue)), 8, '0') as prefix,
          \(replication.flags) as flag_bytes, \(replication.nights) as nights
      ) app
      cross join generate_series(0, \(Int32(plan.units - 1))) i cross join (values (0), (2)) kind (type)
      where type = 0 or get_byte(flag_bytes, i) & 4 <> 0
    ) event
    """
  }
}
