import EventStore
import Postgres
import TestSupport
import Testing

/// Ids, texts and numbers as apps get them wrong, and what counts once or apart.
@Suite(.store) struct IdentityTests {
  private static func units(_ service: TestService) throws -> Int {
    try service.value(of: "select count(distinct unit_id) from event")
  }

  /// iOS prints UUIDs in capitals, others do not; both mean one notification. Other ids are kept as they are.
  @Test func onlyUUIDsAreFolded() throws {
    let service = try TestService()
    let upper = "7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA"
    let pairs = [
      (upper, upper.lowercased()), ("ABC-1F", "abc-1f"), ("{\(upper)}", "{\(upper.lowercased())}"),
    ]
    for (number, pair) in pairs.enumerated() {
      let answer = try service.post([
        Event(2 * number, "delivered", notification: pair.0).json,
        Event(2 * number + 1, "action", notification: pair.1).json,
      ])
      #expect(answer.status == 200)
    }
    #expect(try Self.units(service) == 1 + 2 + 2)
  }

  /// A person's one tap, reported by the library and by the app, has two ids and is one unit's.
  @Test func reportsOfOneThingByTwoPartsShareAUnit() throws {
    let service = try TestService()
    let opened = #""com.apple.UNNotificationDefaultActionIdentifier""#
    let events = [
      Event(1, "delivered", notification: "N").with("source", #""serviceExtension""#),
      Event(2, "delivered", notification: "N").with("source", #""app""#),
      Event(3, "action", notification: "N").with("actionId", opened),
      Event(4, "action", notification: "N").with("actionId", opened),
      Event(5, "action", notification: "N").with("actionId", #""like""#),
    ]
    #expect(try service.post(events.map(\.json)).verdicts().accepted == 5)
    #expect(try Self.units(service) == 1)
    // The same notification on another device is another unit.
    #expect(try service.post([Event(6, "delivered", notification: "N", device: "D2").json]).status == 200)
    #expect(try Self.units(service) == 2)
  }

  /// JSON numbers are doubles in many languages: an id that is one has lost digits before it came here.
  @Test func numbersAreNoIds() throws {
    let service = try TestService()
    let events = [
      Event(1).with("notificationId", "999999000167639035"),
      Event(2).with("deviceId", "468768768833943384"),
      Event(3).with("id", "3"), Event(4).with("category", "9.99e17"), Event(5).with("sequence", "1.0"),
      Event(6).with("sequence", "1e3"), Event(7).with("sequence", #""1""#), Event(8).with("sequence", "-1"),
      Event(9).with("sequence", "9223372036854775808"),
    ]
    let verdicts = try service.post(events.map(\.json)).verdicts()
    #expect(verdicts.accepted == 0)
    #expect(
      verdicts.rejected.map(\.code) == [
        "wrong_type", "wrong_type", "wrong_type", "wrong_type", "not_an_integer", "not_an_integer",
        "wrong_type",
        "number_out_of_range", "number_out_of_range",
      ])
    let text = Event(10).with("notificationId", #""999999000167639035""#).with(
      "sequence", "9223372036854775807")
    #expect(try service.post([text.json]).status == 200)
    #expect(
      try service.value(of: "select notification_id || '/' || sequence from event", as: String.self)
        == "999999000167639035/9223372036854775807")
  }

  /// One text that cannot be stored takes none of its neighbours along.
  @Test func aBadTextIsRejectedAlone() throws {
    let cases: [(value: String, code: String)] = [
      (#""a\u0000b""#, "null_character"), (#""thanks \ud83d""#, "lone_surrogate"),
      (#""\udc4d low half""#, "lone_surrogate"), (#""\ud83d\u0041""#, "lone_surrogate"),
      (#""\x""#, "invalid_escape"), ("\"a\u{1}b\"", "control_character"),
      (Event.quoted(String(repeating: "é", count: 4_097)), "reply_too_large"), ("5", "wrong_type"),
    ]
    let service = try TestService()
    for (number, (value, code)) in cases.enumerated() {
      var events = (0..<50).map { Event(100 * number + $0, "action") }
      events[17] = events[17].with("replyText", value)
      let verdicts = try service.post(
        events.map(\.json).joined(separator: "\n"), ["Content-Type": "application/x-ndjson"]
      ).verdicts()
      #expect(verdicts.accepted == 49, "\(value)")
      #expect(verdicts.rejected.map(\.index) == [17])
      #expect(verdicts.rejected.map(\.code) == [code], "\(value)")
      #expect(verdicts.rejected.map(\.field) == ["replyText"])
    }
    #expect(try service.eventCount() == 49 * cases.count)
  }

  @Test func replyTextIsKeptAsItCame() throws {
    let replies = [
      "", "\n\n", " ", "👍🏽", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "=HYPERLINK(\"http://x\")", "日本語", "e\u{301}", "\u{E9}", "\u{FFFD}",
      "\u{FEFF}x", "a\u{200D}b", String(repeating: "x", count: 8_192),
    ]
    let service = try TestService()
    var events = replies.enumerated().map { Event($0, "action").with("replyText", Event.quoted($1)).json }
    events.append(Event(99, "action").with("replyText", #""👍""#).json)
    events.append(Event(100, "action").with("replyText", #""\ud83d\udc4d""#).json)
    events.append(Event(101, "action").json)
    #expect(try service.post(events).verdicts().accepted == events.count)
    let stored = try service.store.connectAsSuperuser().query("select text from reply order by event_id").map
    {
      row in
      Array(try row.value(0, as: String.self).utf8)
    }
    #expect(stored == (replies + ["👍", "👍"]).map { Array($0.utf8) })
    #expect(try service.value(of: "select count(*) from event where reply_length is null") == 1)
  }

  @Test func longIdentifiersAreRejectedByName() throws {
    let service = try TestService()
    func text(_ length: Int) -> String { Event.quoted(String(repeating: "c", count: length)) }
    let limits = [("category", 128), ("notificationId", 256), ("deviceId", 256), ("actionId", 256)]
    for (number, (field, limit)) in limits.enumerated() {
      let verdicts = try service.post([
        Event(10 * number, "action").with(field, text(limit)).json,
        Event(10 * number + 1, "action").with(field, text(limit + 1)).json,
        Event(10 * number + 2, "action").with(field, text(3_000)).json,
      ]).verdicts()
      #expect(verdicts.accepted == 1)
      #expect(verdicts.rejected.map(\.code) == ["too_long", "too_long"])
      #expect(verdicts.rejected.map(\.field) == [field, field])
    }
    let large = Event(90).with("unknown", text(33_000)).json
    #expect(
      try service.post([large, Event(91).json]).verdicts().rejected.map(\.code) == ["event_too_large"])
  }

  /// Influenced opens and whatever else an app invents never come near an interaction.
  @Test func unknownTypesAndStrayFieldsAreRejected() throws {
    let service = try TestService()
    let events = [
      Event(1, "influenced_open"), Event(2, "Delivered"), Event(3, "opened"), Event(4).with("type", nil),
      Event(5, "expanded").with("actionId", #""like""#), Event(6, "delivered").with("replyText", #""hi""#),
      Event(7, "action").with("attachments", "[]"), Event(8, "action").with("actionId", nil),
      Event(9, "action").with("actionId", #""""#),
    ]
    let verdicts = try service.post(events.map(\.json)).verdicts()
    #expect(
      verdicts.rejected.map { "\($0.field) \($0.code)" } == [
        "type unknown_value", "type unknown_value", "type unknown_value", "type missing_field",
        "actionId field_not_allowed", "replyText field_not_allowed", "attachments field_not_allowed",
        "actionId missing_field", "actionId empty",
      ])
    #expect(verdicts.accepted == 0)
  }

  /// Levels that nobody asked for bring no parser down.
  @Test func deepNestingIsRejectedAndTheServerLives() throws {
    let service = try TestService()
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    let answer = try service.post([Event(1).with("meta", deep).json, Event(2).json])
    #expect((400..<500).contains(answer.status) || answer.status == 207, "\(answer.text)")
    let open = try service.post(String(repeating: "[", count: 1_000_000))
    #expect(open.status == 400)
    #expect(try service.post([Event(2).json]).status == 200)
    #expect(try service.storedIDs() == [Event.id(2)])
  }

  /// A megabyte that inflates to a gigabyte is given up at the limit.
  @Test func aGzipBombIsRefused() throws {
    let service = try TestService()
    let bomb = try Gzip.compress([UInt8](repeating: UInt8(ascii: " "), count: 200 << 20))
    let answer = try service.post(bomb, ["Content-Encoding": "gzip"])
    #expect(answer.status == 413)
    #expect(try service.post([Event(1).json]).status == 200)
  }
}
