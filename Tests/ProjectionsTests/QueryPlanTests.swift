import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// The hot statements cost by what is new, whatever history there is and whatever the planner knows of it.
@Suite(.store)
struct QueryPlanTests {
  private static let history = 50_000

  /// A store with so many units, interactions, events and daily rows, all read.
  private func makeStore() throws -> (store: EventStore, app: App) {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.connectAsSuperuser().script(
      """
      create temporary table history as
      select n, md5('u' || n)::uuid as unit_id, md5('d' || n % 10000)::uuid as device_key,
        timestamptz '2026-08-01 00:00Z' + n * interval '60 s' as at
      from generate_series(1, \(Self.history)) n;
      insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
        type, time_quality, attached, notification_id, category, occurred_at_raw)
      select md5('e' || n)::uuid, unit_id, (at at time zone 'UTC')::date, \(app.id.rawValue), device_key, unit_id, at, at, at,
        0, 0, 0, 'n' || n, 'news', '' from history order by n;
      insert into unit_outcome (unit_id, app_id, device_key, first_seen_at, delivered_at, category, attached,
        custom_interface)
      select unit_id, \(app.id.rawValue), device_key, at, at, 'news', 0, false from history;
      insert into unit_interaction select unit_id, at + interval '1 min', 1, '', false from history;
      insert into daily_rate
      select \(app.id.rawValue), date '2020-01-01' + n / 128, 'news', false, false, false, n % 128, 1, 0, 0, 0, 0, 0, 0
      from history;
      update projection_checkpoint set position = \(Self.history), watermark = '2026-11-02 12:00Z';
      """)
    return (store, app)
  }

  /// Sequential scans, and rows fetched by index, of the tables that grow.
  private struct Reads: Equatable {
    var scans: Int
    var fetched: Int
  }

  private func reads(_ connection: borrowing Connection) throws -> Reads {
    try connection.query(
      """
      select coalesce(sum(seq_scan), 0)::bigint, coalesce(sum(idx_tup_fetch), 0)::bigint from pg_stat_user_tables
      where relname in ('unit_outcome', 'unit_interaction', 'daily_rate') or relname like 'event\\_20%'
      """
    ).map { row in Reads(scans: try row.value(0), fetched: try row.value(1)) }[0]
  }

  /// New units, and known ones in the middle of history.
  private func appendNew(_ store: EventStore, _ app: App) throws -> Int {
    let events = try (0..<200).flatMap { number -> [EventSample] in
      let unit = ("new \(number)", "d\(number % 50)")
      return [try .delivered(of: unit), try .opened(of: unit)]
    }
    try store.append(events, to: app.id)
    try store.connectAsSuperuser().execute(
      """
      insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
        type, time_quality, notification_id, category, occurred_at_raw)
      select gen_random_uuid(), unit_id, day, app_id, device_key, unit_id, occurred_at, received_at, corrected_at,
        1, 0, notification_id, category, ''
      from event where position % 1000 = 0 and position <= \(Self.history)
      """)
    return 400 + Self.history / 1_000
  }

  @Test(arguments: [false, true]) func aStepDoesNotScanHistory(isAnalysed: Bool) throws {
    let (store, app) = try makeStore()
    let new = try appendNew(store, app)
    let superuser = try store.connectAsSuperuser()
    // As autovacuum does, which is off in tests; a fresh store has not had the time.
    if isAnalysed { try superuser.script("analyze") }
    _ = try superuser.query("select pg_stat_force_next_flush()")
    let before = try reads(store.connectAsSuperuser())
    let runner = try store.connect(.aggregating)
    let (events, _) = try EngagementProjection().run(on: runner).caughtUp()
    #expect(events == new)
    _ = try runner.query("select pg_stat_force_next_flush()")
    try poll(upTo: .seconds(10), "the run is in the statistics") {
      try store.connectAsSuperuser().value(
        of:
          "select n_tup_ins >= \(Self.history + 200) from pg_stat_user_tables where relname = 'unit_outcome'")
    }
    let after = try reads(store.connectAsSuperuser())
    #expect(after.scans == before.scans)
    #expect(after.fetched - before.fetched < 10 * new)
  }

  /// The same told by the plans themselves, statement by statement.
  @Test(arguments: [false, true]) func noPlanOfAStepScansHistory(isAnalysed: Bool) throws {
    let (store, app) = try makeStore()
    _ = try appendNew(store, app)
    let superuser = try store.connectAsSuperuser()
    if isAnalysed { try superuser.script("analyze") }
    let runner = try store.connect(.aggregating)
    var plans: [String] = []
    try runner.withTransaction { (connection: borrowing Connection) in
      let end = Int64(Self.history)
      let read = ProjectionStep.byIndex(ProjectionStep.readEvents(after: end, upTo: end + 500))
      for statement in read + ProjectionStep(tables: .serving).statements {
        if !statement.text.hasPrefix("set") && !statement.text.hasPrefix("analyze") {
          plans.append(
            try connection.query("explain \(statement)").map { row in try row.value(0, as: String.self) }
              .joined(separator: "\n"))
        }
        try connection.execute(statement)
      }
    }
    #expect(plans.count > 10)
    for plan in plans {
      #expect(plan.firstMatch(of: /Seq Scan on (event_20|unit_|daily_rate)/) == nil, "\(plan)")
    }
    // What is looked at does look like a plan of the log.
    #expect(plans[0].contains("Index Scan using event_20"))
  }
}
