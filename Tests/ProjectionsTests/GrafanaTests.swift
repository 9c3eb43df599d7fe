import EngagementEvents
import EventStore
import Foundation
import Simulation
import TestSupport
import Testing

@testable import Postgres
@testable import Projections

/// The dashboards for Grafana run on the views, and the role that they run as sees nothing else.
@Suite(.store) struct GrafanaTests {
  /// A store with something for every panel.
  private func filledStore() throws -> (store: EventStore, app: App) {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 3_000)
    var samples = [try EventSample.opened(of: ("lost", "d"), in: "social_post", at: -3_600)]
    samples.append(
      try .delivered(of: ("fallen", "d"), in: "social_post", at: -86_400 * 3, meaning: [.image]))
    // A clock that is years off.
    var odd = EventSample.expanded(of: ("odd", "d"), in: "social_post", at: -86_400 * 2_000)
    odd.receivedAt = EventSample.noon
    samples.append(odd)
    samples.append(
      try .action("reply", of: ("fallen", "d"), in: "social_post", at: -86_000 * 3, reply: "Secret words"))
    try store.append(samples, to: app.id)
    let letter = DeadLetter(
      app: app.id, receivedAt: EventSample.noon, sentAt: nil, source: "http", index: 0, eventID: nil,
      deviceKey: nil, field: "type", code: "unknown_value", message: "type is “tapped”", body: [])
    _ = try EventWriter(store.connect(.writing)).append(
      AppendBatch(rows: [], indices: [], deadLetters: [letter], source: "http"))
    try store.project()
    return (store, app)
  }

  /// A login that is a member of the dashboards' role and of nothing else.
  private func withLogin(_ store: EventStore, _ body: (borrowing Connection) throws -> Void) throws {
    let superuser = try store.connectAsSuperuser()
    let login = "grafana_\(UInt64.random(in: 0...(.max)))"
    try superuser.execute("create role \(identifier: login) login")
    defer { _ = try? superuser.execute("drop role \(identifier: login)") }
    try superuser.execute("grant pushlift_dashboard to \(identifier: login)")
    try body(try Connection(store.database.with(user: login)))
  }

  private static let variables = [
    "app": ["shop"], "metric": ["interacted"],
    "category": ["social_post", "promo", "news", "chat", "message", "it's"],
  ]

  @Test func everyQueryOfEveryPanelGivesRows() throws {
    let (store, _) = try filledStore()
    let queries = try GrafanaFiles.queries()
    #expect(queries.count == 26)
    func expectRows(_ moment: String) throws {
      try withLogin(store) { connection in
        for query in queries {
          let sql = GrafanaFiles.expanded(
            query.raw, from: "2026-10-01T00:00:00Z", to: "2026-11-03T00:00:00Z", Self.variables)
          #expect(!sql.contains("$"), "\(query.name): \(sql)")
          let rows = try connection.query(SQL(unsafeRaw: sql)).map { _ in 1 }
          #expect(!rows.isEmpty, "\(moment), \(query.name)")
          if query.isTimeSeries { #expect(query.raw.contains("order by"), "\(query.name)") }
        }
      }
    }
    try expectRows("at first")
    // A rebuild swaps the tables beneath the views.
    _ = try ProjectionRebuild().run(store)
    try expectRows("rebuilt")
  }

  /// The sums of the views are those of the report, and the intervals those of their authors.
  /// One more that was interacted with, and one that was only dismissed.
  private func expectOrphansAlike(_ store: EventStore, _ app: App) throws {
    try store.append(
      [
        .expanded(of: ("lost", "d1")),
        .action("com.apple.UNNotificationDismissActionIdentifier", of: ("dismissed", "d1")),
      ], to: app.id)
    try store.project()
    let reported = try RateReader.read(RateQuery(app: app), on: store.connect(.asking)).total.orphans
    let shown = try store.connectAsSuperuser().value(
      of: "select count(*) from pushlift_views.orphan", as: Int.self)
    #expect(shown == reported)
    #expect(reported > 0)
  }

  @Test func theViewsCountAsReportsDo() throws {
    let (store, app) = try filledStore()
    let connection = try store.connectAsSuperuser()
    var query = RateQuery(app: app)
    let closed = try #require(try ClosedDays.last(query, on: store.connect(.asking)))
    query.lastDay = closed
    let cells = try RateReader.read(query, on: store.connect(.asking)).cells
    let counted = try connection.query(
      """
      select category, arm, sum(delivered)::bigint, sum(interacted)::bigint from pushlift_views.engagement
      where is_closed group by category, arm order by category, arm
      """
    ).map { row in
      "\(try row.value(0, as: String.self)) \(try row.value(1, as: String.self)) \(try row.value(2, as: Int.self)) \(try row.value(3, as: Int.self))"
    }
    let expected = Dictionary(grouping: cells) { "\($0.category) \($0.isRich ? "rich" : "text")" }.map {
      "\($0.key) \($0.value.reduce(0) { $0 + $1.units }) \($0.value.reduce(0) { $0 + $1.successes })"
    }
    #expect(counted == expected.sorted())
    #expect(counted.count > 6)
    try expectOrphansAlike(store, app)
    // Wilson: 15 of 148 is 6.2 to 16.0 % (Newcombe 1998, table I); Katz: 56/70 against 48/80, log SE 0.1091.
    let wilson = try connection.query("select lower, upper from pushlift_views.wilson(15, 148)").map { row in
      [try row.value(0, as: Double.self), try row.value(1, as: Double.self)]
    }
    #expect(abs(wilson[0][0] - 0.0624) < 5e-5 && abs(wilson[0][1] - 0.1605) < 5e-5, "\(wilson)")
    let katz = try connection.query(
      "select uplift, lower, upper from pushlift_views.katz_uplift(56, 70, 48, 80)"
    )
    .map { row in
      [
        try row.value(0, as: Double.self), try row.value(1, as: Double.self),
        try row.value(2, as: Double.self),
      ]
    }
    #expect(abs(katz[0][0] - 1.0 / 3) < 1e-9)
    #expect(abs(katz[0][1] - 0.0766) < 5e-4 && abs(katz[0][2] - 0.6513) < 5e-4, "\(katz)")
    let edges = try connection.query(
      """
      select (pushlift_views.wilson(0, 10)).lower, (pushlift_views.wilson(10, 10)).upper,
        (pushlift_views.wilson(0, 0)).rate, (pushlift_views.katz_uplift(1, 10, 0, 10)).uplift,
        (pushlift_views.katz_uplift(0, 0, 1, 10)).uplift
      """
    ).map { row in try (0..<5).map { try row.value($0, as: Double?.self) } }
    #expect(edges == [[0, 1, nil, nil, nil]])
  }

  @Test func theRoleSeesNothingElse() throws {
    let (store, _) = try filledStore()
    let superuser = try store.connectAsSuperuser()
    func names(_ query: SQL) throws -> [String] {
      try superuser.query(query).map { row in try row.value(0, as: String.self) }
    }
    let relations = try names(
      """
      select format('%I.%I', nspname, relname) from pg_class join pg_namespace on relnamespace = pg_namespace.oid
      where nspname in ('pushlift', 'public') and relkind in ('r', 'p', 'v', 'm', 'S', 'f') order by 1
      """)
    #expect(relations.contains("pushlift.reply") && relations.count > 20)
    let functions = try names(
      """
      select oid::regprocedure::text from pg_proc where pronamespace = 'pushlift'::regnamespace order by 1
      """)
    #expect(!functions.isEmpty)
    try withLogin(store) { connection in
      for relation in relations {
        let error = #expect(throws: PostgresError.self, "\(relation)") {
          _ = try connection.query(SQL(unsafeRaw: "select 1 from \(relation)"))
        }
        #expect(error?.sqlState == "42501", "\(relation)")
      }
      for statement in [
        "set role pushlift_runtime", "set role pushlift_owner", "create table public.mine ()",
        "create table pushlift_views.mine ()", "create view pushlift_views.mine as select 1",
        "delete from pushlift_views.orphan", "update pushlift_views.app set app = ''",
        "insert into pushlift_views.implausible default values",
        "select make_event_partitions('2026-11-02', '2026-11-02')",
        "select pushlift.prune_dead_letters(now(), null)",
      ] {
        #expect(throws: PostgresError.self, "\(statement)") { try connection.script(statement) }
      }
      // No view has a word of a reply, or anything that tells a device or a notification.
      let views = try superuser.query(
        "select relname::text from pg_class where relnamespace = 'pushlift_views'::regnamespace and relkind = 'v'"
      ).map { row in try row.value(0, as: String.self) }
      #expect(views.count == 8)
      for view in views {
        let rows = try connection.query("select t::text from pushlift_views.\(identifier: view) t").map {
          row in
          try row.value(0, as: String.self)
        }
        #expect(!rows.isEmpty, "\(view)")
        #expect(
          !rows.contains { $0.contains("Secret") || $0.contains("fallen") || $0.contains("tapped") },
          "\(view)")
      }
      let columns = try superuser.query(
        "select attname::text from pg_attribute join pg_class on attrelid = pg_class.oid where relnamespace = 'pushlift_views'::regnamespace and attnum > 0"
      ).map { row in try row.value(0, as: String.self) }
      #expect(
        !columns.contains {
          $0.contains("device") || $0.contains("unit") || $0.contains("notification") || $0.contains("_id")
        })
    }
  }
}
