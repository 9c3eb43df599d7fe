import Payloads
import Simulation
import Testing

@Suite struct PayloadLintTests {
  @Test(arguments: PayloadFixture.all)
  func eachPayloadGetsItsVerdict(_ fixture: PayloadFixture) throws {
    let report = PayloadLint().report(on: try fixture.bytes())
    #expect(report.verdict == fixture.verdict, "\(report.codes)")
    #expect(report.findings.map { "\($0.severity.rawValue) \($0.code)" } == fixture.findings)
  }

  @Test func thereAreSixtyOfThem() { #expect(PayloadFixture.all.count == 60) }

  @Test func placesAreCountedInCharacters() throws {
    let json = "{\"aps\": {\"alert\": \"제목 가나다 🎉\",}}"
    let finding = try #require(lint(json).findings.first { $0.code == "json_trailing_comma" })
    #expect(
      TextPlace(of: finding.offset, in: Array(json.utf8)) == TextPlace(of: 0, in: []).advanced(to: 1, 29))
  }

  @Test func severalFaultsAreNamedAtOnce() {
    let report = lint("{'aps': {\"alert\": \"a\", // c\n \"badge\": \"1\",}}")
    #expect(
      Set(report.codes).isSuperset(of: ["json_single_quotes", "json_comment", "json_trailing_comma", "type"]))
    #expect(!report.isValid)
  }

  @Test func aTextOnlyPushThatNobodySeesIsToldOf() {
    #expect(lint(#"{"aps":{"alert":"a"}}"#).codes.contains("not_counted"))
    #expect(!lint(#"{"aps":{"alert":"a","mutable-content":1}}"#).codes.contains("not_counted"))
    #expect(!lint(#"{"aps":{"content-available":1}}"#).codes.contains("not_counted"))
  }

  @Test func contradictingFlagsAreUndefined() {
    #expect(
      lint(#"{"aps":{"alert":"a","mutable-content":1,"mutable-content":0}}"#).extensionRuns == .notApplicable)
    #expect(lint(#"{"aps":{"alert":"a","sound":"d","mutable-content":0}}"#).extensionRuns == .no)
  }

  @Test func aCategoryThatTheAppDoesNotKnowIsToldWithItsTwin() throws {
    let lint = PayloadLint(categories: ["social_post"])
    let report = lint.report(on: Array(#"{"aps":{"alert":"a","category":"Social Post"}}"#.utf8))
    let finding = try #require(report.findings.first { $0.code == "unknown_category" })
    #expect(finding.remedy.contains("social_post"))
  }

  @Test func ownKeysCanBeNamed() {
    let json = #"{"aps":{"alert":"a","mutable-content":1},"x":{"y":"https://example.com/a.png"}}"#
    #expect(lint(json).richness == .no)
    let report = PayloadLint(keys: .usual.adding(["x.y"])).report(on: Array(json.utf8))
    #expect(report.richness == .yes)
    #expect(report.mediaKey == "x.y")
  }

  @Test func depthAndSizeAreBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(lint("{\"aps\":{\"alert\":\"a\"},\"x\":" + deep).codes.contains("json_depth"))
    #expect(lint(deep).codes.contains("json_depth"))
    let pretty = "{\"aps\":{\"alert\":\"a\"}" + String(repeating: " \n", count: 5_000) + "}"
    #expect(lint(pretty).isValid)
  }

  @Test func nothingCrashesIt() throws {
    var generator = SeededGenerator(seed: 77)
    for fixture in PayloadFixture.all {
      let bytes = try fixture.bytes()
      for _ in 0..<60 {
        var broken = bytes
        ByteMutator.mutate(
          &broken, changes: .random(in: 1...6, using: &generator), stretches: true, using: &generator)
        let report = PayloadLint().report(on: broken)
        for finding in report.findings { #expect(finding.offset >= 0 && finding.offset <= broken.count) }
      }
    }
  }
}

extension TextPlace {
  fileprivate func advanced(to line: Int, _ column: Int) -> TextPlace {
    let text = String(repeating: "\n", count: line - 1) + String(repeating: "x", count: column - 1)
    return TextPlace(of: text.utf8.count, in: Array(text.utf8))
  }
}

@Suite struct PayloadDraftTests {
  @Test func whatIsMadeLintsClean() throws {
    var draft = PayloadDraft()
    draft.title = "Ann “says” \"hi\""
    draft.body = "line\nbreak \u{7}🎉"
    draft.category = "social_post"
    draft.simulatorBundle = "com.example.app"
    for url in [nil, "https://example.com/photo.jpg", "https://example.com/a/clip.mp4?x=1"] {
      draft.mediaURL = url
      #expect(draft.flaw == nil)
      let report = PayloadLint(categories: ["social_post"]).report(on: Array(draft.json.utf8))
      #expect(report.findings.isEmpty, "\(report.codes)")
      #expect(report.richness == (url == nil ? .no : .yes))
      #expect(report.extensionRuns == .yes)
      #expect(report.category == "social_post")
    }
  }

  @Test func whatCannotBeMadeIsToldWithARemedy() {
    var draft = PayloadDraft()
    #expect(draft.flaw?.contains("title") == true)
    draft.title = "a"
    draft.mediaURL = "https://example.com/page.html"
    #expect(draft.flaw?.contains("photo.jpg") == true)
    draft.mediaURL = "https://example.com/photo.jpg"
    draft.mediaKey = "aps"
    #expect(draft.flaw?.contains("media-url") == true)
  }

  @Test func whatIsNoTextOfItsOwnIsNotWritten() {
    var draft = PayloadDraft()
    draft.title = "a\u{FFFD}"
    #expect(draft.flaw?.contains("UTF-8") == true)
    draft.title = "a"
    draft.sound = ""
    #expect(draft.flaw?.contains("none") == true)
    draft.sound = nil
    #expect(draft.flaw == nil)
    draft.mediaURL = "https://e.com/a.pdf"
    #expect(draft.flaw?.contains("photo.jpg") == true)
  }

  @Test func findingsArePrintedAsCompilersDo() {
    let json = Array("{\n  \"aps\": {\"alert\": \"a\", \"badge\": \"1\"}\n}".utf8)
    let text = PayloadLint().report(on: json).text(file: "x.apns", bytes: json)
    #expect(text.hasPrefix("x.apns: not valid, text-only, no category, the extension does not run\n"))
    #expect(text.contains("x.apns:2:34: error: aps.badge is a string"))
  }
}
