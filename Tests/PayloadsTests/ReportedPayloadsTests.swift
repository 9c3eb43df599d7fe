import Payloads
import Testing

/// Ways in which payloads have gone wrong elsewhere, each with the public report that it was taken from.
@Suite struct ReportedPayloadsTests {
  /// firebase/firebase-ios-sdk#6590: pictures whose address has no file extension are not attached. Nobody knows the kind, but
  /// text-only it is not.
  @Test func mediaWithoutAFileExtensionIsOfUnknownKindAndNoTextOnlyPush() throws {
    let url = "https://example.com/f/00000000-0000-4000-8000-000000000000"
    let report = lint(#"{"aps":{"alert":"a","mutable-content":1},"media-url":"\#(url)"}"#)
    #expect(report.richness == .declaredOnly)
    #expect(report.mediaKinds == [.unknown])
    #expect(report.mediaKey == "media-url")
    let finding = try #require(report.findings.first { $0.code == "media_no_extension" })
    #expect(finding.remedy.contains("file extension") && finding.remedy.contains("type beside it"))
    let typed = lint(
      #"{"aps":{"alert":"a","mutable-content":1},"media-url":"\#(url)","media-type":"image/jpeg"}"#)
    #expect(typed.richness == .yes)
    #expect(typed.mediaKinds == [.image])
  }

  /// AndrewBarba/apns2#82: a builder wrote content-available 1 although it was given false.
  @Test func whatIsNotAskedForIsNotWritten() {
    var draft = PayloadDraft()
    draft.title = "a"
    draft.simulatorBundle = "com.example.app"
    #expect(!draft.json.contains("content-available"))
    #expect(!draft.json.contains("badge"))
    #expect(draft.json.contains(#""sound": "default""#))
    draft.badge = 0
    draft.sound = nil
    #expect(draft.json.contains(#""badge": 0,"#))
    #expect(!draft.json.contains("sound"))
    #expect(lint(draft.json).findings.isEmpty)
  }

  /// linagora/tmail-flutter#2860: with content-available beside an alert the system may show nothing.
  @Test func aBackgroundPushWithAnAlertIsWarnedOf() throws {
    let report = lint(#"{"aps":{"alert":"x","content-available":1,"mutable-content":1}}"#)
    let finding = try #require(report.findings.first { $0.code == "background_with_alert" })
    #expect(finding.severity == .warning)
    #expect((finding.message + finding.remedy).contains("apns-push-type"))
  }

  /// invertase/notifee#128: the category was never registered, and nobody says so.
  @Test func aCategoryThatWasNeverRegisteredIsWarnedOf() throws {
    let report = lint(#"{"aps":{"alert":"x","category":"post"}}"#, categories: ["message"])
    let finding = try #require(report.findings.first { $0.code == "unknown_category" })
    #expect(finding.severity == .warning)
    #expect(finding.remedy.contains("“message”"))
    let twin = lint("{\"aps\":{\"alert\":\"x\",\"category\":\"mes\u{200B}sage\"}}", categories: ["message"])
    #expect(
      twin.findings.first { $0.code == "unknown_category" }?.remedy.contains("is “message” meant") == true)
  }

  /// antirez/ds4#43: a recursive parser dies of nesting in a field that it would ignore.
  @Test func nestingEndsNobody() {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(lint(#"{"aps":{"alert":"a"},"meta":\#(deep)}"#).findings.contains { $0.code == "json_depth" })
  }

  /// A text of the payload cannot break the lines that others read, or turn them around.
  @Test func aFindingIsALine() {
    let json = Array("{\"aps\":{\"alert\":\"a\",\"category\":\"x\\ny\u{202E}z\"}}".utf8)
    let report = PayloadLint(categories: []).report(on: json)
    let text = report.text(file: "f", bytes: json)
    #expect(text.split(separator: "\n").count == report.findings.count + 1)
    #expect(!text.contains("\u{202E}"))
  }
}
