import EngagementEvents
import Testing

@Suite struct EngagementEventTests {
  static func event(
    id: String = "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa", notification: String = "N1",
    category: String = "news",
    time: String = "2026-03-01T08:00:00Z", sequence: Int64? = nil, source: EventSource? = nil,
    experiment: ExperimentAssignment? = nil, detail: EngagementEvent.Detail = .expanded
  ) throws -> EngagementEvent {
    try EngagementEvent(
      id: EventID(id), notificationID: NotificationID(notification), deviceID: DeviceID("D1"),
      category: Category(category), occurredAt: EventTime(time), sequence: sequence, source: source,
      experiment: experiment, detail: detail)
  }

  @Test func jsonHasTheContractsForm() throws {
    let delivery = try Delivery(
      attachments: [
        Attachment(kind: .image, bytes: 10, width: 2, height: 3), Attachment(kind: .video, seconds: 1.5),
      ],
      intended: [.image, .video], fallback: .timedOut, customInterface: true,
      actions: [ActionID("reply"), .dismiss], interruptionLevel: .timeSensitive, relevanceScore: 0.5,
      threadID: "t", appVersion: "1.2", locale: "de_DE")
    let event = try Self.event(
      time: "2026-03-01t09:00:00.120+01:00", sequence: 7, source: .serviceExtension,
      experiment: ExperimentAssignment(name: "spring", arm: "rich"), detail: .delivered(delivery))
    #expect(
      String(decoding: event.jsonBytes, as: UTF8.self) == #"{"id":"7c42ca9b-9eab-4d04-80b3-40f10b0c54aa","#
        + #""type":"delivered","notificationId":"N1","deviceId":"D1","category":"news","#
        + #""occurredAt":"2026-03-01t09:00:00.120+01:00","sequence":7,"source":"serviceExtension","#
        + #""experiment":{"name":"spring","arm":"rich"},"attachments":[{"kind":"image","bytes":10,"width":2,"height":3},"#
        + #"{"kind":"video","seconds":1.5}],"intended":["image","video"],"fallback":"timedOut","customInterface":true,"#
        + #""actions":["reply","com.apple.UNNotificationDismissActionIdentifier"],"interruptionLevel":"time-sensitive","#
        + #""relevanceScore":0.5,"threadId":"t","appVersion":"1.2","locale":"de_DE"}"#)
  }

  @Test func absentFieldsAreLeftOutOfJSON() throws {
    let event = try Self.event(category: "")
    #expect(
      String(decoding: event.jsonBytes, as: UTF8.self) == #"{"id":"7c42ca9b-9eab-4d04-80b3-40f10b0c54aa","#
        + #""type":"expanded","notificationId":"N1","deviceId":"D1","occurredAt":"2026-03-01T08:00:00Z"}"#)
  }

