import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

/// What each role may not do, tried.
@Suite(.store) struct ReplyRoleTests {
  private static let forbidden: [String: [String]] = [
    "pushlift_runtime": [
      "select text from reply", "select * from reply", "select reply from reply", "copy reply to stdout",
      "select count(*) from event join reply using (event_id, unit_id, day) where text like '%m%'",
      "insert into reply select * from reply on conflict (event_id, unit_id, day) do update set text = 'x'",
      "create view pg_temp.texts as select text from reply; select * from pg_temp.texts",
      "update reply set text = ''", "delete from reply", "truncate reply", "delete from erasure",
      "set role pushlift_replies", "set role pushlift_owner", "delete from dead_letter",
      "update event set day = day",
    ],
    "pushlift_replies": [
      "select * from api_key", "select * from secret_check", "delete from unit_outcome",
      "insert into event select * from event where false",
      "insert into reply select * from reply where false",
      "insert into app (name) values ('x')", "update reply set text = ''", "delete from reply",
      "truncate reply",
      "delete from event", "update app set zone = 'UTC'", "select nextval('event_position')",
      "select begin_erasure(1, '{}', '')", "select finish_erasures()",
      "select prune_dead_letters('2000-01-01', 1)",
      "select make_event_partitions('2026-01-01', '2026-01-01')", "create table pushlift.x ()",
      "set role pushlift_runtime", "set role pushlift_owner",
    ],
    // Any other login of the server.
    "": [
      "select text from pushlift.reply", "select * from pushlift.event", "select * from pushlift.erasure",
      "select pushlift.begin_erasure(1, '{}', '')", "select pushlift.finish_erasures()",
      "select pushlift.prune_dead_letters('2000-01-01', 1)", "set role pushlift_replies",
    ],
  ]

  @Test(arguments: ["pushlift_runtime", "pushlift_replies", ""])
  func everyForbiddenThingIsRefused(_ role: String) throws {
    let store = try EventStore.prepared()
    try store.append([.action("answer", reply: "marked")], to: store.app().id)
    let superuser = try store.connectAsSuperuser()
    let login = "login_\(UInt64.random(in: 0...(.max)))"
    try superuser.execute("create role \(identifier: login) login")
    defer { _ = try? superuser.execute("drop role \(identifier: login)") }
    if !role.isEmpty { try superuser.execute("grant \(identifier: role) to \(identifier: login)") }
    let statements = try #require(Self.forbidden[role])
    for statement in statements {
      let connection = try Connection(
        store.database.with(user: login).with(setting: "search_path", "pushlift"))
      let error = #expect(throws: PostgresError.self, "\(statement)") { try connection.script(statement) }
      #expect(error?.sqlState == "42501", "\(statement): \(error?.message ?? "")")
    }
    #expect(try superuser.value(of: "select text from reply", as: String.self) == "marked")
  }

  @Test func whoReadsRepliesReadsThemAndWritesNothing() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.append([.action("answer", reply: "marked")], to: app.id)
    var texts: [String?] = []
    try StoredEvent.forEach(
      of: app.id, in: 1...10, withReplies: true, on: store.connect(.readingReplies)
    ) { texts.append($0.replyText) }
    #expect(texts == ["marked"])
    #expect(throws: PostgresError.self) {
      try StoredEvent.forEach(of: app.id, in: 1...10, withReplies: true, on: store.connect(.asking)) { _ in }
    }
  }
}
