import Foundation
import Postgres
import TestSupport
import Testing

/// `pushlift doctor` finds what was made wrong on purpose, and nothing else.
@Suite(.store) struct DoctorTests {
  private struct Finding: Decodable, Hashable {
    let check: String
    let severity: String
    let message: String
    let remedy: String?
  }

  private func connect() throws -> Connection {
    try Connection(TestDatabase.current.with(setting: "search_path", "pushlift"))
  }

  private func makeStore() throws -> Sandbox {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 400)
    try sandbox.succeed("aggregate")
    return sandbox
  }

  /// What is to be mended. The cluster of the tests does without durability and vacuum, which is told.
  private func findings(_ sandbox: Sandbox) throws -> [Finding] {
    let output = try sandbox.run("doctor", "--format", "json")
    #expect(output.status == 1, "\(output.err)")
    let all = try JSONDecoder().decode([Finding].self, from: Data(output.out.utf8))
    #expect(all.contains { $0.check == "durability" && $0.severity == "fault" })
    return all.filter { $0.severity != "ok" && $0.check != "durability" && $0.check != "vacuum" }
  }

  @Test func aSoundStoreHasNothingToMend() throws {
    let sandbox = try Sandbox()
    try sandbox.importSimulated(notifications: 200)
    try sandbox.succeed("aggregate")
    let text = try sandbox.succeed("doctor")
    let checks = [
      "schema", "postgres", "durability", "clock", "secret", "rights", "partitions", "keys", "disk", "lag",
      "statistics", "deadletters", "deliveries", "categories", "orphans", "times",
    ]
    let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2) }
    #expect(lines.map { String($0[1]) } == checks, "\(text)")
    #expect(lines.allSatisfy { $0[0] == "ok" }, "\(text)")
  }

  @Test func whatIsWrongIsNamedWithItsRemedy() throws {
    let sandbox = try makeStore()
    _ = try sandbox.makeKey()
    let database = try connect()
    for statement: SQL in [
      "update api_key set created_at = now() - interval '500 days'",
      "grant delete on event to pushlift_runtime",
      """
      do $$ declare week regclass; begin
        for week in select inhrelid::regclass from pg_inherits
          where inhparent = 'event'::regclass and pg_get_expr((select relpartbound from pg_class where oid = inhrelid), inhrelid) > format('FOR VALUES FROM (''%s'')', current_date - 6)
        loop execute format('drop table %s', week); end loop;
      end $$
      """,
      """
      insert into dead_letter (app_id, received_at, source, event_index, field, code, message, body)
      select app_id, now(), 'http', 0, 'type', 'unknown_value', 'type is tapped', '{}' from app limit 1
      """,
      """
      insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
        type, time_quality, notification_id, category, occurred_at_raw)
      select gen_random_uuid(), gen_random_uuid(), current_date, app_id, gen_random_uuid(), gen_random_uuid(), now(),
        now() - interval '20 minutes', now(), 1, 0, 'n', '', now()::text from app limit 1
      """,
    ] { try database.execute(statement) }
    let findings = try findings(sandbox)
    #expect(
      Set(findings.map { "\($0.severity) \($0.check)" })
        == ["warning keys", "fault rights", "fault partitions", "warning deadletters", "warning lag"],
      "\(findings)")
    #expect(findings.allSatisfy { $0.remedy != nil })
    #expect(
      findings.contains {
        $0.message.contains("1 events were rejected within seven days, most for unknown_value")
      })
  }

  @Test func aRoleThatMayMoreThanItShallIsToldOf() throws {
    let sandbox = try makeStore()
    let granted: [(SQL, String)] = [
      ("grant select on reply to pushlift_runtime", "pushlift_runtime may read the texts of replies."),
      (
        "grant truncate on event_default to pushlift_dashboard",
        "pushlift_dashboard may change or remove events."
      ),
      ("grant select on api_key to pushlift_replies", "pushlift_replies may read the hashes of keys."),
      ("grant select on event to pushlift_reader", "pushlift_reader may do more than read one app's rows."),
    ]
    for (statement, _) in granted { try connect().execute(statement) }
    let findings = try findings(sandbox).filter { $0.check == "rights" }
    #expect(findings.map(\.message) == granted.map(\.1))
  }

  @Test func textOnlyPushesThatAreNeverSeenAreToldOf() throws {
    let sandbox = try makeStore()
    let database = try connect()
    try database.execute("delete from daily_rate where not intended and not shown")
    try database.execute("update daily_rate set day = current_date - 1 - (day - current_date) % 20")
    let findings = try findings(sandbox).filter { $0.check == "deliveries" }
    #expect(findings.map(\.severity) == ["warning"])
    #expect(findings.first?.remedy?.contains("mutable-content: 1") == true)
  }

  @Test func categoriesThatReadAlikeAreToldOf() throws {
    let sandbox = try makeStore()
    let database = try connect()
    try database.execute("update daily_rate set day = current_date - 1 - (day - current_date) % 20")
    try database.execute(
      "update daily_rate set category = 'Social Post ' where category = 'social_post' and bucket < 10")
    let findings = try findings(sandbox).filter { $0.check == "categories" }
    #expect(
      findings.map(\.message) == ["shop: “Social Post ”, “social_post” read alike and are counted apart."])
  }

  @Test func anotherSecretIsAFaultAndNothingIsMadeWithIt() throws {
    let sandbox = try makeStore()
    let output = try sandbox.run(
      "doctor", environment: ["PUSHLIFT_SECRET": String(repeating: "77", count: 32)])
    #expect(output.status == 1)
    #expect(output.out.contains("fault    secret"))
    #expect(output.err.hasPrefix("Error: There "))
  }
}
