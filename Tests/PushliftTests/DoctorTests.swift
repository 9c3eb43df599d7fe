import Foundation
import Postgres
import TestSupport
import Testing

/// `pushlift doctor` finds what was made wrong on purpose, and nothing else.
@Suite(.database) struct DoctorTests {
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

  private func examine(_ sandbox: Sandbox, status: Int32 = 0) throws -> [Finding] {
    let output = try sandbox.run("doctor", "--format", "json")
    #expect(output.status == status, "\(output.out)\(output.err)")
    return try JSONDecoder().decode([Finding].self, from: Data(output.out.utf8))
  }

  @Test func aSoundStoreHasNothingToMend() throws {
    let sandbox = try makeStore()
    let findings = try examine(sandbox)
    // The cluster of the tests does without.
    #expect(
      findings.filter { $0.severity != "ok" }.map(\.check).allSatisfy { $0 == "durability" }, "\(findings)")
    let checks = [
      "schema", "postgres", "durability", "clock", "secret", "rights", "partitions", "keys", "lag",
      "statistics",
      "deadletters", "deliveries", "orphans", "times",
    ]
    #expect(findings.map(\.check) == checks)
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
          where inhparent = 'event'::regclass and pg_get_expr((select relpartbound from pg_class where oid = inhrelid), inhrelid) > format('FOR VALUES FROM (''%s'')', current_date)
        loop execute format('drop table %s', week); end loop;
      end $$
      """,
      """
      insert into dead_letter (app_id, received_at, source, event_index, field, code, message, body)
      select app_id, now(), 'http', 0, 'type', 'unknown_value', 'type is tapped', '{}' from app limit 1
      """,
      "update daily_rate set day = current_date - 1, intended = true, shown = true, bucket = bucket where not intended",
      """
      insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
        type, time_quality, notification_id, category, occurred_at_raw)
      select gen_random_uuid(), gen_random_uuid(), current_date, app_id, gen_random_uuid(), gen_random_uuid(), now(),
        now() - interval '20 minutes', now(), 1, 0, 'n', '', now()::text from app limit 1
      """,
    ] { try database.execute(statement) }
    let findings = try examine(sandbox, status: 1).filter { $0.severity != "ok" && $0.check != "durability" }
    #expect(
      Set(findings.map { "\($0.severity) \($0.check)" })
        == ["warning keys", "fault rights", "warning partitions", "warning deadletters", "warning lag"],
      "\(findings)")
    #expect(findings.allSatisfy { $0.remedy != nil })
    #expect(
      findings.contains {
        $0.message.contains("1 events were rejected within seven days, most for unknown_value")
      })
  }

  @Test func textOnlyPushesThatAreNeverSeenAreToldOf() throws {
    let sandbox = try makeStore()
    let database = try connect()
    try database.execute("delete from daily_rate where not intended and not shown")
    try database.execute("update daily_rate set day = current_date - 1 - (day - current_date) % 20")
    let findings = try examine(sandbox).filter { $0.check == "deliveries" }
    #expect(findings.map(\.severity) == ["warning"])
    #expect(findings.first?.remedy?.contains("mutable-content: 1") == true)
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
