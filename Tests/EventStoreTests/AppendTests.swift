import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@Suite(.store)
struct AppendTests {
  private func positions(_ store: EventStore) throws -> [Int64] {
    try store.connectAsSuperuser().query("select position from event order by position")
      .map { row in try row.value(0, as: Int64.self) }
  }

  private func letters(_ store: EventStore) throws -> [(code: String, message: String, body: String)] {
    try store.connectAsSuperuser().query(
      "select code, message, convert_from(body, 'UTF8') from dead_letter order by dead_letter_id"
    ).map { row in (try row.value(0), try row.value(1), try row.value(2)) }
  }

  @Test func aResentBatchCountsOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let batch: [EventSample] = [try .delivered(1), .expanded(2), try .opened(3)]
    #expect(try store.append(batch, to: app) == [.stored, .stored, .stored])
    #expect(try store.append(batch, to: app) == [.duplicate, .duplicate, .duplicate])
    #expect(try positions(store).count == 3)
    #expect(try letters(store).isEmpty)
  }

  @Test func aResendInAnotherOrderSplitOrMergedCountsOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let events = (1...60).map { EventSample.expanded(UInt64($0), of: ("n\($0 % 7)", "d\($0 % 5)")) }
    try store.append(Array(events[..<40]), to: app)
    #expect(
      try store.append(events.reversed(), to: app)
        == Array(repeating: .stored, count: 20) + Array(repeating: .duplicate, count: 40))
    for start in stride(from: 0, to: 60, by: 7) {
      let part = events[start..<min(start + 7, 60)]
      #expect(try store.append(Array(part), to: app) == part.map { _ in .duplicate })
    }
    #expect(try store.append(events + events, to: app) == (events + events).map { _ in .duplicate })
    #expect(try positions(store).count == 60)
  }

  @Test func theSameIdentityWithOtherContentIsAConflict() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let first = try EventSample.opened(1, in: "news")
    var other = first
    other.category = "promo"
    #expect(try store.append([first], to: app) == [.stored])
    #expect(try store.append([.expanded(2), other, first], to: app) == [.stored, .conflict, .duplicate])
    let kept = try store.connectAsSuperuser().query("select category from event order by position")
      .map { row in try row.value(0, as: String.self) }
    #expect(kept == ["news", "news"])
    let letter = try #require(try letters(store).first)
    #expect(letter.code == "conflict")
    #expect(letter.body.contains("promo"))
    #expect(!letter.body.contains("deviceId"))
  }

  @Test func twinsInOneBatchAreJudgedByTheFirst() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let first = EventSample.expanded(9, in: "news")
    var other = first
    other.category = "promo"
    #expect(
      try store.append([.expanded(1), first, other, first], to: app)
        == [.stored, .stored, .conflict, .duplicate])
    #expect(try letters(store).map(\.code) == ["conflict"])
    #expect(try positions(store).count == 2)
  }

  @Test func idsThatDifferInCaseAreOne() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let upper = "7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA"
    var one = try EventSample.delivered(of: (upper, "d1"))
    var twin = try EventSample.delivered(of: (upper.lowercased(), "d1"))
    one.id = try EventID("ABCDEF01-0000-4000-8000-00000000000F")
    twin.id = try EventID("abcdef01-0000-4000-8000-00000000000f")
    #expect(try store.append([one, twin], to: app) == [.stored, .duplicate])
    #expect(try store.append([twin], to: app) == [.duplicate])
    // Ids of another shape keep their case: two notifications.
    try store.append([.expanded(2, of: ("Abc", "d1")), .expanded(3, of: ("abc", "d1"))], to: app)
    let units = try store.connectAsSuperuser().value(
      of: "select count(distinct unit_id) from event", as: Int.self)
    #expect(units == 3)
  }

  @Test func theSameEventOfTwoAppsIsTwo() throws {
    let store = try EventStore.prepared()
    let event = EventSample.expanded(1)
    #expect(try store.append([event], to: store.app("one").id) == [.stored])
    #expect(try store.append([event], to: store.app("two").id) == [.stored])
    let keys = try store.connectAsSuperuser().value(
      of: "select count(distinct device_key) from event", as: Int.self)
    #expect(keys == 2)
  }

  @Test func theDeviceIDIsNowhereInTheDatabase() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let device = "installation-4711"
    var other = try EventSample.delivered(1, of: ("n1", device))
    try store.append([other, .action("answer", 2, of: ("n1", device), reply: "hi")], to: app)
    other.category = "promo"
    try store.append([other], to: app)
    let connection = try store.connectAsSuperuser()
    for table in ["event", "reply", "dead_letter"] {
      let rows = try connection.query(
        "select convert_from(t.b, 'UTF8') from (select convert_to(x::text, 'UTF8') as b from \(identifier: table) x) t"
      ).map { row in try row.value(0, as: String.self) }
      #expect(!rows.isEmpty)
      #expect(rows.allSatisfy { !$0.contains(device) })
    }
  }

  @Test func aBatchOfNothingIsFine() throws {
    let store = try EventStore.prepared()
    #expect(try store.append([], to: store.app().id) == [])
  }

  @Test func everyFieldIsKept() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    var event = try EventSample.delivered(
      1, of: ("n1", "d1"), in: "news", showing: [.image, .video], meaning: [.gif],
      offering: ["like", "save"],
      customInterface: true)
    event.receivedAt = event.occurredAt.advanced(bySeconds: 7_200)
    event.sentAt = event.occurredAt.advanced(bySeconds: 60.25)
    try store.append([event], to: app)
    let row = try store.connectAsSuperuser().query(
      """
      select concat_ws('|', day, occurred_at, sent_at, received_at, corrected_at, type, time_quality, intended, attached,
        custom_interface, notification_id, category, occurred_at_raw, detail ->> 'actions', reply_length, action_id)
      from event
      """
    ).map { row in try row.value(0, as: String.self) }
    #expect(
      row == [
        "2026-11-02|2026-11-02 12:00:00+00|2026-11-02 12:01:00.25+00|2026-11-02 14:00:00+00|"
          + "2026-11-02 13:58:59.75+00|0|1|2|5|t|n1|news|2026-11-02T12:00:00Z|[\"like\", \"save\"]"
      ])
  }
}
