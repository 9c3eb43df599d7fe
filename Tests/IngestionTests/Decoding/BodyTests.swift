import EngagementEvents
import Testing

@testable import Ingestion

@Suite struct BodyTests {
  static let event = EventFixture.json("expanded")

  private func decode(_ body: String, _ format: BodyFormat = .json) throws -> DecodedBatch {
    try EventBatchDecoder().decode(Array(body.utf8), format: format)
  }

  private func fault(_ body: String) -> RequestFault? {
    #expect(throws: RequestFault.self) { try decode(body) }
  }

  @Test func anArrayAndAnObjectAroundItAreTaken() throws {
    #expect(try decode("[\(Self.event)]").results.count == 1)
    #expect(try decode(" \r\n\t[ \(Self.event) , \(Self.event) ] ").results.count == 2)
    let batch = try decode(#"{"sentAt":"2026-03-01T09:00:00+01:00","events":[\#(Self.event)]}"#)
    #expect(batch.results.count == 1)
    #expect(try batch.sentAt == Timestamp(rfc3339: "2026-03-01T08:00:00Z"))
    #expect(try decode(#" { "events" : [ \#(Self.event) ] , "sentAt" : null } "#).sentAt == nil)
    #expect(try decode(#"{"\u0065vents":[]}"#).results.isEmpty)
  }

  /// Byte for byte, as everything else that is named.
  @Test func fieldsThatOnlySwiftTakesForOneAreTwo() throws {
    let batch = try decode("{\"caf\u{e9}\":1,\"cafe\u{301}\":2,\"events\":[\(Self.event)]}")
    #expect(batch.results.count == 1 && batch.unknownFieldCount == 2)
    let segment = try SegmentDecoder().decode(
      Array("{\"write\u{212a}ey\":\"odd\",\"writeKey\":\"key\",\"batch\":[]}".utf8), call: nil)
    #expect(segment.writeKey == "key")
    let odd = try SegmentDecoder().decode(Array("{\"write\u{212a}ey\":\"odd\",\"batch\":[]}".utf8), call: nil)
    #expect(odd.writeKey == nil)
  }

  @Test(arguments: [
    "yesterday", "1970-01-01T00:00:00Z", "2569-11-28T10:00:00Z", "2026-11-28T10:00:00", "1718000000", "",
  ])
  func aTimeOfSendingThatIsNoneCostsNoEvent(text: String) throws {
    let batch = try decode(#"{"sentAt":"\#(text)","events":[\#(Self.event)]}"#)
    #expect(batch.sentAt == nil)
    #expect(batch.results.count == 1 && batch.results[0].accepted != nil)
    #expect(batch.warning?.code == .invalidSentAt)
    #expect(batch.warning?.message.contains("nothing corrects the device's clock") == true)
  }

  @Test func noEventsAreNoFault() throws {
    for body in ["[]", "[ ]", #"{"events":[]}"#] { #expect(try decode(body) == DecodedBatch()) }
    #expect(try decode("", .ndjson) == DecodedBatch())
    #expect(try decode("\n\r\n", .ndjson) == DecodedBatch())
  }

  @Test func resultsComeInOrderWithEachBesideItsFault() throws {
    let bad = EventFixture.json("")
    let batch = try decode("[\(Self.event),\(bad),\(Self.event),7]")
    #expect(batch.results.map { $0.rejection?.index } == [nil, 1, nil, 3])
    #expect(batch.results[1].rejection?.fault.field == "type")
  }

  @Test(arguments: [
    ("", RequestFault.Code.emptyBody), ("  ", .emptyBody), ("7", .unknownShape), ("\"x\"", .unknownShape),
    ("{}", .unknownShape), (#"{"event":[]}"#, .unknownShape), (#"{"events":{}}"#, .unknownShape),
    (#"{"events":null}"#, .unknownShape), (event, .unknownShape),
    (#"{"events":[],"events":[]}"#, .duplicateKey),
    (#"{"sentAt":null,"events":[],"sentAt":null}"#, .duplicateKey),
    (#"{"x":{"a":1,"a":2},"events":[]}"#, .duplicateKey), (#"{"events":[],"x":"\u0000"}"#, .invalidJSON),
    (#"{"events":[],"x":NaN}"#, .invalidJSON), (#"{"events":[],"\ud800":1}"#, .invalidJSON),
    (#"{"sentAt":1718000000,"events":[]}"#, .invalidSentAt),
    (#"{"sentAt":1e999,"events":[]}"#, .invalidSentAt), (#"{"sentAt":{},"events":[]}"#, .invalidSentAt),
    ("[", .invalidJSON), ("[{}", .invalidJSON), ("[{},", .invalidJSON), ("[{},]", .invalidJSON),
    ("[,]", .invalidJSON),
    ("[{}{}]", .invalidJSON), ("[{} {}]", .invalidJSON), ("[1 2]", .invalidJSON), ("[{}]x", .invalidJSON),
    ("[{}][]", .invalidJSON), ("[{]}", .invalidJSON), ("[[}]", .invalidJSON), ("[{\"a\":\"b]", .invalidJSON),
    (#"{"events":"#, .invalidJSON), (#"{"events": "#, .invalidJSON),
    (#"{"events":[]"#, .invalidJSON), (#"{"events" []}"#, .invalidJSON), (#"{events:[]}"#, .invalidJSON),
    (#"{"events":[],}"#, .invalidJSON), (#"{"events":[]]"#, .invalidJSON), (#"{"events":}"#, .unknownShape),
    (#"{"x":}"#, .invalidJSON), (#"{"events":[] "x":1}"#, .invalidJSON),
    (String(repeating: "[", count: 100_000), .invalidJSON),
    ("\u{1F}\u{8B}", .unknownShape),
  ])
  func aBodyThatDoesNotAddUpIsRefusedAsAWhole(body: String, code: RequestFault.Code) {
    let fault = fault(body)
    #expect(fault?.code == code)
    #expect(fault?.status == 400)
  }

  @Test func aFaultTellsItsByte() {
    #expect(fault("[{},}")?.offset == 4)
    #expect(fault("[{}]  x")?.offset == 6)
    #expect(fault("[{\"a\":[}]")?.offset == 7)
    #expect(fault("[{\"a\":1")?.offset == 7)
    #expect(fault("[{\"a\":1")?.message.contains("byte 7") == true)
  }

  @Test func everyCutOfAValidBodyIsRefused() throws {
    let body = Array(#"{"sentAt":"2026-03-01T08:00:00Z","events":[\#(Self.event),\#(Self.event)]}"#.utf8)
    let decoder = EventBatchDecoder()
    for end in 0..<body.count {
      #expect(throws: RequestFault.self) { try decoder.decode(Array(body[..<end]), format: .json) }
    }
  }

  @Test func tooManyEventsAreRefusedWith413() throws {
    let events = { (count: Int) in
      "[" + Array(repeating: Self.event, count: count).joined(separator: ",") + "]"
    }
    #expect(try decode(events(EventLimits.eventsPerRequest)).results.count == 2_500)
    let fault = fault(events(EventLimits.eventsPerRequest + 1))
    #expect(fault?.code == .tooManyEvents)
    #expect(fault?.status == 413)
    let limits = DecodingLimits(events: 3_000)
    let batch = try EventBatchDecoder().decode(Array(events(2_600).utf8), format: .json, limits: limits)
    #expect(batch.results.count == 2_600)
  }

  @Test func aLineIsAnEvent() throws {
    let batch = try decode("\(Self.event)\r\n\n  \n\(Self.event)  \n \(Self.event)", .ndjson)
    #expect(batch.results.count == 3)
    #expect(batch.results.allSatisfy { $0.accepted != nil })
    #expect(try decode("\(Self.event)\n", .ndjson).results.count == 1)
  }

  @Test func aBrokenLineFailsAlone() throws {
    let cut = String(Self.event.dropLast(20))
    let batch = try decode(
      "\(Self.event)\n\(cut)\n{]\n\(Self.event),\n\"\n\(Self.event)\n[\(Self.event)]", .ndjson)
    #expect(
      batch.results.map { $0.rejection?.fault.code } == [
        nil, .invalidJSON, .invalidJSON, .invalidJSON, .invalidJSON, nil, .wrongType,
      ])
    let many = Array(repeating: Self.event, count: 2_501).joined(separator: "\n")
    #expect(#expect(throws: RequestFault.self) { try decode(many, .ndjson) }?.code == .tooManyEvents)
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try decode("\u{FEFF}[\(Self.event)]").results.first?.accepted != nil)
    #expect(try decode("\u{FEFF}\(Self.event)", .ndjson).results.first?.accepted != nil)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x5B, 0], "UTF-16;"), ([0xFE, 0xFF, 0, 0x5B], "UTF-16;"),
      ([0x5B, 0, 0x5D, 0], "UTF-16;"),
      ([0, 0x5B, 0, 0x5D], "UTF-16;"), ([0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0], "UTF-32;"),
      ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x5B], "UTF-32;"), ([0x5B, 0, 0, 0, 0x5D, 0, 0, 0], "UTF-32;"),
      ([0, 0, 0, 0x5B, 0, 0, 0, 0x5D], "UTF-32;"), ([0x1F, 0x8B, 8, 0], "compressed"),
    ] as [([UInt8], String)])
  func otherEncodingsAreRefusedByName(body: [UInt8], name: String) {
    for format in [BodyFormat.json, .ndjson] {
      let fault = #expect(throws: RequestFault.self) { try EventBatchDecoder().decode(body, format: format) }
      #expect(fault?.code == .unsupportedEncoding)
      #expect(fault?.message.contains(name) == true)
    }
  }

  @Test(arguments: [
    (#"{"x":NaN,"events":[]}"#, "byte 5: JSON has no NaN"),
    (#"{"x": {"a":"\ud800"},"events":[]}"#, "byte 12: an escape is half of a character"),
    (#"{"x":\#(String(repeating: "[", count: 65))\#(String(repeating: "]", count: 65))}"#, "may lie 64 deep"),
  ])
  func aFaultBesideTheEventsIsToldInASentence(body: String, message: String) {
    #expect(fault(body)?.message.contains(message) == true, "\(fault(body)?.message ?? "")")
  }

  /// Whoever sends lines may take each for a body.
  @Test func aBodyInThePlaceOfAnEventIsToldApart() throws {
    let body = #"{"sentAt":"2026-03-01T08:00:00Z","events":[\#(Self.event)]}"#
    for batch in [try decode("\(body)\n\(body)", .ndjson), try decode("[\(body),\(body)]")] {
      #expect(batch.results.map { $0.rejection?.fault.code } == [.wrongType, .wrongType])
      #expect(batch.results[0].rejection?.fault.message.contains("as NDJSON an event a line") == true)
    }
    // A field of that name is like any other.
    let event = EventFixture.json("expanded", ["events": "[]"])
    #expect(try decode("[\(event)]").results[0].accepted != nil)
  }

  @Test func aDecoderServesManyBodies() throws {
    let decoder = EventBatchDecoder()
    let large = Array("[\(Array(repeating: Self.event, count: 500).joined(separator: ","))]".utf8)
    for _ in 0..<3 {
      #expect(try decoder.decode(large, format: .json).results.count == 500)
      #expect(throws: RequestFault.self) { try decoder.decode(Array("[{".utf8), format: .json) }
      #expect(try decoder.decode(Array("[\(Self.event)]".utf8), format: .json).results.first?.accepted != nil)
    }
  }
}
