import Foundation
import Postgres
import TestSupport
import Testing

/// A store that the first release has filled is brought up to date by this one, and says what it said.
@Suite(.database) struct FirstReleaseTests {
  /// What a report counts, as both releases print it.
  private struct Report: Decodable, Equatable {
    struct Category: Decodable, Equatable {
      struct Arm: Decodable, Equatable {
        let delivered: Int
        let devices: Int
        let events: Int
        let intendedRich: Int
        let shownAsText: Int
      }

      let category: String
      let implausible: Int
      let orphans: Int
      let rich: Arm
      let text: Arm
    }

    let categories: [Category]
  }

  private static let fixtures = Bundle.module.resourceURL!.appending(path: "Fixtures")

  /// The first release's store, as its dump has it.
  private func restore() throws -> Sandbox {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let dump = Self.fixtures.appending(path: "first-release.sql").path
    let output = try sandbox.shell(
      "psql -qX --set ON_ERROR_STOP=1 --file='\(dump)' \"$PUSHLIFT_DATABASE\" > restored")
    try #require(output.status == 0, "\(output.err)")
    return sandbox
  }

  private func report(_ sandbox: Sandbox, _ more: String...) throws -> Report {
    let output = try sandbox.start(["rates", "--app", "shop", "--format", "json"] + more)
      .output(within: .seconds(60))
    try #require(output.status == 0, "\(output.err)")
    return try JSONDecoder().decode(Report.self, from: Data(output.out.utf8))
  }

  @Test func figuresRepliesAndLettersAreAsTheyWere() throws {
    let sandbox = try restore()
    let expected = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: Self.fixtures.appending(path: "first-release-rates.json")))
    #expect(expected.categories.map(\.rich.delivered).reduce(0, +) == 37)
    let migrated = try sandbox.succeed("migrate")
    #expect(migrated.contains("V012_unit_facts.sql") && !migrated.contains("V011"))
    #expect(try report(sandbox) == expected)
    #expect(try sandbox.run("verify").status == 0)

    // One delivery had come in after the last aggregation: that of an orphan.
    try sandbox.succeed("aggregate")
    let now = try report(sandbox)
    #expect(
      now.categories.map(\.text.delivered).reduce(0, +)
        == expected.categories.map(\.text.delivered).reduce(1, +))
    #expect(try report(sandbox, "--as-of", "98") == expected)
    try sandbox.succeed("rebuild")
    #expect(try sandbox.run("verify").status == 0)
    #expect(try report(sandbox) == now)

    let exported = try sandbox.succeed("export", "--app", "shop", "--with-replies")
    for text in [#"Lovely! 👍🏽 it's \"good\""#, #"win\r\nlines\tand tabs"#, #"c:\\dir"#] {
      #expect(exported.contains(text), "\(text)")
    }
    let letters = try sandbox.succeed("deadletters", "list", "--format", "csv")
    #expect(letters.contains("unknown_value") && letters.contains("conflict"))
    // The device is still the one that it was.
    let erased = try sandbox.succeed("erase", "--app", "shop", "--device", "d-1")
    #expect(erased.contains("1 reply and 2 dead letters removed, 4 events of 2 notifications"), "\(erased)")
  }

  @Test func anAppOfThatTimeGoesOn() throws {
    let sandbox = try restore()
    try sandbox.succeed("migrate")
    try sandbox.importSimulated(notifications: 50)
    try sandbox.succeed("aggregate")
    #expect(try sandbox.run("verify").status == 0)
    let keys = try sandbox.succeed("key", "list", "--format", "csv")
    for app in ["news", "shop"] { #expect(keys.contains(",\(app),write,"), "\(keys)") }
  }

  /// Sessions of the first release's server, with its statements, under way while the schema changes beneath them.
  @Test func aServerOfThatTimeGoesOnStoringMeanwhile() throws {
    let sandbox = try restore()
    let database = try TestDatabase.current
    let old = try Connection(
      database.with(role: "pushlift_runtime").with(setting: "search_path", "pushlift, pg_temp"))
    func count() throws -> Int { try old.value(of: "select count(*) from event") }
    func store() throws {
      try old.script(
        """
        begin;
        select pg_advisory_xact_lock_shared(7081002);
        insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
          reply_length, type, time_quality, notification_id, category, action_id, occurred_at_raw)
        select gen_random_uuid(), gen_random_uuid(), '2026-11-18', 1, gen_random_uuid(), gen_random_uuid(),
          '2026-11-18T12:00Z', now(), '2026-11-18T12:00Z', 5, 2, 0, 'n-old', 'chat', 'reply', '2026-11-18T12:00:00Z'
        on conflict (event_id, unit_id, day) do nothing returning event_id;
        insert into reply (event_id, unit_id, day, app_id, device_key, text)
        select event_id, unit_id, day, app_id, device_key, 'hello' from event
        where event_id not in (select event_id from reply) and notification_id = 'n-old'
        on conflict (event_id, unit_id, day) do nothing;
        insert into dead_letter (app_id, received_at, source, event_index, field, code, message, body)
        values (1, now(), 'http', 0, 'type', 'unknown_value', '', '{}');
        commit;
        """)
    }
    let before = try count()
    let migrating = try sandbox.start(["migrate"])
    var stored = 0
    while migrating.isRunning || stored < 20 {
      try store()
      stored += 1
    }
    #expect(try migrating.output(within: .seconds(60)).status == 0)
    try store()
    #expect(try count() == before + stored + 1)
    #expect(
      try old.value(of: "select count(*) from dead_letter where source = 'http'", as: Int.self) == stored + 1)
    try sandbox.succeed("aggregate")
    #expect(try sandbox.run("verify").status == 0)
  }

  @Test func aStoreOfALaterReleaseIsRefused() throws {
    let sandbox = try restore()
    try sandbox.succeed("migrate")
    try Connection(TestDatabase.current).execute(
      "insert into pushlift.schema_migration (version, name, checksum) values (999, 'V999_later.sql', '')")
    for command in [["rates", "--app", "shop"], ["migrate"], ["serve", "--port", "0"]] {
      let output = try sandbox.start(command).output(within: .seconds(60))
      #expect(output.status == 1, "\(command)")
      #expect(
        output.err.contains("V999_later.sql") && output.err.contains("Use the pushlift that applied it"),
        "\(command): \(output.err)")
    }
  }
}
