import EngagementEvents
import Postgres
import TestSupport
import Testing

/// Requests that are themselves at fault: nothing of them is stored, and the answer says what to mend.
@Suite(.store) struct RequestFaultTests {
  private static func expect(
    _ answer: HTTPAnswer, _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.errorCode == code, "\(answer.text)", sourceLocation: sourceLocation)
  }

  @Test func bodiesThatAreNoBatchAreRefused() throws {
    let good = Event(1).json
    let cases: [(body: String, code: String)] = [
      ("", "empty_body"), (" \n", "empty_body"), ("7", "unknown_shape"), (#""events""#, "unknown_shape"),
      ("null", "unknown_shape"), ("{}", "unknown_shape"), (#"{"events":{}}"#, "unknown_shape"),
      (#"{"sentAt":true,"events":[\#(good)]}"#, "invalid_sent_at"),
      (#"{"sentAt":1718000000,"events":[\#(good)]}"#, "invalid_sent_at"),
      (#"{"events":[\#(good)],"events":[]}"#, "duplicate_key"), ("[\(good)", "invalid_json"),
      ("[\(good)]]", "invalid_json"), ("[\(good),]", "invalid_json"), ("\u{1F}[]", "unknown_shape"),
    ]
    let service = try TestService()
    for (body, code) in cases {
      let answer = try service.post(body)
      Self.expect(answer, 400, code)
      #expect(!answer.text.contains(Event.id(1)), "the answer repeats the body: \(answer.text)")
    }
    #expect(try service.eventCount() == 0)
    #expect(try service.letterCount() == 0)
  }

  @Test func tooMuchIsRefusedWhole() throws {
    let service = try TestService()
    let many = (0...EventLimits.eventsPerRequest).map { Event($0).json }
    Self.expect(try service.post(many), 413, "too_many_events")
    Self.expect(
      try service.post(many.joined(separator: "\n"), ["Content-Type": "application/x-ndjson"]), 413,
      "too_many_events")
    let padding = String(repeating: " ", count: EventLimits.bodyBytes)
    Self.expect(try service.post("[" + padding + Event(1).json + "]"), 413, "body_too_large")
    Self.expect(
      try service.post(
        try Gzip.compress("[" + padding + Event(1).json + "]"), ["Content-Encoding": "gzip"]), 413,
      "body_too_large")
    #expect(try service.eventCount() == 0)
  }

  @Test func otherTypesAndEncodingsAreRefused() throws {
    let service = try TestService()
    let body = "[\(Event(1).json)]"
    for type in ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json"] {
      Self.expect(try service.post(body, ["Content-Type": type]), 415, "content_type_not_supported")
    }
    Self.expect(
      try service.post(body, ["Content-Type": "application/json; charset=iso-8859-1"]), 415,
      "charset_not_supported")
    for encoding in ["br", "deflate", "zstd", "gzip, gzip"] {
      Self.expect(
        try service.post(body, ["Content-Encoding": encoding]), 415, "content_encoding_not_supported")
    }
    #expect(try service.eventCount() == 0)
    let usual = try service.post(body, ["Content-Type": "Application/JSON; Charset=\"UTF-8\""])
    #expect(usual.status == 200)
  }

  @Test func brokenGzipIsTheClientsFault() throws {
    let service = try TestService()
    let whole = try Gzip.compress("[\(Event(1).json)]")
    var damaged = whole
    damaged[whole.count / 2] ^= 0x55
    let plain = Array("[\(Event(1).json)]".utf8)
    for body in [Array(whole.prefix(20)), Array(whole.dropLast(4)), damaged, plain] {
      let answer = try service.post(body, ["Content-Encoding": "gzip"])
      #expect(answer.status == 400, "\(answer.text)")
      #expect(!answer.text.contains("00000000-0000"))
    }
    #expect(try service.eventCount() == 0)
    #expect(try service.post(whole, ["Content-Encoding": "x-gzip"]).status == 200)
  }

  /// A piece may end within a character.
  @Test func aChunkedBodyIsTheSameBody() throws {
    let service = try TestService()
    let body = Array("[\(Event(1).with("category", #""Größe 日本""#).json)]".utf8)
    for size in [1, 7, 64, body.count] {
      var chunked: [UInt8] = []
      for start in stride(from: 0, to: body.count, by: size) {
        let piece = body[start..<min(start + size, body.count)]
        chunked += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
      }
      chunked += Array("0\r\n\r\n".utf8)
      let answer = try service.post(chunked, ["Transfer-Encoding": "chunked"])
      #expect(answer.status == 200, "\(answer.text)")
    }
    #expect(try service.value(of: "select category from event", as: String.self) == "Größe 日本")
  }

  @Test func otherPathsAndMethodsAreNamed() throws {
    let service = try TestService()
    let get = try service.client.get("/v1/events")
    #expect(get.status == 405)
    #expect(get["Allow"]?.contains("POST") == true)
    #expect(try service.client.get("/v1/event").status == 404)
    #expect(try service.client.get("/healthz").status == 200)
    #expect(try service.client.get("/readyz").status == 200)
  }

  /// Whatever stands in the place of an event's field, it is the event that is at fault, and never the server.
  @Test func contentIsNeverTheServersFault() throws {
    let values = [
      "null", "true", "-1", "1e999", "9223372036854775808", "0.1", #""""#, #""\u0000""#, #""\ud800""#, "[]",
      "{}",
      #"[[["a"]]]"#, #"{"kind":null}"#, #"[{"kind":"image","bytes":-1}]"#, #"[null]"#, #""\uffff\u202e""#,
      Event.quoted(String(repeating: "c", count: 3_000)), Event.quoted(String(repeating: "é", count: 10_000)),
      String(repeating: "[", count: 200) + String(repeating: "]", count: 200), #""2026-02-30T00:00:00Z""#,
      #""infinity""#, #""9999-12-31T23:59:59Z""#,
    ]
    let fields = EventField.allCases.map(\.rawValue) + ["unknown"]
    let service = try TestService()
    for (place, type) in ["delivered", "expanded", "action"].enumerated() {
      let events = fields.flatMap { field in values.map { (field, $0) } }.enumerated().map {
        number, change in
        Event(10_000 * place + number, type).with(change.0, change.1).json
      }
      for event in [events[0...], events[1...]] {
        let answer = try service.post(
          event.joined(separator: "\n"), ["Content-Type": "application/x-ndjson"])
        #expect(answer.status == 207, "\(answer.text.prefix(300))")
        let verdicts = try answer.verdicts()
        #expect(verdicts.accepted + verdicts.duplicates + verdicts.rejected.count == event.count)
        #expect(verdicts.rejected.allSatisfy { $0.code != "not_storable" })
      }
    }
  }
}
