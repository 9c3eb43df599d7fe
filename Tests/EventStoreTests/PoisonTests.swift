import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

/// Events that Postgres itself does not take, and what else could spoil a batch.
@Suite(.store)
struct PoisonTests {
  /// A store that refuses events of the category `poison`.
  private func makePoisonableStore() throws -> EventStore {
    let store = try EventStore.prepared()
    try store.connectAsSuperuser().execute(
      "alter table event add constraint no_poison check (category <> 'poison')")
    return store
  }

  @Test(arguments: [[0], [99], [49, 50], [0, 1, 2, 3, 50, 98, 99], Array(0..<100)])
  func onlyWhatIsAtFaultIsRefused(_ poisoned: [Int]) throws {
    let store = try makePoisonableStore()
    let app = try store.app().id
    let events = (0..<100).map { place in
      EventSample.expanded(
        UInt64(place * 7_919 % 100), of: ("n\(place)", "d"), in: poisoned.contains(place) ? "poison" : "news")
    }
    let outcomes = try store.append(events, to: app)
    for (place, outcome) in outcomes.enumerated() {
      if poisoned.contains(place) {
        #expect(outcome == .refused(reason: "Postgres refused the event: 23514"))
      } else {
        #expect(outcome == .stored)
      }
    }
    let connection = try store.connectAsSuperuser()
    #expect(try connection.value(of: "select count(*) from event", as: Int.self) == 100 - poisoned.count)
    let letters = try connection.query(
      "select event_index from dead_letter where code = 'not_storable' order by event_index"
    ).map { row in Int(try row.value(0, as: Int32.self)) }
    #expect(letters == poisoned)
    #expect(try store.append(events, to: app).filter { $0 == .duplicate }.count == 100 - poisoned.count)
  }

  @Test func aPoisonedReplyKeepsItsTextOutOfTheLetter() throws {
    let store = try makePoisonableStore()
    let app = try store.app().id
    try store.append([.action("answer", 1, in: "poison", reply: "a secret"), .expanded(2)], to: app)
    let connection = try store.connectAsSuperuser()
    let body = try connection.value(of: "select convert_from(body, 'UTF8') from dead_letter", as: String.self)
    #expect(body.contains("answer"))
    #expect(!body.contains("a secret"))
    #expect(try connection.value(of: "select count(*) from reply", as: Int.self) == 0)
  }

  @Test func aLetterAboutNULDoesNotBecomeOne() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let letter = DeadLetter(
      app: app, receivedAt: EventSample.noon, source: "http", index: 3, eventID: "a\0b", deviceKey: nil,
      field: "x\0y", code: "null_character", message: "has \0 in it", body: [0, 1, 2])
    let batch = AppendBatch(
      rows: [try EventSample.expanded(1).row(app)], indices: [4], deadLetters: [letter], source: "http")
    #expect(try EventWriter(store.connect(.writing)).append(batch) == [.stored])
    let kept = try store.connectAsSuperuser().query(
      "select event_id || '|' || field || '|' || message || '|' || encode(body, 'hex') from dead_letter"
    ).map { row in try row.value(0, as: String.self) }
    #expect(kept == ["a\u{FFFD}b|x\u{FFFD}y|has \u{FFFD} in it|000102"])
  }

  @Test func aReplyLandsInTheVaultOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let text = "ja 👩‍👩‍👧 שלום"
    let reply = try EventSample.action("answer", 1, reply: text)
    let empty = try EventSample.action("answer", 2, reply: "")
    let none = try EventSample.action("answer", 3)
    #expect(
      try store.append([reply, empty, none, reply], to: app) == [.stored, .stored, .stored, .duplicate])
    try store.append([reply], to: app)
    let connection = try store.connectAsSuperuser()
    #expect(
      try connection.query("select text from reply order by text desc")
        .map { row in try row.value(0, as: String.self) } == [text, ""])
    let lengths = try connection.query("select reply_length from event order by event_id")
      .map { row in try row.value(0, as: Int32?.self) }
    #expect(lengths == [Int32(text.utf8.count), 0, nil])
    let inEvents = try connection.value(
      of: "select count(*) from event e where e::text like '%שלום%'", as: Int.self)
    #expect(inEvents == 0)
  }

  @Test func theTextOfAConflictingReplyIsNotKept() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    try store.append([.action("answer", 1, reply: "first")], to: app)
    #expect(try store.append([.action("answer", 1, reply: "second")], to: app) == [.conflict])
    let connection = try store.connectAsSuperuser()
    #expect(try connection.value(of: "select text from reply", as: String.self) == "first")
    #expect(
      try connection.value(
        of: "select count(*) from dead_letter where convert_from(body, 'UTF8') like '%second%'", as: Int.self)
        == 0)
  }
}
