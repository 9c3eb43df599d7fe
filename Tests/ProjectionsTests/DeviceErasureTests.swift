import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// A device is forgotten, and no figure shows it.
@Suite(.store) struct DeviceErasureTests {
  private let device = "marked-device"

  /// Three units of the device, one an orphan, with two replies.
  private func samples() throws -> [EventSample] {
    try [
      .delivered(1, of: ("m1", device), showing: [.image], offering: ["answer"]),
      .action("answer", 2, of: ("m1", device), at: 5, reply: "marked words"),
      .delivered(3, of: ("m2", device), at: 60), .expanded(4, of: ("m2", device), at: 70),
      .action("answer", 5, of: ("m3", device), at: 80, reply: "more marked words"),
    ]
  }

  private func makeStore() throws -> (store: EventStore, app: App) {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 200)
    try store.append(samples(), to: app.id)
    try store.append([.delivered(6, of: ("m1", device))], to: store.app("another").id)
    try leaveLetter(store, app)
    try store.project()
    return (store, app)
  }

  private func leaveLetter(_ store: EventStore, _ app: App) throws {
    let letter = DeadLetter(
      app: app.id, receivedAt: EventSample.noon, source: "http", index: 0, eventID: nil,
      deviceKey: StoreSecret.test.deviceKey(app: app.id, device: try DeviceID(device)), field: "type",
      code: "unknown_value", message: "type is unknown", body: Array("{}".utf8))
    _ = try EventWriter(store.connect(.writing)).append(
      AppendBatch(rows: [], indices: [], deadLetters: [letter], source: "http"))
  }

  @discardableResult
  private func erase(_ store: EventStore, _ app: App) throws -> DeviceErasure.Record {
    try DeviceErasure(store).run(DeviceID(device), of: app.id, requester: "test")
  }

  private func trace(_ store: EventStore, _ app: App) throws -> [String] {
    try DeviceTrace(
      of: DeviceID(device), app: app.id, secret: .test, on: store.connect(.administering)
    ).tables.map { "\($0.name) \($0.rows)" }
  }

  private func count(_ table: String, _ store: EventStore) throws -> Int {
    try store.connectAsSuperuser().value(of: "select count(*) from \(identifier: table)")
  }

  @Test func nothingLeadsToTheDeviceAndEveryFigureStays() throws {
    let (store, app) = try makeStore()
    let connection = try store.connect(.asking)
    let query = RateQuery(app: app)
    let before = try RateReader.read(query, on: connection)
    let days = try ProjectedState(connection).days
    #expect(
      try trace(store, app) == ["dead_letter 1", "event 5", "reply 2", "unit_outcome 3"])
    let former = try connection.query(
      """
      select unit_id::text as name from event
      where app_id = \(app.id.rawValue) and event_id between '00000000-0000-0000-0000-000000000001' and '00000000-0000-0000-0000-000000000005'
      """
    ).map { row in try row.value(0, as: String.self) }
    // Late, so that the report as of before has to leave it out.
    try store.append([.opened(7, of: ("m2", device), at: 90)], to: app.id)

    let record = try erase(store, app)
    #expect((record.replies, record.deadLetters, record.events, record.units) == (2, 1, 6, 3))
    #expect(try count("erasure", store) == 1)
    #expect(try trace(store, app) == [])
    try store.project()
    #expect(try RateReader.read(query, asOf: before.checkpoint.position, on: connection) == before)
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
    let now = try RateReader.read(query, on: connection)
    _ = try ProjectionRebuild().run(store)
    #expect(try RateReader.read(query, on: store.connect(.asking)) == now)
    #expect(try ProjectedState(connection).days.count == days.count)
    // Neither the ids that only the device knows, nor those that are made from its id.
    let everything = try connection.query(
      """
      select event::text from event where app_id = \(app.id.rawValue) union all select unit_outcome::text from unit_outcome
      where app_id = \(app.id.rawValue) union all select unit_interaction::text from unit_interaction
      """
    ).map { row in try row.value(0, as: String.self) }.joined(separator: "\n")
    for word in former + (1...5).map({ "00000000-0000-0000-0000-00000000000\($0)" }) + ["m1,", "m2,"] {
      let isThere = everything.contains(word)
      #expect(!isThere, "\(word)")
    }
    // The same device of another app is another.
    #expect(try trace(store, store.app("another")) == ["event 1", "unit_outcome 1"])
  }

  @Test func neitherARetryNorAnImportBringsItBack() throws {
    let (store, app) = try makeStore()
    let events = try count("event", store)
    try erase(store, app)
    var late = try EventSample.action("answer", of: ("m9", device), reply: "never sent before")
    late.receivedAt = late.occurredAt.advanced(bySeconds: 3_600)
    let outcomes = try store.append(samples() + [late, .delivered(of: ("other", "d"))], to: app.id)
    #expect(outcomes == [AppendOutcome](repeating: .duplicate, count: 6) + [.stored])
    try leaveLetter(store, app)
    #expect(try trace(store, app) == [])
    #expect(try count("event", store) == events + 1)
    #expect(try count("dead_letter", store) == 0)
    // An export from before has the device's key in the place of its id.
    let key = StoreSecret.test.deviceKey(app: app.id, device: try DeviceID(device))
    let exported = try EventSample.action("answer", of: ("m1", "key:\(key)"), reply: "marked words")
    #expect(try store.append([exported], to: app.id) == [.duplicate])
    #expect(try erase(store, app).events == 0)
    #expect(try count("erasure", store) == 2)
  }

  /// What else a batch holds is treated as if the device were not in it.
  @Test func aBatchWithAnErasedDeviceKeepsItsWordsForConflicts() throws {
    let (store, app) = try makeStore()
    try erase(store, app)
    var other = try EventSample.delivered(30, of: ("m30", "other"))
    try store.append([other], to: app.id)
    other.category = "changed"
    var batch = AppendBatch.of(try [samples()[0].row(app.id), other.row(app.id)])
    batch.conflictMessage = "as this import says it"
    batch.file = "records.ndjson"
    #expect(try EventWriter(store.connect(.writing)).append(batch) == [.duplicate, .conflict])
    let letter = try #require(
      try StoredDeadLetter.newest(.init(), limit: 1, on: store.connect(.asking)).first?.letter)
    #expect(letter.message == "as this import says it")
    #expect(letter.file == "records.ndjson")
  }

  /// A device that was erased and goes on sending costs its batches a second run now and then only.
  @Test func anErasedDeviceDoesNotMakeEveryBatchRunTwice() throws {
    let (store, app) = try makeStore()
    try erase(store, app)
    try store.connectAsSuperuser().script(
      """
      create sequence hopes;
      grant usage on sequence hopes to pushlift_writer;
      create or replace function refuse_erased(keys uuid[]) returns void
      language plpgsql set search_path = pushlift, pg_temp
      as $$
      begin
        perform nextval('hopes');
        if exists (select from erasure where device_key = any (keys)) then
          raise exception 'a device of this batch was erased' using errcode = 'integrity_constraint_violation';
        end if;
      end $$;
      """)
    let now = Timestamp(
      try store.connect(.asking).value(of: "select now()", as: PostgresTimestamp.self))
    let writer = EventWriter(try store.connect(.writing))
    for number in 0..<40 {
      var later = EventSample.expanded(of: ("later \(number)", device))
      later.occurredAt = now.advanced(bySeconds: 60)
      #expect(try writer.append(.of([later.row(app.id)])) == [.stored])
    }
    #expect(try store.connectAsSuperuser().value(of: "select last_value from hopes", as: Int.self) <= 2)
    // Where it falls silent, batches are new as a whole again.
    for _ in 0..<40 {
      #expect(try writer.append(.of([EventSample.expanded(of: ("n", "other")).row(app.id)])) == [.stored])
    }
    #expect(try store.connectAsSuperuser().value(of: "select last_value from hopes", as: Int.self) > 5)
  }

  @Test func whatHappensLaterIsNew() throws {
    let (store, app) = try makeStore()
    try erase(store, app)
    var later = try EventSample.action("answer", of: ("m10", device), reply: "hello again")
    let now = try store.connect(.asking).value(of: "select now()", as: PostgresTimestamp.self)
    later.occurredAt = Timestamp(now).advanced(bySeconds: 60)
    #expect(try store.append([later], to: app.id) == [.stored])
    #expect(try store.append([later], to: app.id) == [.duplicate])
    #expect(try trace(store, app) == ["event 1", "reply 1"])
    // To be forgotten as well, where that is asked for; then its clock was ahead, and it stays forgotten.
    #expect(try erase(store, app).replies == 1)
    #expect(try store.append([later], to: app.id) == [.duplicate])
    #expect(try trace(store, app) == [])
    try store.project()
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
  }

  @Test func anErasureThatWasInterruptedIsFinishedLater() throws {
    let (store, app) = try makeStore()
    let key = StoreSecret.test.deviceKey(app: app.id, device: try DeviceID(device))
    let connection = try store.connect(.administering)
    _ = try connection.query("select begin_erasure(\(app.id.rawValue), \([key]), 'test')")
    #expect(try trace(store, app) == ["event 5", "unit_outcome 3"])
    #expect(try store.append(samples(), to: app.id) == [AppendOutcome](repeating: .duplicate, count: 5))
    #expect(try DeviceErasure.finish(on: store.connect(.owning)) == 1)
    #expect(try DeviceErasure.finish(on: store.connect(.owning)) == 0)
    #expect(try trace(store, app) == [])
    #expect(
      try connection.value(of: "select events = 5 and units = 3 and replies = 2 from erasure", as: Bool.self))
  }

  /// A writer that had looked before the erasure began commits before it goes on.
  @Test func aWriterUnderWayIsWaitedFor() throws {
    let (store, app) = try makeStore()
    let reply = try EventSample.action("answer", 20, of: ("m11", device), reply: "just now")
    let blocker = try store.blockReply(of: reply, in: app.id)
    let writing = Background { try store.append([reply], to: app.id) }
    try store.waitForBlocked("%insert into reply%")
    let erasing = Background { try erase(store, app) }
    try store.waitForBlocked("select begin_erasure%")
    try blocker.script("rollback")
    #expect(try writing.value() == [.stored])
    #expect(try erasing.value().replies == 3)
    #expect(try trace(store, app) == [])
  }

  @Test func onlyThroughItsFunctionsIsAnythingErased() throws {
    let (store, app) = try makeStore()
    try erase(store, app)
    let connection = try store.connect(.administering)
    for statement in [
      "delete from erasure", "update erasure set until = '2000-01-01'", "truncate erasure",
      "insert into erasure select * from erasure", "select salted('\\x00', gen_random_uuid())",
    ] {
      let error = #expect(throws: PostgresError.self, "\(statement)") {
        try connection.execute(SQL(unsafeRaw: statement))
      }
      #expect(error?.sqlState == "42501", "\(statement)")
    }
  }
}
