import Postgres
import TestSupport
import Testing

/// Events that come more than once.
@Suite(.store) struct ResendTests {
  private static let events = (0..<60).map { number in
    let unit = number / 3
    return [
      Event(number, "delivered", notification: "N\(unit)"),
      Event(number, "expanded", notification: "N\(unit)"),
      Event(number, "action", notification: "N\(unit)").with("replyText", #""hello \#(number)""#),
    ][number % 3].json
  }

  @Test func aResentBatchCountsOnce() throws {
    let service = try TestService()
    #expect(try service.post(Self.events).verdicts().accepted == 60)
    let before = try Self.fingerprint(service)
    for _ in 1...2 {
      let answer = try service.post(Self.events)
      #expect(answer.status == 200)
      #expect(answer.text == #"{"accepted":0,"duplicates":60,"rejected":[]}"#)
    }
    #expect(try Self.fingerprint(service) == before)
  }

  @Test func shufflingSplittingAndMergingChangeNothing() throws {
    let service = try TestService()
    _ = try service.post(Self.events)
    let before = try Self.fingerprint(service)
    for size in [1, 7, 25, 60] {
      let shuffled = Self.events.shuffled()
      for start in stride(from: 0, to: 60, by: size) {
        let part = Array(shuffled[start..<min(start + size, 60)])
        let verdicts = try service.post(part).verdicts()
        #expect(verdicts.duplicates == part.count)
        #expect(verdicts.rejected.isEmpty)
      }
    }
    // New ones among old ones, and an old one twice in a request.
    let mixed = try service.post([Self.events[3], Event(99).json, Self.events[3], Self.events[4]])
      .verdicts()
    #expect(mixed.accepted == 1)
    #expect(mixed.duplicates == 3)
    #expect(try service.eventCount() == 61)
    #expect(try Self.fingerprint(service, besides: 99) == before)
    #expect(try service.letterCount() == 0)
  }

  /// What an app changes without changing the event: the order of fields, blanks, escapes, the case of ids.
  @Test func theSameEventWrittenOtherwiseIsADuplicate() throws {
    let service = try TestService()
    let id = "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa"
    let notification = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let time = Event.time(hoursAgo: 2)
    let first = """
      {"id":"\(id)","type":"action","notificationId":"\(notification)","deviceId":"D","occurredAt":"\(time)",\
      "category":"Größe","actionId":"reply","replyText":"a\\/b é"}
      """
    let second = """
      { "replyText" : "a/b \\u00e9", "actionId":"reply", "occurredAt":"\(time)", "deviceId":"\\u0044",
        "category":"Gr\\u00f6\\u00dfe", "notificationId":"\(notification.uppercased())", "type":"action",
        "id":"\(id.uppercased())", "somethingNew": null }
      """
    #expect(try service.post([first]).verdicts().accepted == 1)
    let answer = try service.post([second])
    #expect(answer.text == #"{"accepted":0,"duplicates":1,"rejected":[],"unknownFields":1}"#)
    #expect(try service.value(of: "select notification_id from event", as: String.self) == notification)
  }

  @Test func concurrentResendsStoreEachEventOnce() throws {
    let service = try TestService()
    let clients = (0..<6).map { _ in
      BackgroundWork { try service.post(Self.events.shuffled()).verdicts() }
    }
    let verdicts = try clients.map { try $0.value() }
    #expect(verdicts.reduce(0) { $0 + $1.accepted } == 60)
    #expect(verdicts.allSatisfy { $0.accepted + $0.duplicates == 60 })
    #expect(try service.eventCount() == 60)
  }

  /// What the store holds, event for event.
  private static func fingerprint(_ service: TestService, besides number: Int? = nil) throws -> String {
    try service.store.connectAsSuperuser().value(
      of: """
        select md5(string_agg(e::text || coalesce(r.text, ''), '|' order by event_id))
        from event e left join reply r using (event_id, unit_id, day)
        where event_id <> \(Event.id(number ?? 999_999))::uuid
        """)
  }
}
