import EngagementEvents
import Testing

@testable import Ingestion

@Suite struct EventRuleTests {
  @Test func everyFieldFindsItsPlace() throws {
    let event = try EventFixture.event(
      EventFixture.json(
        "delivered",
        [
          "id": "\"7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA\"", "category": "\"a,\\\"b\\\"\"",
          "sequence": "9007199254740993",
          "source": "\"serviceExtension\"", "experiment": #"{"name":"spring","arm":"rich"}"#,
          "attachments": #"[{"kind":"image","bytes":1,"width":2,"height":3},{"kind":"audio","seconds":4}]"#,
          "intended": #"["image","audio"]"#, "fallback": "\"invalid\"", "customInterface": "true",
          "actions": #"["a","b"]"#, "interruptionLevel": "\"timeSensitive\"", "relevanceScore": "1",
          "threadId": "\"t\"", "appVersion": "\"1.0\"", "locale": "\"de\"",
        ]))
    #expect(event.id.text == "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa")
    #expect(event.category.text == "a,\"b\"")
    #expect(event.sequence == 9_007_199_254_740_993)
    #expect(event.source == .serviceExtension)
    #expect(try event.experiment == ExperimentAssignment(name: "spring", arm: "rich"))
    let expected = try Delivery(
      attachments: [
        Attachment(kind: .image, bytes: 1, width: 2, height: 3), Attachment(kind: .audio, seconds: 4),
      ],
      intended: [.image, .audio], fallback: .invalid, customInterface: true,
      actions: [ActionID("a"), ActionID("b")],
      interruptionLevel: .timeSensitive, relevanceScore: 1, threadID: "t", appVersion: "1.0", locale: "de")
    #expect(event.detail == .delivered(expected))
  }

  @Test(arguments: [
    ("id", "42", EventFault.Code.wrongType), ("id", "\"x\"", .invalidUUID), ("id", "\"\"", .empty),
    ("type", "\"\"", .unknownValue), ("type", "\"influenced_open\"", .unknownValue),
    ("type", "1", .wrongType),
    ("notificationId", "999999000167639035", .wrongType), ("notificationId", "\"\"", .empty),
    ("deviceId", "true", .wrongType), ("deviceId", "\"\"", .empty), ("deviceId", "{}", .wrongType),
    ("category", "[]", .wrongType), ("category", "\"a\\u0000b\"", .nullCharacter),
    ("occurredAt", "1718000000", .wrongType), ("occurredAt", "1718000000000", .wrongType),
    ("occurredAt", "1718000000.5", .wrongType), ("occurredAt", "-1", .wrongType),
    ("occurredAt", "1e18", .wrongType),
    ("occurredAt", "\"1718000000\"", .numberForTime), ("occurredAt", "\"1000\"", .numberForTime),
    ("occurredAt", "\"2026-09-02T3:33:07 PMZ\"", .twelveHourClock),
    ("occurredAt", "\"infinity\"", .infiniteTime),
    ("occurredAt", "\"1970-01-01T01:30:27Z\"", .yearOutOfRange), ("occurredAt", "\"\"", .empty),
    ("sequence", "-1", .numberOutOfRange), ("sequence", "1.0", .notAnInteger),
    ("sequence", "1e3", .notAnInteger),
    ("sequence", "9223372036854775808", .numberOutOfRange), ("sequence", "\"1\"", .wrongType),
    ("sequence", "99999999999999999999", .numberOutOfRange),
    ("sequence", "-9223372036854775809", .numberOutOfRange),
    ("source", "\"manual\"", .unknownValue), ("experiment", "\"x\"", .wrongType),
  ])
  func aFieldsFaultIsToldByNameAndCode(field: String, value: String, code: EventFault.Code) throws {
    let fault = try EventFixture.fault(EventFixture.json("expanded", [field: value]))
    #expect(fault.field == field)
    #expect(fault.code == code)
    #expect(fault.message.contains(field))
  }