  @Test func textIsEscapedNoMoreThanJSONDemands() throws {
    let reply = try ReplyText("\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}é\u{200D}🙂שלום")
    let event = try Self.event(detail: .action(ActionTaken(actionID: ActionID("reply"), replyText: reply)))
    #expect(
      String(decoding: event.jsonBytes, as: UTF8.self).hasSuffix(
        #""replyText":"\"\\/\u0008\u000c\n\r\t\u0001\u001f"# + "\u{7f}é\u{200D}🙂שלום\"}"))
  }

  @Test func theSameContentHasTheSameCanonicalBytes() throws {
    let one = try Self.event(notification: IdentifierTests.lower, time: "2026-03-01T08:00:00.1Z")
      .canonicalBytes
    #expect(
      try one
        == Self.event(
          id: "7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA", notification: IdentifierTests.upper,
          time: "2026-03-01T10:00:00.100000000+02:00"
        ).canonicalBytes)
    #expect(
      try Self.event(detail: .delivered(Delivery(relevanceScore: 0.0, threadID: ""))).canonicalBytes
        == Self.event(detail: .delivered(Delivery(relevanceScore: -0.0))).canonicalBytes)
  }

  @Test func anyOtherContentHasOtherCanonicalBytes() throws {
    let reply = try ReplyText("")
    let events = try [
      Self.event(), Self.event(id: "7c42ca9b-9eab-4d04-80b3-40f10b0c54ab"), Self.event(notification: "N2"),
      Self.event(category: "News"), Self.event(notification: "N1n", category: "ews"), Self.event(sequence: 0),
      Self.event(sequence: 1), Self.event(time: "2026-03-01T08:00:00.000001Z"), Self.event(source: .app),
      Self.event(source: .provider), Self.event(experiment: ExperimentAssignment(name: "ab", arm: "c")),
      Self.event(experiment: ExperimentAssignment(name: "a", arm: "bc")),
      Self.event(detail: .action(ActionTaken(actionID: .dismiss))),
      Self.event(detail: .action(ActionTaken(actionID: .dismiss, replyText: reply))),
      Self.event(detail: .delivered(Delivery())), Self.event(detail: .delivered(Delivery(intended: []))),
      Self.event(detail: .delivered(Delivery(intended: [.image]))),
      Self.event(detail: .delivered(Delivery(attachments: [Attachment(kind: .image)]))),
      Self.event(detail: .delivered(Delivery(attachments: [Attachment(kind: .image, bytes: 1)]))),
      Self.event(detail: .delivered(Delivery(attachments: [Attachment(kind: .image, width: 1)]))),
      Self.event(detail: .delivered(Delivery(fallback: .invalid))),
      Self.event(detail: .delivered(Delivery(customInterface: true))),
      Self.event(detail: .delivered(Delivery(actions: [ActionID("ab")]))),
      Self.event(detail: .delivered(Delivery(actions: [ActionID("a"), ActionID("b")]))),
      Self.event(detail: .delivered(Delivery(interruptionLevel: .active))),
      Self.event(detail: .delivered(Delivery(relevanceScore: 0))),
      Self.event(detail: .delivered(Delivery(threadID: "a"))),
      Self.event(detail: .delivered(Delivery(appVersion: "a"))),
      Self.event(detail: .delivered(Delivery(locale: "a"))),
    ]
    #expect(Set(events.map(\.canonicalBytes)).count == events.count)
  }

  @Test func canonicalBytesStayAsTheyAre() throws {
    // Fingerprints are kept for ever: whoever changes this form gives it another version.
    let event = try Self.event(
      id: "00000000-0000-0001-0000-000000000002", category: "", time: "2007-01-01T00:00:00.000001Z",
      sequence: 3)
    #expect(
      event.canonicalBytes == [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]
        + [2, 78, 49] + [2, 68, 49] + [0] + [0, 4, 0x25, 0xEF, 0x4B, 0x71, 0xC0, 1]
        + [1, 0, 0, 0, 0, 0, 0, 0, 3] + [0, 0] + [8] + Array("expanded".utf8))
  }

  @Test func numbersHaveTheirRanges() throws {
    #expect(#expect(throws: EventFault.self) { try Self.event(sequence: -1) }?.code == .numberOutOfRange)
    for score in [-0.1, 1.1, .nan, .infinity] {
      #expect(
        #expect(throws: EventFault.self) { try Delivery(relevanceScore: score) }?.code == .numberOutOfRange)
    }
    #expect(try Delivery(relevanceScore: 1).relevanceScore == 1)
    let fault = #expect(throws: EventFault.self) {
      try Attachment(kind: .gif, height: -1, field: "attachments[3]")
    }
    #expect(fault?.field == "attachments[3].height")
    for seconds in [-1, .nan, .infinity] {
      #expect(
        #expect(throws: EventFault.self) { try Attachment(kind: .gif, seconds: seconds) }?.code
          == .numberOutOfRange)
    }
  }

  @Test func theArmGoesByWhatWasIntended() throws {
    let image = try Attachment(kind: .image)
    #expect(try Delivery(attachments: [image]).isRichAsIntended)
    #expect(try !Delivery().isRichAsIntended)
    #expect(try Delivery(intended: [.image]).isRichAsIntended)
    #expect(try !Delivery(intended: [.image]).isRichAsShown)
    #expect(try !Delivery(attachments: [image], intended: []).isRichAsIntended)
  }

  @Test func closedSetsNameTheirMembers() throws {
    let faults = [
      #expect(throws: EventFault.self) { try EventType("influenced_open") },
      #expect(throws: EventFault.self) { try EventType("") },
      #expect(throws: EventFault.self) { try EventSource("App") },
      #expect(throws: EventFault.self) { try MediaKind("Image") },
      #expect(throws: EventFault.self) { try FallbackReason("failed_timeout") },
      #expect(throws: EventFault.self) { try InterruptionLevel("time_sensitive") },
    ]
    let members = ["expanded", "expanded", "contentExtension", "gif", "timedOut", "time-sensitive"]
    for (fault, member) in zip(faults, members) {
      #expect(fault?.code == .unknownValue)
      #expect(fault?.message.contains(member) == true)
    }
    #expect(try InterruptionLevel("timeSensitive") == InterruptionLevel("time-sensitive"))
  }

  @Test(
    arguments: [
      ("news", nil), ("last news", nil), ("👩‍💻", nil), ("❤️", nil), ("Größe", nil),
      ("news\u{200B}", .invisibleCharacters), ("\u{FEFF}news", .invisibleCharacters),
      ("ne\u{AD}ws", .invisibleCharacters),
      ("ne\tws", .invisibleCharacters), ("a\u{A0}b", .invisibleCharacters),
      ("n\u{202E}ews", .invisibleCharacters),
      ("ne\u{200D}ws", .invisibleCharacters),
      (" news", .surroundingWhiteSpace), ("news\n", .surroundingWhiteSpace),
      ("news\u{3000}", .surroundingWhiteSpace),
    ] as [(String, EventWarning.Code?)])
  func oddIdentifiersAreKeptWithAWarning(text: String, code: EventWarning.Code?) throws {
    let event = try Self.event(category: text)
    #expect(event.category.text.utf8.elementsEqual(text.utf8))
    #expect(event.warnings.map(\.code) == (code.map { [$0] } ?? []))
    #expect(event.warnings.allSatisfy { $0.field == "category" && $0.message.contains("category") })
  }

  /// One that cannot be seen is an interaction in the reports, where the system's would be none.
  @Test(
    arguments: [
      ("com.apple.unnotificationdismissactionidentifier", .dismiss),
      ("com.apple.UNNotificationDismissActionIdentifier ", .dismiss),
      (" com.apple.UNNotificationDefaultActionIdentifier", .defaultAction),
      ("COM.APPLE.UNNOTIFICATIONDEFAULTACTIONIDENTIFIER", .defaultAction),
      ("com.apple.UNNotification Default ActionIdentifier", .defaultAction),
      ("com_apple_UNNotificationDismissActionIdentifier", .dismiss),
      ("com.apple.UNNotificationDismissAction\u{200B}Identifier", .dismiss),
      ("comappleUNNotificationDismissActionIdentifier", .dismiss),
      (ActionID.dismiss.text, nil), (ActionID.defaultAction.text, nil), ("dismiss", nil),
      ("com.apple.UNNotificationDismissActionIdentifier2", nil),
      ("com.example.UNNotificationDismissActionIdentifier", nil),
    ] as [(String, ActionID?)])
  func actionsThatLookLikeTheSystemsAreWarnedOf(text: String, system: ActionID?) throws {
    let id = try ActionID(text)
    let events = [
      "actionId": try Self.event(detail: .action(ActionTaken(actionID: id))),
      "actions[1]": try Self.event(detail: .delivered(Delivery(actions: [ActionID("like"), id]))),
    ]
    for (field, event) in events {
      let warnings = event.warnings.filter { $0.code == .nearSystemAction }
      #expect(warnings.map(\.field) == (system == nil ? [] : [field]))
      if let system { #expect(warnings.first?.message.contains(system.text) == true) }
      #expect(id.isCustom == (text != ActionID.dismiss.text && text != ActionID.defaultAction.text))
    }
  }

  /// A fallback proves that media was meant; without it the arm would be text.
  @Test func aFallbackWithoutIntendedIsWarnedOf() throws {
    let image = try Attachment(kind: .image)
    func codes(_ delivery: Delivery) throws -> [EventWarning.Code] {
      try Self.event(detail: .delivered(delivery)).warnings.map(\.code)
    }
    for reason in FallbackReason.allCases {
      #expect(try codes(Delivery(fallback: reason)) == [.fallbackWithoutIntended])
      #expect(try codes(Delivery(intended: [], fallback: reason)) == [.fallbackWithoutIntended])
      #expect(
        try codes(Delivery(attachments: [image], intended: [], fallback: reason)) == [
          .fallbackWithoutIntended
        ])
      #expect(try codes(Delivery(intended: [.gif], fallback: reason)) == [])
      // Two were meant, and one of them came: rich it is.
      #expect(try codes(Delivery(attachments: [image], fallback: reason)) == [])
    }
    #expect(try codes(Delivery()) == [])
    #expect(try codes(Delivery(intended: [])) == [])
    let warning = try Self.event(detail: .delivered(Delivery(fallback: .timedOut))).warnings.first
    #expect(warning?.field == "fallback")
    #expect(warning?.message.contains("send intended") == true)
  }
}
