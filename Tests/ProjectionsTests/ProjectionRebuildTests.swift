import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// `rebuild`: tables made anew beside those that serve, and swapped for them in a moment.
@Suite(.store)
struct ProjectionRebuildTests {
  private struct Killed: Error {}

  private func makeStore() throws -> (store: EventStore, app: App) {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 300)
    try store.project(rangeLimit: 97)
    return (store, app)
  }

  /// Everything that the catalogue says of the projected tables.
  private func shape(_ connection: borrowing Connection) throws -> [String] {
    try connection.query(
      """
      select c.relname || ' ' || c.relkind::text || ' ' || pg_get_userbyid(c.relowner) || ' '
        || coalesce((select string_agg(a::text, ',' order by a::text) from unnest(c.relacl) a), '') || ' '
        || coalesce(pg_get_indexdef(i.indexrelid), '')
      from pg_class c left join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = 'pushlift'::regnamespace
        and c.relname ~ '^(unit_outcome|unit_interaction|daily_rate|framed_rate|daily_action|daily_implausible|log_tally)'
      union all
      select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'pushlift'::regnamespace
      union all
      select attrelid::regclass::text || ' ' || attnum || ' ' || attname || ' ' || attcollation || ' ' || attnotnull || ' ' || coalesce(pg_get_expr(adbin, adrelid), '')
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid in ('unit_outcome'::regclass, 'unit_interaction'::regclass, 'daily_rate'::regclass,
        'framed_rate'::regclass, 'daily_action'::regclass,
        'log_tally'::regclass) and attnum > 0
      order by 1
      """
    ).map { row in try row.value(0, as: String.self) }
  }

  private func leftovers(_ connection: borrowing Connection) throws -> Int {
    try connection.value(
      of: """
        select (select count(*) from pg_class where relname ~ '_(rebuilt|former)')
          + (select count(*) from projection_checkpoint) - 1
        """)
  }

  @Test func whatWasTamperedWithIsRightAgain() throws {
    let (store, _) = try makeStore()
    let superuser = try store.connectAsSuperuser()
    let expected = try ProjectedState(superuser)
    let shapeBefore = try shape(superuser)
    try superuser.script("delete from unit_outcome; update daily_rate set open = 0; delete from log_tally")
    let checkpoint = try ProjectionRebuild().run(store)
    #expect(try ProjectedState(superuser) == expected)
    #expect(try shape(superuser) == shapeBefore)
    #expect(try leftovers(superuser) == 0)
    #expect(checkpoint == (try EngagementProjection.checkpoint(on: superuser)))
    // The job goes on with the new tables, in its own role.
    try store.append([.delivered(of: ("new", "d"))], to: store.app().id)
    _ = try store.project().caughtUp()
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
  }

  @Test func eventsThatComeInMeanwhileAreThere() throws {
    let (store, app) = try makeStore()
    var stages = 0
    _ = try ProjectionRebuild().run(store) { stage in
      stages += 1
      try store.append(
        [.delivered(of: ("new \(stages)", "d")), .opened(of: ("new \(stages)", "d"))], to: app.id)
      // Until the very end the job runs, and reports are read.
      if stage != .swapping { _ = try store.project().caughtUp() }
      let result = try RateReader.read(RateQuery(app: app), on: store.connect(.asking))
      #expect(result.checkpoint.position > 0)
    }
    #expect(stages > 5)
    _ = try store.project().caughtUp()
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
    let units = try store.connectAsSuperuser().value(
      of:
        "select count(*) from unit_outcome where opened_at = delivered_at + interval '1 s' and category = 'news'",
      as: Int.self)
    #expect(units == stages)
  }

  /// At each of its stages once.
  @Test func aKilledRebuildLeavesTheFormerTablesServing() throws {
    let (store, app) = try makeStore()
    let superuser = try store.connectAsSuperuser()
    let expected = try ProjectedState(superuser)
    let shapeBefore = try shape(superuser)
    let query = RateQuery(app: app)
    let report = try RateReader.read(query, on: store.connect(.asking))
    let hasLeftSome = try (1...9).map { stop in
      var stages = 0
      #expect(throws: PostgresError.self) {
        try ProjectionRebuild().run(store) { _ in
          stages += 1
          guard stages == stop else { return }
          _ = try superuser.query(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'pushlift maintain'
            """)
        }
      }
      #expect(stages == stop)
      #expect(try RateReader.read(query, on: store.connect(.asking)) == report)
      return try leftovers(superuser) > 0
    }
    #expect(hasLeftSome == [false, false, false, false, false, false, false, true, true])
    _ = try ProjectionRebuild().run(store)
    #expect(try ProjectedState(superuser) == expected)
    #expect(try shape(superuser) == shapeBefore)
    #expect(try leftovers(superuser) == 0)
  }

  /// A report looks its tables up by name and its rows up in a snapshot: these two must not be of different sides.
  @Test func aReportUnderWayIsNotSwappedUnder() throws {
    let (store, _) = try makeStore()
    let reader = try store.connect(.asking)
    try reader.script("begin isolation level repeatable read; \(ProjectionTables.share)")
    let before = try ProjectedState(reader)
    let rebuild = Background { try ProjectionRebuild().run(store) }
    try store.waitForBlocked("lock table%")
    #expect(try ProjectedState(reader) == before)
    try reader.script("commit")
    _ = try rebuild.value()
  }

  /// It is ended by whoever waits for its lock for longer than `deadlock_timeout`, and not before.
  @Test func anAutovacuumIsNotInTheWay() throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    // Many pages, and a rest after each of them: this one takes minutes.
    try superuser.script(
      """
      alter table unit_outcome set (fillfactor = 10, autovacuum_vacuum_insert_threshold = 1,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_cost_delay = 100);
      """)
    _ = try store.fill(notifications: 1_000)
    try store.project()
    for setting in ["autovacuum = on", "autovacuum_naptime = '1s'"] {
      try superuser.script("alter system set \(setting)")
    }
    defer {
      for name in ["autovacuum", "autovacuum_naptime"] { try? superuser.script("alter system reset \(name)") }
      try? superuser.script("select pg_reload_conf()")
    }
    try superuser.script("select pg_reload_conf()")
    let activity = try store.connectAsSuperuser()
    try poll(upTo: .seconds(60), "an autovacuum of the units") {
      try activity.value(
        of: """
          select exists (select from pg_locks
            where relation = 'unit_outcome'::regclass and mode = 'ShareUpdateExclusiveLock' and granted)
          """, as: Bool.self)
    }
    let expected = try ProjectedState(superuser)
    _ = try Background { try ProjectionRebuild().run(store) }.value()
    #expect(try ProjectedState(superuser) == expected)
  }

  /// Such as a dashboard that reads the daily rows and then the units: the two would wait for one another for ever.
  @Test func aReaderWithTheTablesInAnotherOrderIsNotInTheWay() throws {
    let (store, _) = try makeStore()
    let reader = try store.connectAsSuperuser()
    let expected = try ProjectedState(reader)
    try reader.script("begin; select count(*) from daily_rate")
    let rebuild = Background { try ProjectionRebuild().run(store) }
    try store.waitForBlocked("lock table%")
    #expect(try reader.value(of: "select count(*) > 0 from unit_outcome", as: Bool.self))
    try reader.script("commit")
    _ = try rebuild.value()
    #expect(try ProjectedState(reader) == expected)
  }

  @Test func aReportTakesItsSnapshotOnceItHasItsTables() throws {
    let (store, app) = try makeStore()
    let before = try EngagementProjection.checkpoint(on: store.connect(.asking)).position
    let blocker = try store.connectAsSuperuser()
    try blocker.script("begin; lock table log_tally in access exclusive mode")
    let report = Background { try RateReader.read(RateQuery(app: app), on: store.connect(.asking)) }
    try store.waitForBlocked("BEGIN%lock table%access share%")
    try blocker.script("update projection_checkpoint set position = position + 7; commit")
    #expect(try report.value().checkpoint.position == before + 7)
  }

  @Test func viewsShowTheNewTables() throws {
    let (store, app) = try makeStore()
    let owner = try store.connect(.owning)
    try owner.script(
      """
      create view delivered with (security_barrier = true) as select app_id, sum(delivered) as units from daily_rate
        group by app_id;
      create view delivered_twice as select units * 2 as units from delivered;
      grant select on delivered_twice to pushlift_runtime;
      """)
    _ = try ProjectionRebuild().run(store)
    try store.append([.delivered(of: ("new", "d"))], to: app.id)
    try store.project()
    let runtime = try store.connect(.administering)
    let shown = try runtime.value(of: "select units::bigint from delivered_twice", as: Int.self)
    #expect(
      shown == (try runtime.value(of: "select sum(delivered)::bigint * 2 from daily_rate", as: Int.self)))
    #expect(
      try runtime.value(of: "select reloptions from pg_class where relname = 'delivered'", as: [String].self)
        == ["security_barrier=true"])
  }

  @Test func aSecondRebuildStepsBack() throws {
    let (store, _) = try makeStore()
    var error: StoreError?
    _ = try ProjectionRebuild().run(store) { _ in
      do { _ = try ProjectionRebuild().run(store) } catch let caught as StoreError { error = caught }
    }
    #expect(error?.code == .overloaded)
  }

  @Test func aMigrationMeanwhileIsNotLost() throws {
    let (store, _) = try makeStore()
    let superuser = try store.connectAsSuperuser()
    let error = #expect(throws: StoreError.self) {
      try ProjectionRebuild().run(store) { stage in
        guard stage == .catchingUp else { return }
        try superuser.script(
          "insert into schema_migration (version, name, checksum) values (999, 'V999_later.sql', '')")
      }
    }
    #expect(error?.code == .schema)
  }
}
