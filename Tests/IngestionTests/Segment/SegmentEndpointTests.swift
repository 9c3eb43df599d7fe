import EngagementEvents
import EventStore
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
    let bare = call(1).replacing(#""type":"track","#, with: "")
    #expect(try post(service, bare, path: "/v1/track").text.contains(#""accepted":1"#))
    #expect(try post(service, batch([call(1)])).text.contains(#""duplicates":1"#))
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

  @Test func compressedBatchesAreTaken() throws {
    let service = try TestService()
    let basic = Data("\(service.key):".utf8).base64EncodedString()
    let answer = try service.client.post(
      "/v1/b",
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
