import EventStore
import Postgres
import TestSupport
import Testing

/// What the runtime role may not do, whatever the code above it does.
@Suite(.store)
struct RoleTests {
  private static let insufficientPrivilege = "42501"

  /// A store with an event in a weekly partition of 2026, one in the default partition, and a reply.
  private func makeStore() throws -> EventStore {
    let store = try EventStore.prepared()
    let connection = try store.connect(.asking)
    _ = try connection.query("select make_event_partitions('2026-11-02', '2026-11-02')")
    var farOff = EventSample.expanded(1)
    farOff.occurredAt = farOff.occurredAt.advanced(bySeconds: -3_000 * 86_400)
    let app = try store.app()
    try store.append([farOff, .delivered(2), .action("answer", 3, reply: "hello")], to: app.id)
    return store
  }

  private static let week = "event_2026w45"

  private func expectRefused(_ statements: [String], as role: String = "pushlift_runtime") throws {
    let store = try makeStore()
    let connection = try store.connect(.asking)
    let before = try counts(store)
    for statement in statements {
      let error = #expect(throws: PostgresError.self, "\(statement)") {
        try connection.execute(SQL(unsafeRaw: statement))
      }
      #expect(error?.sqlState == Self.insufficientPrivilege, "\(statement): \(error?.message ?? "")")
    }
    #expect(try counts(store) == before)
    #expect(before == [1, 2, 1])
  }

  private func counts(_ store: EventStore) throws -> [Int] {
    let connection = try store.connectAsSuperuser()
    return try ["event_default", Self.week, "reply"].map { table in
      try connection.value(of: "select count(*) from \(identifier: table)", as: Int.self)
    }
  }

  @Test(arguments: [EventStore.Purpose.writing, .aggregating, .asking])
  func everyConnectionActsAsTheRuntimeRole(_ purpose: EventStore.Purpose) throws {
    let connection = try EventStore.prepared().connect(purpose)
    for (setting, value) in [
      ("role", "pushlift_runtime"), ("search_path", "pushlift, pg_temp"), ("synchronous_commit", "on"),
      ("TimeZone", "UTC"),
    ] {
      #expect(try connection.value(of: "select current_setting(\(setting))", as: String.self) == value)
    }
    // Nothing that hangs may hold the readers up.
    let timeouts = try ["statement_timeout", "idle_in_transaction_session_timeout"].map { setting in
      try connection.value(of: "select current_setting(\(setting))", as: String.self)
    }
    if purpose == .writing { #expect(timeouts == ["30s", "30s"]) }
  }

  @Test(arguments: ["event", "event_default", week, "reply"])
  func whatIsWrittenStays(_ table: String) throws {
    try expectRefused([
      "update \(table) set day = day", "update \(table) set app_id = 2 where false", "delete from \(table)",
      "delete from \(table) where false", "truncate \(table)", "drop table \(table)",
    ])
  }

  @Test func partitionsTakeNothingDirectly() throws {
    try expectRefused([
      "insert into \(Self.week) select * from event where false",
      "insert into event_default select * from event where false",
      "select * from \(Self.week)",
    ])
  }

  @Test func theShapeOfTheStoreStays() throws {
    try expectRefused([
      "alter table event detach partition \(Self.week)",
      "create table pushlift.event_more partition of event for values from ('2001-01-01') to ('2001-01-08')",
      "create table pushlift.another ()", "create table public.another ()",
      "alter table event add column more text", "alter table event disable trigger all",
      "create index on event (category)", "drop schema pushlift cascade",
      "create function pushlift.f() returns int language sql as 'select 1'",
      "update schema_migration set checksum = ''", "delete from schema_migration",
      "update secret_check set hash = gen_random_uuid()", "delete from secret_check",
      "update api_key set secret_hash = ''", "delete from api_key", "update app set zone = 'UTC'",
      "delete from dead_letter", "update dead_letter set message = ''",
      "update category_registry set position = 0", "delete from category_registry",
      "select setval('event_position', 1)", "copy event to '/tmp/pushlift-refused'",
    ])
  }

  @Test func aLoginOfTheRuntimeRoleCannotBecomeTheOwner() throws {
    let store = try makeStore()
    let superuser = try store.connectAsSuperuser()
    let login = "login_\(UInt64.random(in: 0...(.max)))"
    try superuser.execute("create role \(identifier: login) login")
    defer { _ = try? superuser.execute("drop role \(identifier: login)") }
    try superuser.execute("grant pushlift_runtime to \(identifier: login)")
    let connection = try Connection(
      store.database.with(user: login).with(role: "pushlift_runtime").with(setting: "search_path", "pushlift")
    )
    #expect(try connection.value(of: "select count(*) from event", as: Int.self) == 3)
    for statement in ["set role pushlift_owner", "reset role; set role pushlift_owner", "set role postgres"] {
      let error = #expect(throws: PostgresError.self) { try connection.script(statement) }
      #expect(error?.sqlState == Self.insufficientPrivilege)
    }
    // Nor do the rights of the login reach further than its role's.
    try connection.script("reset role")
    let error = #expect(throws: PostgresError.self) { try connection.execute("delete from event") }
    #expect(error?.sqlState == Self.insufficientPrivilege)
  }

  /// The one function with the owner's rights does not take names from the caller's schemas.
  @Test func theCallersTablesDoNotShadowThoseOfTheStore() throws {
    let store = try makeStore()
    let connection = try store.connect(.asking)
    try connection.script("create temporary table event_default (day date)")
    #expect(
      try connection.value(of: "select make_event_partitions('2026-12-28', '2026-12-28')", as: Int32.self)
        <= 1)
    let error = #expect(throws: PostgresError.self) {
      _ = try connection.query("select make_event_partitions('1000-01-01', '2026-01-01')")
    }
    #expect(error?.sqlState == "22023")
  }
}
