import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// A session that serves a key of one app gets no row of another, whatever it asks for.
@Suite(.store) struct AppSeparationTests {
  private static let separated = [
    "app", "category_registry", "source_limit", "dead_letter", "unit_outcome", "unit_interaction",
    "daily_rate", "daily_implausible", "rate_frame", "framed_rate", "daily_action", "dead_letter_tally",
  ]

  /// Two apps that have rows in every table.
  private func makeStore() throws -> (store: EventStore, apps: [App]) {
    let store = try EventStore.prepared()
    let apps = try ["shop", "other"].map { try store.app($0) }
    for (place, app) in apps.enumerated() {
      var samples: [EventSample] = []
      for number in 0..<(6 + place) {
        let unit = ("\(app.name)-n\(number)", "d\(number % 4)")
        samples += try [
          .delivered(of: unit, in: app.name, at: -3 * 86_400, showing: number % 2 == 0 ? [.image] : []),
          .action("answer", of: unit, in: app.name, at: -3 * 86_400 + 60, reply: "words"),
        ]
      }
      samples.append(.expanded(of: ("odd", "d"), in: app.name).received(after: 401 * 86_400))
      try store.append(samples, to: app.id)
      let letter = DeadLetter(
        app: app.id, receivedAt: EventSample.noon, source: "http", index: 0, eventID: nil, deviceKey: nil,
        field: "type", code: "unknown_value", message: "type is unknown", body: Array("{}".utf8))
      _ = try EventWriter(store.connect(.writing)).append(
        AppendBatch(rows: [], indices: [], deadLetters: [letter], source: "http"))
    }
    try store.connectAsSuperuser().script(
      """
      insert into category_registry (app_id, position, document) select app_id, 0, '{"categories": []}' from app;
      insert into source_limit select app_id, '2026-11-04', '', 'braze', 'opening', 0 from app;
      insert into dead_letter_tally select app_id, '2026-11-04', 'empty', 1 from app;
      """)
    try store.project()
    for app in apps {
      _ = try RateFrame.add(zone: "UTC", windowSeconds: 60, to: app, on: store.connect(.aggregating))
    }
    return (store, apps)
  }

  private func count(_ table: String, _ condition: SQL = "true", on connection: borrowing Connection) throws
    -> Int
  {
    // A table of which not all columns may be read has `app_id` among those that may.
    let column: SQL = table == "unit_interaction" ? "unit_id" : "app_id"
    return try connection.value(
      of: "select count(\(column)) from \(identifier: table) where \(condition)", as: Int.self)
  }

  private func expectSeparation(_ store: EventStore, _ apps: [App]) throws {
    let superuser = try store.connectAsSuperuser()
    for (own, other) in [(apps[0], apps[1]), (apps[1], apps[0])] {
      let reader = try store.connect(.reporting(of: own.id))
      for table in Self.separated {
        let isOwn: SQL =
          table == "unit_interaction"
          ? "unit_id in (select unit_id from unit_outcome where app_id = \(own.id.rawValue))"
          : "app_id = \(own.id.rawValue)"
        let expected = try count(table, isOwn, on: superuser)
        #expect(expected > 0, "\(table)")
        #expect(try count(table, on: superuser) > expected, "\(table)")
        #expect(try count(table, on: reader) == expected, "\(table)")
        guard table != "unit_interaction" else { continue }
        #expect(try count(table, "app_id = \(other.id.rawValue)", on: reader) == 0, "\(table)")
      }
      #expect(try reader.value(of: "select count(*) from log_tally", as: Int.self) == 0)
      #expect(try App.all(on: reader) == [own])
    }
  }

  @Test func noQueryGivesRowsOfAnotherApp() throws {
    let (store, apps) = try makeStore()
    try expectSeparation(store, apps)
    let reader = try store.connect(.reporting(of: apps[0].id))
    for table in ["event", "event_default", "reply", "api_key", "erasure", "retired_partition"] {
      let error = #expect(throws: PostgresError.self, "\(table)") {
        try reader.execute("select from \(identifier: table)")
      }
      #expect(error?.sqlState == "42501", "\(table)")
    }
    let own = RateQuery(app: apps[0])
    let report = try RateReader.readEngagement(own, on: reader)
    #expect(report.result.cells.count > 1)
    #expect(
      report.result.cells == (try RateReader.readEngagement(own, on: store.connect(.asking))).result.cells)
    let theirs = try RateReader.readEngagement(RateQuery(app: apps[1]), on: reader)
    #expect(theirs.result.cells.isEmpty)
    #expect(theirs.details.actions.isEmpty && theirs.details.rejected.isEmpty)
  }

  @Test func rebuiltTablesAreSeparatedAsWell() throws {
    let (store, apps) = try makeStore()
    let superuser = try store.connectAsSuperuser()
    func policies() throws -> [String] {
      try superuser.query(
        "select concat_ws(' ', tablename, policyname, permissive, roles, cmd, qual, with_check) as policy from pg_policies order by 1"
      ).map { row in try row.value(0, as: String.self) }
    }
    let before = try policies()
    for _ in 1...2 {
      _ = try ProjectionRebuild().run(store)
      #expect(try policies() == before)
      try expectSeparation(store, apps)
    }
  }

  /// Nobody has to remember the setting: a session without it fails, and so does one that has lost it.
  @Test func aSessionOfNoAppReadsNothing() throws {
    let (store, apps) = try makeStore()
    let unbound = try Connection(
      store.database.with(role: "pushlift_reader").with(setting: "search_path", "pushlift"))
    let lost = try store.connect(.reporting(of: apps[0].id))
    try lost.script("set pushlift.app = ''")
    for table in Self.separated {
      #expect(throws: PostgresError.self, "\(table)") { try count(table, on: unbound) }
      #expect(throws: PostgresError.self, "\(table)") { try count(table, on: lost) }
    }
  }

  /// Whatever a later migration lets the reader read has to be separated.
  @Test func allThatTheReaderMayReadIsSeparated() throws {
    let store = try EventStore.prepared()
    let open = try store.connectAsSuperuser().query(
      """
      select relname::text from pg_class
      where relnamespace = 'pushlift'::regnamespace and relkind in ('r', 'p', 'v', 'm')
        and has_any_column_privilege('pushlift_reader', oid, 'select') and not relrowsecurity
      """
    ).map { row in try row.value(0, as: String.self) }
    #expect(open == ["projection_checkpoint"])
  }
}
