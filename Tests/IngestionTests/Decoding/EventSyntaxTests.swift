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
    ("0x10", .invalidNumber), ("123456789012345678901.", .invalidNumber),
    ("0123456789012345678901", .invalidNumber),
    ("[1e999,1e]", .invalidNumber), (#"[123456789012345678901,"\ud800"]"#, .loneSurrogate),
    (#"{"a":1e999,"a":1e999}"#, .duplicateKey), (#"[1e999,"\u0000"]"#, .nullCharacter),
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

  /// What an array or an object holds is no level.
  @Test(arguments: ["1", "1e999", #""x""#, "null", "{}", "[]", #"{"a":1}"#, "[1]", "1,[2]"])
  func theDepthLimitIsTheSameWhateverLiesAtTheBottom(bottom: String) throws {
    let own = bottom.contains { "{[".contains($0) } ? 1 : 0
    func fault(at depth: Int, _ opening: String, _ closing: String) throws -> EventFault? {
      // The event itself is a level.
      let nested =
        String(repeating: opening, count: depth - 1 - own) + bottom
        + String(repeating: closing, count: depth - 1 - own)
      return try EventFixture.decode(EventFixture.json("expanded", ["meta": nested])).rejection?.fault
    }
    #expect(try fault(at: EventLimits.nestingDepth, "[", "]") == nil)
    #expect(try fault(at: EventLimits.nestingDepth + 1, "[", "]")?.code == .tooDeep)
    guard bottom != "1,[2]" else { return }
    #expect(try fault(at: EventLimits.nestingDepth, #"{"a":"#, "}") == nil)
    #expect(try fault(at: EventLimits.nestingDepth + 1, #"{"a":"#, "}")?.code == .tooDeep)
  }

  /// RFC 8259 does not limit numbers: one that nobody reads does no harm, in an event or beside the events.
  @Test(arguments: [
    "1e400", "-1e999", "123456789012345678901", "-9223372036854775809", "18446744073709551616",
    "123456789012345678901.5e300", "1.0E+400", "[1,1e999,2]", #"{"a":[1e999],"b":"1e999","c":-1e999,"d":3}"#,
    #"["\"1e999\\",1e999]"#, String(repeating: "9", count: 5_000),
  ])
  func aNumberOfAnySizeIsIgnoredWithItsField(value: String) throws {
    let event = EventFixture.json("expanded", ["meta": value, "sequence": "7"])
    let batch = try EventBatchDecoder().decode(
      Array(#"{"meta":\#(value),"events":[\#(event),\#(event)],"more":\#(value)}"#.utf8), format: .json)
    #expect(batch.unknownFieldCount == 4)
    #expect(batch.results.compactMap(\.accepted).map(\.sequence) == [7, 7])
  }

  @Test func aNumberThatIsTooWideIsToldWhereItIsRead() throws {
    let faults: [(field: String, value: String, path: String, code: EventFault.Code, words: String)] = [
      ("notificationId", "99999900016763903500", "notificationId", .wrongType, "a string, since a large"),
      ("id", "1e999", "id", .wrongType, "send a string"),
      ("occurredAt", "1e999", "occurredAt", .wrongType, "an RFC 3339 time as a string"),
      ("sequence", "-9223372036854775809", "sequence", .numberOutOfRange, "more than 64 bits"),
      ("sequence", "1e999", "sequence", .notAnInteger, "1e999 with"),
      ("relevanceScore", "1e999", "relevanceScore", .numberOutOfRange, "double"),
      ("customInterface", "1e999", "customInterface", .wrongType, "a Boolean"),
      (
        "attachments", #"[{"kind":"gif","bytes":99999999999999999999}]"#, "attachments[0].bytes",
        .numberOutOfRange, "64 bits"
      ),
    ]
    for (field, value, path, code, words) in faults {
      // Other numbers around it are told apart from it.
      let fault = try EventFixture.fault(
        EventFixture.json("delivered", ["a": "[0,1e999,3]", field: value, "b": "-1e999"]))
      #expect(fault.field == path)
      #expect(fault.code == code)
      #expect(fault.message.contains(words), "\(fault.message)")
    }
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

  /// A key may be somebody's text, which no message repeats.
  @Test func aFaultOfAKeyIsToldWithoutIt() throws {
    let null = try EventFixture.fault(EventFixture.json("expanded", [#"k\u0000ey"#: "1"]))
    #expect(null.message.hasPrefix("the name of a field holds U+0000"))
    let value = try EventFixture.fault(EventFixture.json("expanded", ["key": #""\u0000""#]))
    #expect(value.message.hasPrefix("key holds U+0000"))
    let twice = try EventFixture.fault(
      EventFixture.json("expanded", ["my words": "1", #"my\u0020words"#: "1"]))
    #expect(twice.code == .duplicateKey)
    #expect(twice.message.hasPrefix("a field, whose name is not repeated here, stands twice"))
  }

  @Test func theDiagnosisTellsTheByte() throws {
    let fault = try EventFixture.fault(#"{"id":"x","sequence":NaN}"#)
    #expect(fault.field == "sequence")
    #expect(fault.message.contains("byte 21 of the event"))
  }
}
