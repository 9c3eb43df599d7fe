import EngagementEvents
import Testing

@testable import Ingestion

@Suite struct EventSyntaxTests {
  /// Values that break one event only, where they stand in a field, and what is said of them.
  static let broken: [(value: String, code: EventFault.Code)] = [
    ("NaN", .invalidNumber), ("Infinity", .invalidNumber), ("-Infinity", .invalidNumber),
    ("01", .invalidNumber),
    ("-", .invalidNumber), ("1.", .invalidNumber), ("1e", .invalidNumber), (".5", .invalidJSON),
    ("+1", .invalidJSON),
    ("0x10", .invalidNumber), ("1e400", .numberOutOfRange), ("123456789012345678901", .numberOutOfRange),
    ("tru", .invalidJSON), ("True", .invalidJSON), ("nullx", .invalidJSON), ("", .invalidJSON),
    ("1 2", .invalidJSON),
    ("[1,]", .invalidJSON), ("{\"a\":1,}", .invalidJSON), ("{\"a\"}", .invalidJSON), ("{1:2}", .invalidJSON),
    ("[1 2]", .invalidJSON), ("'x'", .invalidJSON), ("\"a\\x\"", .invalidEscape),
    ("\"\\u12G4\"", .invalidEscape),
    ("\"a\tb\"", .controlCharacter), ("\"a\nb\"", .controlCharacter), ("\"a\0b\"", .controlCharacter),
    (#""\ud83d""#, .loneSurrogate), (#""\udc4d low half""#, .loneSurrogate),
    (#""\ud83d\u0041""#, .loneSurrogate),
    (#""\ud83d\ud83d\ude42""#, .loneSurrogate), (#""\ud83d\\u""#, .loneSurrogate),
    (#""ok \uD83D""#, .loneSurrogate), (#""\udc00\udc00""#, .loneSurrogate),
    (#""\ud800\udbff""#, .loneSurrogate),
    (#""a\u0000b""#, .nullCharacter), (#"{"k\u0000ey":1}"#, .nullCharacter),
    (#"[[{"a":"\u0000"}]]"#, .nullCharacter),
    (#"{"a":1,"a":1}"#, .duplicateKey), (#"[{"a":1,"\u0061":2}]"#, .duplicateKey),
    (String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000), .tooDeep),
  ]

  @Test(arguments: broken)
  func aBrokenValueFailsItsEventAlone(value: String, code: EventFault.Code) throws {
    let good = EventFixture.json("expanded")
    let bad = EventFixture.json("expanded", ["meta": value])
    let batch = try EventBatchDecoder().decode(Array("[\(good),\(bad),\(good)]".utf8), format: .json)
    try #require(batch.results.count == 3)
    #expect(batch.results[0].accepted != nil)
    #expect(batch.results[2].accepted != nil)
    let rejection = try #require(batch.results[1].rejection)
    #expect(rejection.fault.code == code)
    // A second value is a fault of the object around, where a comma is missed.
    #expect(rejection.fault.field.hasPrefix(value == "1 2" ? "" : "meta"))
    #expect(rejection.index == 1)
    #expect(rejection.id == "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa")
    #expect(rejection.deviceID == EventFixture.secretDevice)
  }

  @Test func aPoisonousReplyFailsAmongFiftyAlone() throws {
    let good = EventFixture.json("action")
    let bad = EventFixture.json("action", ["replyText": #""\ud800""#])
    let list = (0..<50).map { $0 == 31 ? bad : good }.joined(separator: ",")
    let batch = try EventBatchDecoder().decode(Array("[\(list)]".utf8), format: .json)
    #expect(batch.results.filter { $0.accepted != nil }.count == 49)
    #expect(batch.results[31].rejection?.fault.code == .loneSurrogate)
    #expect(batch.results[31].rejection?.fault.field == "replyText")
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0xBD], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80], [0x80],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8FailTheirEventAlone(bytes: [UInt8]) throws {
    let good = Array(EventFixture.json("expanded").utf8)
    let halves = EventFixture.json("expanded", ["category": "\"a|b\""]).split(separator: "|").map {
      Array($0.utf8)
    }
    let bad = halves[0] + bytes + halves[1]
    let comma = Array(",".utf8)
    let body = Array("[".utf8) + good + comma + bad + comma + good + Array("]".utf8)
    let batch = try EventBatchDecoder().decode(body, format: .json)
    try #require(batch.results.count == 3)
    #expect(batch.results[1].rejection?.fault.code == .invalidUTF8)
    #expect(batch.results[1].rejection?.fault.field == "category")
    #expect(batch.results[2].accepted != nil)
  }

  @Test func theDepthLimitIsExact() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    let deepest = EventLimits.nestingDepth - 1  // the event itself is a level
    #expect(try EventFixture.decode(EventFixture.json("expanded", ["meta": nested(deepest)])).accepted != nil)
    let fault = try EventFixture.fault(EventFixture.json("expanded", ["meta": nested(deepest + 1)]))
    #expect(fault.code == .tooDeep)
    #expect(fault.field.hasPrefix("meta[0][0]"))
  }

  @Test func aDuplicateAmongManyKeysIsFound() throws {
    let many = (0..<2_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    #expect(try EventFixture.decode(EventFixture.json("expanded", ["meta": "{\(many)}"])).accepted != nil)
    let fault = try EventFixture.fault(EventFixture.json("expanded", ["meta": "{\(many),\"k777\":0}"]))
    #expect(fault.code == .duplicateKey)
    #expect(fault.field == "meta.k777")
    let own = try EventFixture.fault(
      EventFixture.json("expanded", ["category": "\"a\"", #"c\u0061tegory"#: "\"a\""]))
    #expect(own.code == .duplicateKey)
    #expect(own.field == "category")
  }

  @Test(arguments: ["1", "\"x\"", "null", "true", "[]", "[{}]", "-1.5"])
  func whatIsNoObjectIsNoEvent(json: String) throws {
    let fault = try EventFixture.fault(json)
    #expect(fault.code == .wrongType)
    #expect(fault.field == "")
  }

  @Test func anEmptyObjectMissesItsFields() throws {
    let fault = try EventFixture.fault("{}")
    #expect(fault.code == .missingField)
    #expect(fault.field == "type")
  }

  @Test func anEventBeyondTheLimitIsRejectedAlone() throws {
    let frame = EventFixture.json("expanded", ["meta": "\"\""]).utf8.count
    func event(of size: Int) -> String {
      EventFixture.json("expanded", ["meta": "\"\(String(repeating: "x", count: size - frame))\""])
    }
    #expect(try EventFixture.decode(event(of: EventLimits.eventBytes)).accepted != nil)
    let rejection = try EventFixture.rejection(event(of: EventLimits.eventBytes + 1))
    #expect(rejection.fault.code == .eventTooLarge)
    #expect(rejection.id == "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa")
  }

  @Test func theDiagnosisTellsTheByte() throws {
    let fault = try EventFixture.fault(#"{"id":"x","sequence":NaN}"#)
    #expect(fault.field == "sequence")
    #expect(fault.message.contains("byte 21 of the event"))
  }
}
