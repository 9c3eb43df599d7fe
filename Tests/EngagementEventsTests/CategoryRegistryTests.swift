import Foundation
import Testing

@testable import EngagementEvents

@Suite struct CategoryRegistryTests {
  private func read(_ json: String) throws -> CategoryRegistry {
    try JSONDecoder().decode(CategoryRegistry.self, from: Data(json.utf8))
  }

  @Test func theFileIsReadAsAppleNamesIt() throws {
    let registry = try read(
      """
      {"defaultLocale": "de", "more": 1, "categories": [{"identifier": "post", "title": {"en": "Post", "de": "Beitrag"},
       "contentExtension": true, "replyText": "none", "options": ["customDismissAction", "allowInCarPlay"],
       "intentIdentifiers": ["i"], "actions": [{"identifier": "reply", "title": "Reply", "options": ["foreground"],
       "textInput": {"buttonTitle": "Send"}}]}, {"identifier": "plain"}]}
      """)
    let post = try #require(registry["post"])
    #expect(registry.shown(post.title) == "Beitrag")
    #expect(
      post.hasContentExtension && post.reportsDismissal
        && post.replyText == RegisteredCategory.ReplyTextKeeping.none)
    #expect(post.options == [.customDismissAction, .allowInCarPlay])
    #expect(post.intentIdentifiers == ["i"])
    #expect(post.actions.map(\.id.text) == ["reply"])
    #expect(post.actions[0].options == [.foreground])
    #expect(post.actions[0].textInput?.buttonTitle == .same("Send"))
    let plain = try #require(registry["plain"])
    #expect(!plain.hasContentExtension && !plain.reportsDismissal && plain.replyText == nil)
    #expect(registry["Post"] == nil)
  }

  @Test(arguments: [
    #"{"categories": [{"identifier": ""}]}"#, #"[{"identifier": "a"}, {"identifier": "a"}]"#, "{}", "1",
    #"[{"identifier": "a", "options": ["x"]}]"#, #"[{"identifier": "a", "replyText": "x"}]"#,
    #"[{"identifier": "a", "actions": [{"identifier": "b"}]}]"#, #"[{"identifier": "a", "title": {}}]"#,
    #"[{"identifier": "a", "actions": [{"identifier": "com.apple.UNNotificationDismissActionIdentifier", "title": "x"}]}]"#,
  ])
  func whatNoAppCouldRegisterIsRefused(_ json: String) {
    #expect(throws: DecodingError.self) { try read(json) }
  }

  @Test(arguments: [
    (["de-AT"], "de"), (["pt-PT"], "br"), (["fr", "de"], "de"), (["fr"], "en"), ([], "en"), (["DE_at"], "de"),
    (["zh-Hant-TW"], "tw"), (["zh-Hans-CN"], "en"),
  ])
  func aTextIsFoundForWhoeverReadsIt(_ locales: [String], _ expected: String) {
    let text = LocalizedText.byLocale(["en": "en", "de": "de", "pt-BR": "br", "zh-Hant": "tw"])
    #expect(text.text(preferring: locales, default: "en") == expected)
    #expect(LocalizedText.same("x").text(preferring: locales, default: nil) == "x")
  }

  @Test func aDifferenceNamesWhatIsAnother() throws {
    let old = try read(
      #"[{"identifier": "a", "actions": [{"identifier": "x", "title": "X"}, {"identifier": "y", "title": "Y"}]}, {"identifier": "b"}]"#
    )
    let new = try read(
      #"[{"identifier": "c"}, {"identifier": "a", "contentExtension": true, "actions": [{"identifier": "x", "title": "Z"}, {"identifier": "z", "title": "Z"}]}]"#
    )
    let difference = RegistryDifference(from: old, to: new)
    #expect(difference.added == ["c"])
    #expect(difference.removed == ["b"])
    #expect(difference.changed.map(\.identifier) == ["a"])
    #expect(
      difference.changed.first?.parts == ["contentExtension", "action x", "new action z", "without action y"])
    #expect(RegistryDifference(from: new, to: new).isEmpty)
    #expect(RegistryDifference(from: nil, to: new).added == ["c", "a"])
  }

  @Test(arguments: [
    ("social_post", "Social Post", true), ("a.b", "a-b", true), ("post\u{200B}", "post", true),
    ("post\u{202E}", "post", true), ("e\u{301}", "é", true), ("post", "posts", false), ("❤️", "❤", true),
    ("_", "-", false),
  ])
  func aSkeletonIsWhatPeopleSee(_ one: String, _ other: String, _ isSame: Bool) {
    #expect((one.skeleton == other.skeleton) == isSame)
  }
}

@Suite struct RegistryWatchTests {
  private func watch() throws -> RegistryWatch {
    let like = try RegisteredAction(ActionID("like"), title: .same("Like"))
    return RegistryWatch(
      CategoryIndex(try CategoryRegistry([try RegisteredCategory(Category("post"), actions: [like])])))
  }

  private func event(_ category: String, _ detail: EngagementEvent.Detail) throws -> EngagementEvent {
    try EngagementEvent(
      id: .makeRandom(), notificationID: NotificationID("n"), deviceID: DeviceID("d"),
      category: Category(category),
      occurredAt: EventTime("2026-03-01T08:00:00Z"), detail: detail)
  }

  private func action(_ id: String) throws -> EngagementEvent.Detail {
    .action(ActionTaken(actionID: try ActionID(id), replyText: nil))
  }

  private func codes(_ event: EngagementEvent) throws -> [String] {
    var watch = try watch()
    return watch.warnings(about: event).map { "\($0.field) \($0.code.rawValue)" }
  }

  @Test func whatIsRegisteredIsNotToldOf() throws {
    for detail in [
      .expanded, try action("like"), try action(ActionID.dismiss.text),
      .delivered(try Delivery(actions: [ActionID("like")])),
    ] {
      #expect(try codes(event("post", detail)) == [])
      // No category is none that could be registered.
      #expect(try codes(event("", detail)) == [])
    }
  }

  @Test func whatIsNotRegisteredIsToldWithItsTwin() throws {
    #expect(try codes(event("news", .expanded)) == ["category unknown_category"])
    #expect(try codes(event("Post", try action("x"))) == ["category near_twin_category"])
    #expect(try codes(event("post", try action("share"))) == ["actionId unknown_action"])
    let delivery = try Delivery(actions: [ActionID("like"), ActionID("Like"), ActionID("share")])
    #expect(
      try codes(event("post", .delivered(delivery))) == [
        "actions[1] near_twin_action", "actions[2] unknown_action",
      ])
  }

  /// Importing the categories anew would not help: it is told of as what it is, registry or not.
  @Test func whatLooksLikeTheSystemsIsNotToldAsUnregistered() throws {
    let odd = ActionID.dismiss.text.lowercased()
    #expect(try codes(event("post", try action(odd))) == [])
    #expect(try codes(event("post", .delivered(try Delivery(actions: [ActionID(odd)])))) == [])
    #expect(try event("post", try action(odd)).warnings.map(\.code) == [.nearSystemAction])
  }

  @Test func aNameIsToldOnceARequest() throws {
    var watch = try watch()
    #expect(watch.warnings(about: try event("news", .expanded)).count == 1)
    #expect(watch.warnings(about: try event("news", try action("x"))).isEmpty)
    #expect(watch.warnings(about: try event("other", .expanded)).count == 1)
    #expect(watch.warnings(about: try event("post", try action("x"))).count == 1)
    #expect(watch.warnings(about: try event("post", try action("x"))).isEmpty)
  }
}
