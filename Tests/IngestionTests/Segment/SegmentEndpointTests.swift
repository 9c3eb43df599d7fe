import EngagementEvents
import EventStore
import ForeignEvents
import Foundation
import HTTPServer
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct SegmentEndpointTests {
  private func call(_ number: Int, _ event: String = "Received", _ properties: String = "") -> String {
    ForeignFixture.segmentCall(number, event, Event.time(hoursAgo: 1), properties)
  }

  private func batch(_ calls: [String], _ more: String = "") -> String {
    #"{"batch":[\#(calls.joined(separator: ","))],"sentAt":"\#(Event.time(hoursAgo: 0))"\#(more)}"#
  }

  private func post(
    _ service: TestService, _ body: String, path: String = "/v1/batch", key: String? = nil,
    _ headers: [String: String] = [:]
  ) throws -> HTTPAnswer {
    let basic = Data("\(key ?? service.key):".utf8).base64EncodedString()
    var all = ["Authorization": "Basic \(basic)", "Content-Type": "application/json"]
    all.merge(headers) { _, given in given }
    return try service.client.post(path, all, body: Array(body.utf8))
  }

  @Test func theDocumentedNamesBecomeEvents() throws {
    let service = try TestService()
    let calls = [
      call(1, "Received", #""category":"news","attachments":[{"kind":"image","bytes":12}]"#),
      call(2, "Tapped", #""action":"like","category":"news""#), call(3, "Expanded"), call(4, "Dismissed"),
      call(5, "Replied", #""replyText":"Lovely","action":"answer""#), call(6, "Tapped"), call(7, "Bounced"),
      #"{"type":"identify","userId":"u"}"#, #"{"type":"track","event":"Order Completed"}"#,
    ]
    let answer = try post(service, batch(calls))
    #expect(answer.status == 200)
    #expect(
      answer.text == #"{"success":true,"accepted":6,"duplicates":0,"rejected":[],"ignored":3}"#)
    let stored = try service.store.connect(.asking).query(
      """
      select concat_ws(' ', type, notification_id, category, attached, action_id, reply_length) from event
      order by occurred_at, type, action_id nulls first
      """
    ).map { row in try row.value(0, as: String.self) }
    #expect(
      stored == [
        "0 n-1 news 1", "1 n-1 ", "2 n-1  answer 6", "2 n-1  \(ActionID.defaultAction)",
        "2 n-1  \(ActionID.dismiss)", "2 n-1 news like",
      ])
    #expect(
      try service.value(of: "select (detail->>'appVersion') || (detail->>'locale') from event where type = 0")
        == "3.0de-DE")
    #expect(try post(service, batch(calls)).text.contains(#""accepted":0,"duplicates":6"#))
  }

  @Test func aCallOnItsOwnPathIsTheSame() throws {
    let service = try TestService()
    let call = call(1)
    let bare = call.replacing(#""type":"track","#, with: "")
    #expect(try post(service, bare, path: "/v1/track").text.contains(#""accepted":1"#))
    #expect(try post(service, batch([call])).text.contains(#""duplicates":1"#))
    for name in ["identify", "page", "screen", "group", "alias"] {
      let answer = try post(service, #"{"userId":"u"}"#, path: "/v1/" + name)
      #expect(answer.text == #"{"success":true,"accepted":0,"duplicates":0,"rejected":[],"ignored":1}"#)
    }
    let metrics = try service.client.get("/metrics").text
    #expect(metrics.contains(#"pushlift_ignored_calls_total{app="shop",call="alias"} 1"#))
    #expect(try post(service, "[]", path: "/v1/track").status == 400)
    #expect(try post(service, "{", path: "/v1/track").status == 400)
  }

  @Test func theKeyComesAsAnyClientSendsIt() throws {
    let service = try TestService()
    let json = ["Content-Type": "application/json"]
    func status(_ body: String, _ headers: [String: String] = [:]) throws -> Int {
      try service.client.post(
        "/v1/batch", json.merging(headers) { _, given in given }, body: Array(body.utf8)
      ).status
    }
    #expect(try status(batch([call(1)], #","writeKey":"\#(service.key)""#)) == 200)
    #expect(try status(batch([call(2)]), ["Authorization": "Bearer \(service.key)"]) == 200)
    #expect(
      try status(batch([call(2)], #","writeKey":"\#(service.key)""#), ["Authorization": "Basic Og=="]) == 200)
    #expect(try status(batch([call(3)])) == 401)
    #expect(try status(batch([call(3)], #","writeKey":"nobody""#)) == 401)
    #expect(try status(batch([call(3)]), ["Authorization": "Digest x"]) == 401)
    let reader = try service.makeKey(scope: .read)
    let refused = batch([call(3)])
    try poll(upTo: .seconds(5), "the new key is known") {
      try post(service, refused, key: reader).status == 403
    }
    // Where the clients look for it, and one that finds none sends again.
    let answer = try post(service, refused, key: reader)
    #expect(answer.text.hasPrefix(#"{"success":false,"code":"forbidden","message":"#))
    #expect(try service.storedIDs().count == 2)
  }

  @Test func aBadCallIsKeptAndHidesNoNeighbour() throws {
    let service = try TestService()
    let calls = [
      call(1), #"{"type":"identify"}"#, call(2).replacing("a-1", with: ""), "7",
      call(3).replacing(#""n-1""#, with: #""\uD800""#), call(4),
    ]
    let answer = try post(service, batch(calls))
    #expect(answer.status == 200)
    let verdicts = try answer.verdicts()
    #expect((verdicts.accepted, verdicts.rejected.map(\.index)) == (2, [2, 3, 4]))
    #expect(verdicts.rejected.map(\.code) == ["empty", "wrong_type", "lone_surrogate"])
    let letters = try service.store.connect(.asking).query(
      "select event_index || ' ' || code || ' ' || source from dead_letter order by event_index"
    ).map { row in try row.value(0, as: String.self) }
    #expect(letters == ["2 empty http", "3 wrong_type http", "4 lone_surrogate http"])
    // Nothing else in it: the client is told, and does not send it again.
    let alone = try post(service, batch([calls[2]]))
    #expect(alone.status == 400)
    #expect(alone.text.hasPrefix(#"{"success":false,"code":"empty","#))
  }

  /// What a call about something else holds is nobody's business here.
  @Test func aCallAboutSomethingElseIsIgnoredWhateverIsInIt() throws {
    let service = try TestService()
    let odd = [
      "123456789012345678901234567890", #""\ud800""#, "NaN", #"{"first name":1,"first name":2}"#,
      String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
      #""\#(String(repeating: "x", count: 40_000))""#,
    ]
    let good = call(1)
    for value in odd {
      let calls = [
        #"{"traits":{"x":\#(value)},"messageId":"m","type":"identify"}"#,
        #"{"x":\#(value),"type":"track","event":"Order Completed","x":\#(value)}"#,
        #"{ "event" : "Push Notification Bounced" , "type" : "track" , "x" : \#(value) } "#,
        #"{"x":\#(value)}"#,
      ]
      let shown = value.prefix(20)
      for call in calls { #expect(try post(service, batch([call])).status == 200, "\(shown)") }
      let answer = try post(service, batch(calls + [good]))
      #expect(answer.status == 200)
      #expect(answer.text.contains(#""rejected":[],"ignored":4"#), "\(shown): \(answer.text)")
      #expect(try post(service, calls[3], path: "/v1/identify").text.contains(#""ignored":1"#), "\(shown)")
      #expect(
        try service.client.post(
          "/v1/page", ["Content-Type": "application/json"],
          body: Array(#"{"x":\#(value),"writeKey":"\#(service.key)"}"#.utf8)
        ).status == 200, "\(shown)")
    }
    #expect(try service.letterCount() == 0)
    // One that is an event is rejected with its id, also alone.
    let bad = call(7).replacing(#""n-1""#, with: #""\uD800""#)
    let id = try #require(bad.firstMatch(of: /"messageId":"([^"]+)"/)?.1)
    for answer in [
      try post(service, batch([bad, call(2)])), try post(service, batch([bad])),
      try post(service, bad, path: "/v1/track"),
    ] {
      let rejected = try answer.verdicts().rejected
      #expect(rejected.map(\.code) == ["lone_surrogate"])
      #expect(rejected.first?.id == EventID(.ownID(String(id)), of: "segment").text)
      #expect(rejected.first?.message.contains("of the call") == true)
    }
    #expect(try service.letterCount() == 3)
  }

  /// A time that is another at each attempt would make another event of a retry.
  @Test func aCallsOwnTimeOfSendingIsNotItsTime() throws {
    let service = try TestService()
    let time = Event.time(hoursAgo: 1)
    let timed = #""originalTimestamp":"\#(time)","timestamp":"\#(time)","#
    for (call, code) in [
      (call(1).replacing(timed, with: ""), "missing_field"),
      (call(1).replacing(timed, with: #""timestamp":17180000005.5,"#), "number_for_time"),
      (call(1).replacing(timed, with: #""originalTimestamp":{"at":1},"#), "invalid_time"),
    ] {
      for answer in [try post(service, batch([call])), try post(service, call, path: "/v1/track")] {
        let verdict = try #require(try answer.verdicts().rejected.first)
        #expect(verdict.code == code, "\(answer.text)")
        #expect(verdict.field == "originalTimestamp")
        #expect(verdict.message.hasPrefix("originalTimestamp (or timestamp) is "), "\(verdict.message)")
      }
    }
    #expect(
      try post(service, batch([call(1).replacing(timed, with: #""timestamp":"\#(time)","#)])).status == 200)
  }

  /// By the names that the client knows.
  @Test func aRejectedCallIsToldInItsOwnWords() throws {
    let service = try TestService()
    let whole = call(1, "Received", #""category":"news""#)
    let id = try #require(whole.firstMatch(of: /"messageId":"[^"]+"/)?.0)
    let faults: [(call: String, field: String, message: String)] = [
      (whole.replacing(id + ",", with: ""), "messageId", "messageId is missing; every event needs it"),
      (whole.replacing(id, with: #""messageId":1.5"#), "messageId", "messageId is a number; send a string"),
      (
        whole.replacing(id, with: #""messageId":"""#), "messageId",
        "messageId is empty; make one for each event"
      ),
      (
        whole.replacing(#""anonymousId":"a-1","#, with: ""), "context.device.id",
        "context.device.id (or anonymousId) is missing; every event needs it"
      ),
      (
        whole.replacing(#""n-1""#, with: #""""#), "properties.notificationId",
        "properties.notificationId is empty"
      ),
      (
        call(1, "Received", #""attachments":["picture"]"#), "properties.attachments[0].kind",
        "properties.attachments[0].kind is “picture”; send one of"
      ),
    ]
    for (call, field, message) in faults {
      let answer = try post(service, batch([call]))
      let verdict = try #require(try answer.verdicts().rejected.first)
      #expect(verdict.field == field)
      #expect(verdict.message.hasPrefix(message), "\(verdict.message)")
      // Clients show what lies at the top.
      #expect(answer.text.contains(#""message":"\#(message.prefix(12))"#))
    }
    // A letter has the event in our own form.
    let field = try service.value(
      of: "select string_agg(distinct field, ' ' order by field) from dead_letter", as: String.self)
    #expect(field == "attachments[0].kind deviceId id notificationId")
    // An integer of any size is as good as a text.
    let long = whole.replacing(id, with: #""messageId":123456789012345678901234567890"#)
    #expect(try post(service, batch([long])).text.contains(#""accepted":1"#))
    let quoted = whole.replacing(id, with: #""messageId":"123456789012345678901234567890""#)
    #expect(try post(service, batch([quoted])).text.contains(#""duplicates":1"#))
  }

  @Test func aBodyThatIsNoneIsRefusedForGood() throws {
    let service = try TestService()
    for body in ["", "[]", "{}", #"{"batch":1}"#, "{", #"{"batch":[}"#, #"{"type":"track"}"#] {
      let answer = try post(service, body)
      #expect(answer.status == 400, "\(body)")
      #expect(answer.text.hasPrefix(#"{"success":false,"code":""#))
    }
    let many = try post(service, batch(Array(repeating: "{}", count: 2_501)))
    #expect(many.status == 413)
    let large = try post(
      service, batch([call(1, "Received", #""x":"\#(String(repeating: "x", count: 40_000))""#)]))
    #expect(try large.verdicts().rejected.map(\.code) == ["event_too_large"])
  }

  @Test func aWrongClockIsCorrectedBySentAt() throws {
    let service = try TestService()
    let behind = ForeignFixture.segmentCall(1, "Received", Event.time(hoursAgo: 30), "")
    let body = #"{"batch":[\#(behind)],"sentAt":"\#(Event.time(hoursAgo: 29))"}"#
    #expect(try post(service, body).status == 200)
    #expect(
      try service.value(
        of: "select abs(extract(epoch from now() - corrected_at) - 3600) < 60 from event", as: Bool.self))
  }

  @Test(arguments: ["/v1/b", "/v1/import"]) func compressedBatchesAreTaken(_ path: String) throws {
    let service = try TestService()
    let basic = Data("\(service.key):".utf8).base64EncodedString()
    let answer = try service.client.post(
      path,
      ["Authorization": "Basic \(basic)", "Content-Type": "application/json", "Content-Encoding": "gzip"],
      body: try Gzip.compress(batch([call(1)])))
    #expect(answer.status == 200)
  }

  @Test func aRateLimitIsAnsweredAsTheClientsExpect() throws {
    let service = try TestService(options: ServiceOptions(eventsPerSecond: 1))
    let calls = (0..<2_500).map { call($0) }
    // A request is let in while its key has some left, and what it takes too much is owed.
    for _ in 0..<2 { #expect(try post(service, batch(calls)).status == 200) }
    let answer = try post(service, batch([call(9_999)]))
    #expect(answer.status == 429)
    #expect(answer["Retry-After"] != nil)
    #expect(answer.text.contains(#""code":"rate_limited""#))
  }
}
