import EngagementEvents
import Foundation
import Payloads
import Simulation
import Testing

@Suite struct CategoryLintTests {
  private func lint(_ json: String) -> CategoryReport { CategoryLint.report(on: Array(json.utf8)) }

  /// The codes of a file with one category of these members, but for the notes.
  private func codes(category members: String) -> [String] {
    lint(#"[{"identifier": "post", "contentExtension": true, \#(members)}]"#).findings
      .filter { $0.severity != .note }.map(\.code)
  }

  private func codes(action members: String) -> [String] {
    codes(category: #""actions": [{"identifier": "like", "title": "Like", \#(members)}]"#)
  }

  @Test func aGoodFileHasNoFinding() throws {
    let report = CategoryLint.report(on: try Self.seeds())
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.isValid)
    #expect((report.categories, report.actions) == (2, 3))
  }

  @Test func aPlainListIsValid() {
    let report = lint(#"[{"identifier": "social_post"}]"#)
    #expect(report.isValid)
    #expect(report.findings.map(\.code) == ["content_extension_not_told"])
  }

  @Test(arguments: [
    (#""x""#, "not_a_registry"), ("{}", "no_categories"), (#"{"categories": {}}"#, "type"),
    ("", "json_empty"),
    ("[1]", "type"), ("[{}]", "missing_identifier"), (#"[{"identifier": null}]"#, "type"),
    (#"[{"identifier": ""}]"#, "identifier_empty"), (#"[{"identifier": "a\u0000b"}]"#, "control_character"),
    (#"[{"identifier": "a"}, {"identifier": "a"}]"#, "duplicate_category"),
    (#"[{"identifier": "a", "identifier": "b"}]"#, "json_duplicate_key"),
    (#"{"categories": [], "defaultLocale": 1}"#, "type"), ("[]]", "json_extra_data"),
    ("\u{0}\u{1}", "json_syntax"),
  ])
  func whatCannotBeImportedIsAnError(_ json: String, _ code: String) {
    let report = lint(json)
    #expect(!report.isValid)
    #expect(report.findings.contains { $0.code == code && $0.severity == .error }, "\(report.findings)")
  }

  @Test func aLongIdentifierIsAnErrorAsItIsForDevices() {
    #expect(
      lint(#"[{"identifier": "\#(String(repeating: "c", count: 129))"}]"#).findings.map(\.code)
        .contains("identifier_too_long"))
  }

  @Test(arguments: [
    "Social Post", "social-post", "social_post\u{200B}", "SOCIAL_POST", "\u{202E}social_post",
  ])
  func categoriesThatLookAlikeAreTold(_ twin: String) {
    let report = lint(#"[{"identifier": "social_post"}, {"identifier": "\#(twin)"}]"#)
    #expect(report.isValid)
    #expect(report.findings.contains { $0.code == "near_twin_category" }, "\(report.findings)")
  }

  @Test func invisibleCharactersAndBlanksAtTheEndsAreTold() {
    #expect(
      lint("[{\"identifier\": \"post\u{200B}\"}]").findings.contains { $0.code == "invisible_characters" })
    #expect(lint("[{\"identifier\": \" post\"}]").findings.contains { $0.code == "surrounding_white_space" })
    #expect(
      lint("[{\"identifier\": \"po\u{202E}st\"}]").findings.contains { $0.code == "invisible_characters" })
  }

  @Test func lettersOfAnotherScriptAreTold() throws {
    let mixed = lint(#"[{"identifier": "аlpha", "contentExtension": true}]"#)
    #expect(mixed.findings.map(\.code) == ["mixed_scripts"])
    // Cyrillic as a whole, and yet like the other.
    let twins = lint(#"[{"identifier": "cop"}, {"identifier": "сор"}]"#).findings.filter {
      $0.severity != .note
    }
    #expect(twins.map(\.code) == ["near_twin_category"])
    #expect(try #require(twins.first).message.contains("another script"))
    #expect(
      !lint(#"[{"identifier": "пост"}, {"identifier": "post"}]"#).findings.contains {
        $0.code == "near_twin_category"
      })
  }

  @Test func oneButtonIsSpeltAlikeEverywhere() {
    let report = lint(
      #"[{"identifier": "a", "actions": [{"identifier": "reply", "title": "R"}]},"#
        + #"{"identifier": "b", "actions": [{"identifier": "Reply", "title": "R"}, {"identifier": "reply", "title": "R"}]}]"#
    )
    #expect(report.isValid)
    #expect(report.findings.filter { $0.code == "near_twin_action" }.count == 1)
  }

  @Test func keysAndOptionsThatDoNotExistAreTold() {
    #expect(codes(category: #""color": 1"#) == ["unknown_key"])
    #expect(codes(category: #""content_extension": true"#) == ["near_miss_key"])
    #expect(codes(category: #""options": ["CustomDismissAction"]"#) == ["unknown_option"])
    #expect(
      codes(category: #""options": ["customDismissAction", "customDismissAction"]"#) == ["duplicate_option"])
    #expect(codes(category: #""replyText": "some""#) == ["value"])
    #expect(
      lint(#"{"replyText": "some", "categories": [{"identifier": "a", "contentExtension": true}]}"#).findings
        .map(\.code) == ["value"])
    #expect(codes(action: #""options": ["foreground", "urgent"]"#) == ["unknown_option"])
    #expect(codes(action: #""subtitle": "x""#) == ["unknown_key"])
    #expect(codes(action: #""textInput": {"buttonTitle": "Send", "button": "x"}"#) == ["unknown_key"])
  }

  @Test func actionsAreHeldToWhatIOSTakes() {
    #expect(codes(category: #""actions": [{"identifier": "like"}]"#) == ["missing_title"])
    #expect(codes(category: #""actions": [{"identifier": "like", "title": " "}]"#) == ["empty_text"])
    let twice = #"{"identifier": "like", "title": "Like"}"#
    #expect(codes(category: #""actions": [\#(twice), \#(twice)]"#) == ["duplicate_action"])
    let systems = ActionID.dismiss.text
    #expect(
      codes(category: #""actions": [{"identifier": "\#(systems)", "title": "x"}]"#) == ["reserved_identifier"]
    )
    #expect(
      codes(action: #""options": ["foreground"], "textInput": {"buttonTitle": "Send"}"#)
        == ["text_input_foreground"])
    #expect(codes(action: #""textInput": {}"#) == ["missing_button_title"])
    func actions(_ count: Int) -> String {
      (0..<count).map { #"{"identifier": "a\#($0)x", "title": "A"}"# }.joined(separator: ", ")
    }
    let eleven = lint(#"[{"identifier": "post", "actions": [\#(actions(11))]}]"#)
    #expect(eleven.findings.contains { $0.code == "too_many_actions" && $0.severity == .warning })
    let three = lint(#"[{"identifier": "post", "actions": [\#(actions(3))]}]"#)
    #expect(three.findings.contains { $0.code == "banner_actions" && $0.severity == .note })
  }

  /// Apple's own option of former years stands in many an app.
  @Test func aFormerOptionOfApplesIsNoError() throws {
    let json =
      #"[{"identifier": "post", "contentExtension": true, "options": ["allowAnnouncement", "allowInCarPlay"]}]"#
    let report = lint(json)
    #expect(report.isValid)
    #expect(report.findings.map(\.code) == ["former_option"])
    let registry = try JSONDecoder().decode(CategoryRegistry.self, from: Data(json.utf8))
    #expect(registry.categories.first?.options == [.allowInCarPlay])
    // It is none of an action's.
    #expect(codes(action: #""options": ["allowAnnouncement"]"#) == ["unknown_option"])
  }

  @Test func oneActionHasOneTitle() {
    func file(_ titles: String...) -> [String] {
      let categories = titles.enumerated().map {
        #"{"identifier": "c\#($0)x", "contentExtension": true, "actions": [{"identifier": "like", "title": \#($1)}]}"#
      }
      return lint("[\(categories.joined(separator: ", "))]").findings.filter {
        $0.code == "action_title_differs"
      }
      .map { "\($0.severity)" }
    }
    #expect(file(#""Like""#, #""Like""#) == [])
    #expect(file(#""Like""#, #""Love""#, #""Like""#) == ["note"])
    #expect(file(#"{"en": "Like", "de": "Gut"}"#, #"{"de": "Gut", "en": "Like"}"#) == [])
    #expect(file(#"{"en": "Like", "de": "Gut"}"#, #"{"en": "Like", "de": "Ja"}"#) == ["note"])
  }

  @Test func aPlainListOfNamesIsOne() {
    func names(_ json: String) -> Set<String>? { CategoryLint.names(in: Array(json.utf8)) }
    #expect(names(#"["message", "post"]"#) == ["message", "post"])
    for other in [#"[{"identifier": "a"}]"#, "[]", #"["a", 1]"#, #""a""#, #"["a",]"#, #"["a""#, ""] {
      #expect(names(other) == nil, "\(other)")
    }
  }

  @Test func titlesThatLackALocaleAreTold() throws {
    let report = lint(
      #"{"defaultLocale": "en", "categories": [{"identifier": "a", "contentExtension": true, "title": {"en": "A", "de": "A"},"#
        + #""actions": [{"identifier": "b", "title": {"en": "B", "de-AT": "B"}}]}]}"#)
    // Whoever reads German in Austria finds the category's title in German.
    let finding = try #require(report.findings.first)
    #expect(report.findings.map(\.code) == ["missing_locale"])
    #expect(finding.message.contains("none for de") && !finding.message.contains("de-AT"))
    let other = lint(#"{"defaultLocale": "fr", "categories": [{"identifier": "a", "title": {"en": "A"}}]}"#)
    #expect(other.findings.contains { $0.code == "default_locale" })
  }

  @Test func findingsHaveTheirPlacesInCharacters() {
    let json = "[\n  {\"identifier\": \"제목\", \"titel\": 1}\n]"
    let text = lint(json).text(file: "c.json", bytes: Array(json.utf8))
    #expect(text.hasPrefix("c.json: valid, 1 category, 0 actions\n"))
    #expect(text.contains("c.json:2:24: warning: category “제목” has the unknown key “titel”"), "\(text)")
  }

  /// What the linter lets pass can be imported, whatever was done to the file; and nothing crashes it.
  @Test func whatIsValidCanBeRead() throws {
    var generator = SeededGenerator(seed: 5)
    let seeds = try Self.seeds()
    var valid = 0
    for _ in 0..<3_000 {
      var broken = seeds
      ByteMutator.mutate(
        &broken, changes: .random(in: 1...3, using: &generator), stretches: true, using: &generator)
      let report = CategoryLint.report(on: broken)
      for finding in report.findings { #expect(finding.offset >= 0 && finding.offset <= broken.count) }
      guard report.isValid else { continue }
      valid += 1
      #expect(throws: Never.self, "\(String(decoding: broken, as: UTF8.self))") {
        let registry = try JSONDecoder().decode(CategoryRegistry.self, from: Data(broken))
        let again = try JSONDecoder().decode(CategoryRegistry.self, from: try JSONEncoder().encode(registry))
        #expect(again == registry)
      }
    }
    #expect(valid > 100)
  }

  static func seeds() throws -> [UInt8] {
    let url = try #require(
      Bundle.module.url(forResource: "seeds", withExtension: "json", subdirectory: "Fixtures/categories"))
    return Array(try Data(contentsOf: url))
  }
}