  @Test(arguments: [
    ("experiment", "{}", "experiment.name", EventFault.Code.missingField),
    ("experiment", #"{"name":"a"}"#, "experiment.arm", .missingField),
    ("experiment", #"{"name":"a","arm":null}"#, "experiment.arm", .missingField),
    ("experiment", #"{"name":"a","arm":7}"#, "experiment.arm", .wrongType),
    ("experiment", #"{"name":"","arm":"b"}"#, "experiment.name", .empty),
    ("attachments", "{}", "attachments", .wrongType), ("attachments", "[1]", "attachments[0]", .wrongType),
    ("attachments", "[null]", "attachments[0]", .wrongType),
    ("attachments", #"[{"kind":"gif"},{}]"#, "attachments[1].kind", .missingField),
    ("attachments", #"[{"kind":"picture"}]"#, "attachments[0].kind", .unknownValue),
    ("attachments", #"[{"kind":"gif","bytes":1.5}]"#, "attachments[0].bytes", .notAnInteger),
    ("attachments", #"[{"kind":"gif","width":-1}]"#, "attachments[0].width", .numberOutOfRange),
    ("attachments", #"[{"kind":"gif","seconds":"1"}]"#, "attachments[0].seconds", .wrongType),
    ("intended", #"["image",null]"#, "intended[1]", .wrongType),
    ("intended", #"["none"]"#, "intended[0]", .unknownValue),
    ("fallback", "\"failed_timeout\"", "fallback", .unknownValue),
    ("customInterface", "1", "customInterface", .wrongType),
    ("customInterface", "\"true\"", "customInterface", .wrongType),
    ("actions", #"["a",""]"#, "actions[1]", .empty), ("actions", "\"a\"", "actions", .wrongType),
    ("interruptionLevel", "\"loud\"", "interruptionLevel", .unknownValue),
    ("relevanceScore", "1.5", "relevanceScore", .numberOutOfRange),
    ("relevanceScore", "\"1\"", "relevanceScore", .wrongType),
    ("threadId", "7", "threadId", .wrongType), ("appVersion", "1.2", "appVersion", .wrongType),
    ("locale", "false", "locale", .wrongType),
  ])
  func aFaultWithinADeliveryNamesItsPath(field: String, value: String, path: String, code: EventFault.Code)
    throws
  {
    let fault = try EventFixture.fault(EventFixture.json("delivered", [field: value]))
    #expect(fault.field == path)
    #expect(fault.code == code)
    #expect(fault.message.contains(path))
  }

  @Test(arguments: ["id", "type", "notificationId", "deviceId", "occurredAt", "actionId"], [nil, "null"])
  func aRequiredFieldIsMissedWhetherAbsentOrNull(field: String, value: String?) throws {
    let fault = try EventFixture.fault(EventFixture.json("action", [field: value]))
    #expect(fault.field == field)
    #expect(fault.code == .missingField)
  }

  /// Where an id is made of the other fields, it is missing with any of them.
  @Test(arguments: ["type", "notificationId", "deviceId", "occurredAt"])
  func theIDIsMissedLast(field: String) throws {
    #expect(try EventFixture.fault(EventFixture.json("expanded", ["id": nil, field: nil])).field == field)
  }

  @Test func nullMeansTheSameAsAbsence() throws {
    let nulls = EventFixture.json(
      "expanded",
      [
        "category": "null", "sequence": "null", "source": "null", "experiment": "null", "attachments": "null",
        "actionId": "null", "replyText": "null", "relevanceScore": "null",
      ])
    #expect(try EventFixture.event(nulls) == EventFixture.event(EventFixture.json("expanded")))
  }

  @Test(arguments: [
    ("expanded", "attachments", "[]"), ("expanded", "intended", "[]"), ("expanded", "locale", "\"de\""),
    ("action", "customInterface", "false"), ("action", "interruptionLevel", "\"active\""),
    ("action", "fallback", "\"invalid\""),
    ("action", "actions", "[]"), ("action", "relevanceScore", "0"), ("expanded", "threadId", "\"\""),
    ("expanded", "appVersion", "\"1\""), ("delivered", "actionId", "\"a\""),
    ("expanded", "actionId", "\"a\""),
    ("delivered", "replyText", "\"a\""), ("expanded", "replyText", "\"\""),
  ])
  func aFieldOnTheWrongTypeOfEventIsRejected(type: String, field: String, value: String) throws {
    let fault = try EventFixture.fault(EventFixture.json(type, [field: value]))
    #expect(fault.field == field)
    #expect(fault.code == .fieldNotAllowed)
  }

  @Test func aReplyIsKeptAsItCame() throws {
    for (json, text) in [
      (#""""#, ""), (#""\n\n""#, "\n\n"), (#""\\u0000""#, "\\u0000"), (#""\ud83d\ude42""#, "🙂"),
      (#""👩‍💻 שלום =HYPERLINK(1)""#, "👩‍💻 שלום =HYPERLINK(1)"), (#""line1\r\nline2""#, "line1\r\nline2"),
      (#""\u0001\ufffd\ufffe""#, "\u{1}\u{FFFD}\u{FFFE}"),
      ("\"\(String(repeating: "é", count: 4096))\"", String(repeating: "é", count: 4096)),
    ] {
      let event = try EventFixture.event(EventFixture.json("action", ["replyText": json]))
      guard case .action(let action) = event.detail else {
        Issue.record("not an action")
        return
      }
      #expect(action.replyText?.text.utf8.elementsEqual(text.utf8) == true)
    }
    let none = try EventFixture.event(EventFixture.json("action"))
    #expect(try none.detail == .action(ActionTaken(actionID: ActionID("reply"))))
  }

  @Test func aReplyBeyondTheLimitIsRejectedAndNotCut() throws {
    let fault = try EventFixture.fault(
      EventFixture.json("action", ["replyText": "\"\(String(repeating: "x", count: 16_384))\""]))
    #expect(fault.code == .replyTooLarge)
    #expect(fault.field == "replyText")
  }

  @Test func aDismissalIsTakenAndIsNoOpening() throws {
    let event = try EventFixture.event(
      EventFixture.json("action", ["actionId": "\"com.apple.UNNotificationDismissActionIdentifier\""]))
    guard case .action(let action) = event.detail else {
      Issue.record("not an action")
      return
    }
    #expect(action.actionID.isDismissal && !action.actionID.isDefault)
  }

  @Test func unknownFieldsAreIgnoredAndCounted() throws {
    let json = EventFixture.json(
      "delivered",
      [
        "meta": #"{"deviceId":"other","a":[{"id":1},[[]]]}"#, "bytes": "7", "Category": "\"x\"",
        "attachments": #"[{"kind":"gif","url":"u","name":"n"}]"#,
        "experiment": #"{"name":"a","arm":"b","kind":"c"}"#,
      ])
    let batch = try EventBatchDecoder().decode(
      Array("{\"v\":1,\"events\":[\(json),\(json)]}".utf8), format: .json)
    #expect(batch.results.allSatisfy { $0.accepted != nil })
    #expect(batch.unknownFieldCount == 13)
  }

  @Test func anOddIdentifierIsAcceptedWithAWarning() throws {
    let result = try EventFixture.decode(EventFixture.json("expanded", ["category": "\"news\\u200b\""]))
    guard case .event(let event, let warnings) = result else {
      Issue.record("rejected")
      return
    }
    #expect(event.category.text == "news\u{200B}")
    #expect(warnings.map(\.code) == [.invisibleCharacters])
    #expect(
      try EventFixture.event(EventFixture.json("expanded", ["category": "\"news\""])).category
        != event.category)
  }

  @Test func aKeyMayBeWrittenWithEscapes() throws {
    let json = EventFixture.json("expanded").replacing("\"deviceId\"", with: #""device\u0049d""#)
    #expect(try EventFixture.event(json) == EventFixture.event(EventFixture.json("expanded")))
  }
}
