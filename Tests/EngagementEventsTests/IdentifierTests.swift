import EngagementEvents
import Testing

@Suite struct IdentifierTests {
  static let upper = "7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA"
  static let lower = "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa"

  @Test func anEventIDIsReadInAnyCaseAndWrittenInLowerCase() throws {
    let id = try EventID(Self.upper)
    #expect(try EventID(Self.lower) == id)
    #expect(id.high == 0x7C42_CA9B_9EAB_4D04 && id.low == 0x80B3_40F1_0B0C_54AA)
    #expect(id.text == Self.lower)
  }

  @Test(arguments: [
    ("", EventFault.Code.empty), ("x", .invalidUUID), ("7c42ca9b9eab4d0480b340f10b0c54aa", .invalidUUID),
    ("{7c42ca9b-9eab-4d04-80b3-40f10b0c54aa}", .invalidUUID),
    ("7c42ca9b-9eab-4d04-80b3-40f10b0c54ag", .invalidUUID),
    ("7c42ca9b-9eab-4d04-80b3+40f10b0c54aa", .invalidUUID),
    ("7c42ca9b-9eab-4d04-80b3-40f10b0c54a", .invalidUUID),
    ("7c42ca9b-9eab-4d04-80b3-40f10b0c54aa ", .invalidUUID),
  ])
  func whatIsNoUUIDIsNoEventID(text: String, code: EventFault.Code) {
    let fault = #expect(throws: EventFault.self) { try EventID(text) }
    #expect(fault?.code == code)
  }

  @Test func randomIDsAreOfVersionFour() {
    let ids = (0..<100).map { _ in EventID.makeRandom() }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(id.high >> 12 & 15 == 4)
      #expect(id.low >> 62 == 2)
    }
  }

  @Test func onlyUUIDShapedNotificationIDsAreFolded() throws {
    #expect(try NotificationID(Self.upper) == NotificationID(Self.lower))
    #expect(try NotificationID(Self.upper).text == Self.lower)
    #expect(try NotificationID("ABC-1F") != NotificationID("abc-1f"))
    #expect(try NotificationID("ABC-1F").text == "ABC-1F")
    #expect(try NotificationID("7C42CA9B9EAB4D0480B340F10B0C54AA").text == "7C42CA9B9EAB4D0480B340F10B0C54AA")
  }

  @Test func lengthsAreThoseOfUTF8() throws {
    #expect(try DeviceID(String(repeating: "é", count: 128)).text.utf8.count == 256)
    #expect(
      #expect(throws: EventFault.self) { try DeviceID(String(repeating: "é", count: 129)) }?.code == .tooLong)
    #expect(#expect(throws: EventFault.self) { try DeviceID("") }?.code == .empty)
    #expect(#expect(throws: EventFault.self) { try NotificationID("") }?.code == .empty)
    #expect(#expect(throws: EventFault.self) { try ActionID("") }?.code == .empty)
    #expect(
      #expect(throws: EventFault.self) { try ActionID(String(repeating: "c", count: 3000)) }?.code == .tooLong
    )
    #expect(try Category("") == .none)
    #expect(try Category(String(repeating: "c", count: 128)).text.count == 128)
    #expect(
      #expect(throws: EventFault.self) { try Category(String(repeating: "c", count: 129)) }?.code == .tooLong)
    #expect(try ReplyText("").byteCount == 0)
    #expect(try ReplyText(String(repeating: "x", count: 8192)).byteCount == 8192)
    #expect(
      #expect(throws: EventFault.self) { try ReplyText(String(repeating: "x", count: 8193)) }?.code
        == .replyTooLarge)
    #expect(
      #expect(throws: EventFault.self) { try ExperimentAssignment(name: "", arm: "a") }?.field
        == "experiment.name")
    #expect(
      #expect(throws: EventFault.self) {
        try ExperimentAssignment(name: "a", arm: String(repeating: "a", count: 129))
      }?
      .field == "experiment.arm")
  }

  @Test func everyTextRejectsU0000ByName() {
    let makers: [(String, () throws -> Void)] = [
      ("notificationId", { _ = try NotificationID("a\0b") }), ("deviceId", { _ = try DeviceID("a\0b") }),
      ("category", { _ = try Category("a\0b") }), ("actionId", { _ = try ActionID("a\0b") }),
      ("replyText", { _ = try ReplyText("a\0b") }),
      ("experiment.name", { _ = try ExperimentAssignment(name: "a\0b", arm: "a") }),
      ("experiment.arm", { _ = try ExperimentAssignment(name: "a", arm: "\0") }),
      ("threadId", { _ = try Delivery(threadID: "a\0b") }),
      ("appVersion", { _ = try Delivery(appVersion: "a\0b") }),
      ("locale", { _ = try Delivery(locale: "a\0b") }),
    ]
    for (field, make) in makers {
      let fault = #expect(throws: EventFault.self) { try make() }
      #expect(fault?.code == .nullCharacter)
      #expect(fault?.field == field)
    }
  }

  @Test func textsAreEqualByteForByte() throws {
    #expect("\u{E9}" == "e\u{301}")
    #expect(try Category("\u{E9}") != Category("e\u{301}"))
    #expect(try Set([Category("\u{E9}"), Category("e\u{301}"), Category("\u{E9}")]).count == 2)
    #expect(try Category("news") != Category("News"))
  }

  @Test func theSystemsActionsAreTold() throws {
    #expect(ActionID.dismiss.isDismissal && !ActionID.dismiss.isCustom && !ActionID.dismiss.isDefault)
    #expect(ActionID.defaultAction.isDefault && !ActionID.defaultAction.isCustom)
    #expect(try ActionID("com.apple.UNNotificationDismissActionIdentifier") == .dismiss)
    #expect(try ActionID("com.apple.UNNotificationDefaultActionIdentifier") == .defaultAction)
    #expect(try ActionID("reply").isCustom)
  }

  @Test func privateTextsPrintAsPlaceholders() throws {
    let device = try DeviceID("secret-device")
    let reply = try ReplyText("secret reply")
    var dumped = ""
    dump((device, reply), to: &dumped)
    for printed in ["\(device)", String(reflecting: device), "\(reply)", String(reflecting: [reply]), dumped]
    {
      #expect(!printed.contains("secret"))
    }
  }

  @Test func faultsRepeatNothingPrivate() {
    let reply = #expect(throws: EventFault.self) {
      try ReplyText("secret" + String(repeating: "x", count: 9000))
    }
    let device = #expect(throws: EventFault.self) {
      try DeviceID("secret" + String(repeating: "x", count: 300))
    }
    #expect(reply?.description.contains("secret") == false)
    #expect(device?.description.contains("secret") == false)
  }

  @Test func echoedValuesAreCutAndEscaped() {
    let long = #expect(throws: EventFault.self) { try EventType(String(repeating: "y", count: 500)) }
    #expect(long?.message.contains(String(repeating: "y", count: 64) + "…") == true)
    #expect(long?.message.contains(String(repeating: "y", count: 65)) == false)
    #expect(EventFault.quote("a\n\u{1B}[31m\u{202E}b") == "“a\\u{a}\\u{1b}[31m\\u{202e}b”")
  }
}
