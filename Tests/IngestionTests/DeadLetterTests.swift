import EventStore
import Postgres
import TestSupport
import Testing

/// What is kept of an event that was refused.
@Suite(.store) struct DeadLetterTests {
  private struct Letter: Equatable {
    let index: Int
    let eventID: String?
    let hasDevice: Bool
    let field: String
    let code: String
    let source: String
    let body: String
  }

  private static func letters(_ service: TestService) throws -> [Letter] {
    try service.store.connect(.asking).query(
      """
      select event_index, event_id, device_key is not null, field, code, source, body
      from dead_letter order by dead_letter_id
      """
    ).map { row in
      Letter(
        index: Int(try row.value(0, as: Int32.self)), eventID: try row.value(1), hasDevice: try row.value(2),
        field: try row.value(3), code: try row.value(4), source: try row.value(5),
        body: String(decoding: try row.value(6, as: [UInt8].self), as: UTF8.self))
    }
  }

  /// Everything as it came, but for what belongs to a person.
  @Test func aLetterHoldsTheEventWithoutReplyAndDevice() throws {
    let service = try TestService()
    let bad = Event(2, "action", device: "my-secret-device")
      .with("replyText", #""see you at Grandmother's""#).with("category", #""chat""#)
      .with("occurredAt", #""2026-09-02T3:33:07 PMZ""#)
    let answer = try service.post([Event(1).json, bad.json])
    #expect(answer.status == 207)
    let letters = try Self.letters(service)
    let letter = try #require(letters.first)
    #expect(letters.count == 1)
    #expect(letter.index == 1)
    #expect(letter.eventID == Event.id(2))
    #expect(letter.hasDevice)
    #expect(letter.field == "occurredAt")
    #expect(letter.code == "twelve_hour_clock")
    #expect(letter.source == "http")
    #expect(letter.body.contains(#""category":"chat""#))
    #expect(letter.body.contains("3:33:07 PMZ"))
    for text in [letter.body, answer.text] {
      #expect(!text.contains("Grandmother"))
      #expect(!text.contains("my-secret-device"))
    }
  }

  /// The whole kind: other types of values, broken JSON, names that nobody knows.
  @Test func noLetterLeaksHoweverTheEventIsBroken() throws {
    let service = try TestService()
    let device = "my-secret-device"
    let reply = #""see you at Grandmother's""#
    let action = Event(1, "action", device: device).with("replyText", reply)
    let events = [
      action.with("type", #""tap""#).json, action.with("type", #""expanded""#).json,
      action.with("id", "12").json, action.with("id", nil).json, action.with("notificationId", "5").json,
      action.with("deviceId", #"["\#(device)"]"#).json, action.with("deviceId", nil).json,
      action.with("replyText", #"["see you at Grandmother's"]"#).json,
      action.with("replyText", #""Grandmother \ud83d""#).json,
      action.with("replyText", #""Grandmother \u0000""#).json,
      action.with("replyText", Event.quoted(String(repeating: "Grandmother ", count: 1_000))).json,
      action.with("sequence", "1.5").json,
    ]
    // An event at a time as lines, so that text which breaks the JSON itself breaks one alone.
    let broken = action.json.replacing(#""actionId":"like""#, with: #""actionId":like"#)
    let answer = try service.post(
      (events + [broken]).joined(separator: "\n"), ["Content-Type": "application/x-ndjson"])
    #expect(answer.status == 422)
    let letters = try Self.letters(service)
    #expect(letters.count == events.count + 1)
    for text in letters.map(\.body) + [answer.text] {
      #expect(!text.contains("Grandmother"), "\(text)")
      #expect(!text.contains(device), "\(text)")
    }
    let messages: String = try service.value(of: "select string_agg(message || field, '') from dead_letter")
    #expect(!messages.contains("Grandmother"))
    #expect(!messages.contains(device))
  }

  /// A letter of a device can be found by it, to be erased with it.
  @Test func aLetterIsFoundByItsDevice() throws {
    let service = try TestService()
    _ = try service.post([Event(1, device: "D7").json, Event(2, device: "D7").with("category", "1").json])
    let same: Bool = try service.value(
      of: "select (select device_key from event) = (select device_key from dead_letter)")
    #expect(same)
  }

  @Test func aConflictIsKeptAsALetterAndTheFirstStays() throws {
    let service = try TestService()
    let first = Event(1, "action", notification: "N").with("replyText", #""first""#)
    #expect(try service.post([first.json]).status == 200)
    let second = first.with("replyText", #""second""#)
    let alone = try service.post([second.json])
    #expect(alone.status == 422)
    let verdicts = try alone.verdicts()
    #expect(verdicts.rejected.map(\.code) == ["conflict"])
    #expect(verdicts.rejected.map(\.id) == [Event.id(1)])
    let mixed = try service.post([Event(2).json, second.json, first.json])
    #expect(mixed.status == 207)
    #expect(try mixed.verdicts().accepted == 1)
    #expect(try mixed.verdicts().duplicates == 1)
    #expect(try mixed.verdicts().rejected.map(\.index) == [1])
    let letters = try Self.letters(service)
    #expect(letters.map(\.code) == ["conflict", "conflict"])
    #expect(letters.map(\.index) == [0, 1])
    #expect(letters.allSatisfy { !$0.body.contains("second") && !$0.body.contains("D1") })
    #expect(
      try service.store.connectAsSuperuser().value(
        of: "select string_agg(text, ',') from reply", as: String.self) == "first")
  }

  /// Both in one request: the first of them wins.
  @Test func aConflictWithinARequestIsSeen() throws {
    let service = try TestService()
    let event = Event(1, notification: "N")
    let answer = try service.post([event.json, event.with("category", #""news""#).json, event.json])
    #expect(answer.status == 207)
    let verdicts = try answer.verdicts()
    #expect(verdicts.accepted == 1)
    #expect(verdicts.duplicates == 1)
    #expect(verdicts.rejected.map(\.index) == [1])
    #expect(try service.value(of: "select category from event", as: String.self) == "")
  }
}
