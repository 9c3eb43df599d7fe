import Postgres
import TestSupport
import Testing

@testable import EventStore

/// How sessions begin, and that they cannot lead the store's own functions astray.
@Suite(.store)
struct RoleTests {
  @Test(arguments: [
    (EventStore.Purpose.writing, "pushlift_writer"), (.ingesting, "pushlift_writer"),
    (.aggregating, "pushlift_aggregator"), (.asking, "pushlift_analyst"),
    (.reporting(of: nil), "pushlift_analyst"), (.reporting(of: AppID(7)), "pushlift_reader"),
    (.readingReplies, "pushlift_replies"), (.administering, "pushlift_runtime"),
    (.owning, "pushlift_owner"),
  ])
  func everyConnectionActsAsTheRoleOfItsPurpose(_ purpose: EventStore.Purpose, _ role: String) throws {
    let connection = try EventStore.prepared().connect(purpose)
    func setting(_ name: String) throws -> String? {
      try connection.value(of: "select current_setting(\(name), true)", as: String?.self)
    }
    for (name, value) in [
      ("role", role), ("search_path", "pushlift, pg_temp"), ("synchronous_commit", "on"),
      ("TimeZone", "UTC"),
    ] {
      #expect(try setting(name) == value)
    }
    // Nothing that hangs may hold the readers up.
    if purpose == .writing {
      #expect(try setting("statement_timeout") == "30s")
      #expect(try setting("idle_in_transaction_session_timeout") == "30s")
    }
    #expect(try setting("pushlift.app") == (role == "pushlift_reader" ? "7" : nil))
  }

  /// Contention, and statements that read what others print, come too seldom to see each of these in what it does.
  @Test func noDefaultOfTheDatabaseReachesASession() throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    let name = try superuser.value(of: "select current_database()", as: String.self)
    let defaults = [
      ("statement_timeout", "1s", "0"), ("lock_timeout", "1s", "0"),
      ("idle_in_transaction_session_timeout", "1s", "0"), ("idle_session_timeout", "1h", "0"),
      ("default_transaction_isolation", "serializable", "read committed"),
      ("default_transaction_deferrable", "on", "off"), ("synchronous_commit", "off", "on"),
      ("standard_conforming_strings", "off", "on"), ("row_security", "off", "on"),
      ("array_nulls", "off", "on"), ("transform_null_equals", "on", "off"),
      ("quote_all_identifiers", "on", "off"),
      ("DateStyle", "German", "ISO, MDY"), ("IntervalStyle", "iso_8601", "postgres"),
      ("TimeZone", "Asia/Tokyo", "UTC"), ("search_path", "public", "pushlift, pg_temp"), ("jit", "on", "off"),
    ]
    for (setting, odd, _) in defaults {
      try superuser.script("alter database \"\(name)\" set \(setting) = '\(odd)'")
    }
    func check(_ connection: borrowing Connection, _ who: String) throws {
      for (setting, _, wanted) in defaults {
        #expect(
          try connection.value(of: "select current_setting(\(setting))", as: String.self) == wanted,
          "\(who): \(setting)")
      }
    }
    let purposes: [EventStore.Purpose] = [
      .ingesting, .aggregating, .asking, .readingReplies, .administering, .owning,
    ]
    for purpose in purposes { try check(store.connect(purpose), purpose.role) }
    try check(store.connectAsLogin(), "login")
  }

  /// As a pooler's sessions are, which leaves out what it does not know.
  @Test func aSessionThatDidNotBeginAsAskedIsRefused() throws {
    let store = try EventStore.prepared()
    for path in ["public", "pushlift", "\"$user\", pushlift, pg_temp"] {
      let error = #expect(throws: StoreError.self) {
        try Pooler.refuse(on: Connection(store.database.with(setting: "search_path", path)))
      }
      #expect(error?.remedy?.contains("let --database name Postgres itself") == true)
    }
    try Pooler.refuse(on: Connection(store.database.withSessionDefaults))
  }

  /// The functions with the owner's rights do not take names from the caller's schemas.
  @Test func theCallersTablesDoNotShadowThoseOfTheStore() throws {
    let connection = try EventStore.prepared().connect(.ingesting)
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
