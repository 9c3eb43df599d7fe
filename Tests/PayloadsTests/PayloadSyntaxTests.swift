import Foundation
import Payloads
import Testing

/// What is no JSON, or not as it is sent.
@Suite struct PayloadSyntaxTests {
  @Test(arguments: ["+041", "-000", "00 4", "12", "004g", "٠٠٤١"])
  func anEscapeHasFourHexadecimalDigits(_ digits: String) {
    #expect(lint(#"{"aps":{"alert":"\u\#(digits)"}}"#).told == ["error json_escape"])
    let categories = CategoryLint.report(on: Array(#"[{"identifier":"a\u\#(digits)"}]"#.utf8))
    #expect(categories.findings.map(\.code) == ["json_escape"])
  }

  /// What is not there cannot be told of a file whose end is not read.
  @Test(arguments: [
    (#"{“aps”:{"alert":"x"}}"#, ["error json_syntax"]), (#"{"aps":{,"alert":"x"}}"#, ["error json_syntax"]),
    (#"{"a":1,"#, ["error json_cut"]), (#"{"aps":{"mutable-content":1,"#, ["error json_cut"]),
    (#"{"aps":{"alert":{"#, ["error json_cut"]), (#"{"aps":{"badge":"#, ["error json_cut"]),
    (#"{"alert":"x" "aps":{}}"#, ["error json_syntax"]), (#"{"to":"x","data":{}} x"#, nil),
    (#"{"to":"x","data":{"#, ["error json_cut"]),
    (#"{"aps":{"event":"start","content-state":{"#, ["error json_cut"]),
    (#"{"APS":{"#, ["error json_cut"]),
    (#"{"aps":{"alert":{"loc-args":["a"],"#, ["note personal_data_in_loc_args", "error json_cut"]),
  ])
  func absencesFollowFromNoBrokenFile(_ json: String, _ told: [String]?) {
    let report = lint(json)
    if let told { #expect(report.told == told) }
    #expect(!report.isValid)
    if told != nil { #expect(!report.codes.contains("no_target_bundle")) }
  }

  @Test(arguments: [
    ("+1", "json_number"), (".5", "json_number"), ("01", "json_number"), ("1.", "json_number"),
    ("0x10", "json_number"), ("None", "json_word"), ("True", "json_word"), ("NaN", "json_nonfinite"),
  ])
  func anUnreadableValueIsNamedAndHasNoType(_ value: String, _ code: String) {
    for key in ["badge", "sound", "attributes", "interruption-level", "thread-id", "mutable-content"] {
      let report = lint(#"{"aps":{"alert":"x","\#(key)":\#(value)}}"#)
      #expect(report.told == ["error \(code)"], "\(key)")
    }
    #expect(lint(#"{"aps":{"alert":\#(value),"mutable-content":1}}"#).told == ["error \(code)"])
    #expect(lint(#"{"aps":\#(value)}"#).told == ["error \(code)"])
  }

  @Test func theRightWordIsNamed() throws {
    for (word, right) in [
      ("True", "true"), ("None", "null"), ("undefined", "null"), ("hello", "quotation marks"),
    ] {
      #expect(try #require(lint(#"{"a":\#(word)}"#).words("json_word")).hasSuffix(right))
    }
  }

  @Test(arguments: [
    (#"{ aps: {"alert":"x","category":"c"} }"#, "json_unquoted_key", 3),
    (#"{"aps":{"alert":"x",category:"c"}}"#, "json_unquoted_key", 21),
    ("{\u{A0}\u{A0}\"aps\":{\"alert\":\"x\",\u{2003}\"category\":\"c\"}}", "json_blank", 2),
    ("{\"aps\":{\"alert\":\"x\",\"category\":\"c\"}} # c", "json_comment", 38),
    ("# c\n{\"aps\":{\"alert\":\"x\",\"category\":\"c\"}}", "json_comment", 1),
  ])
  func whatIsPlainInSpiteOfItsFaultIsRead(_ json: String, _ code: String, _ column: Int) throws {
    let report = lint(json)
    #expect(report.told == ["error \(code)"])
    #expect(report.category == "c")
    let place = TextPlace(of: try #require(report.findings.first).offset, in: Array(json.utf8))
    #expect(place.column == column)
  }

  @Test func typographicMarksAreNamedWithTheRightOnes() throws {
    let words = try #require(lint(#"{“aps”:{}}"#).words("json_syntax"))
    #expect(words.contains("U+201C") && words.contains("straight quotation marks"))
  }

  @Test func keysOfOtherBytesAreOthers() {
    #expect(lint(beside: "\"caf\u{E9}\":1,\"cafe\u{301}\":2").told.isEmpty)
    #expect(lint(beside: "\"caf\u{E9}\":1,\"caf\u{E9}\":2").told == ["error json_duplicate_key"])
  }

  // MARK: encodings

  @Test(arguments: [
    ([0xFF], 0), ([0xC3, 0xA4, 0xFF], 2), ([0x0A, 0xE2, 0x82, 0xAC, 0xC3], 4), ([0xE2, 0x82], 0),
  ])
  func badUTF8IsPlacedWhereItIs(_ bytes: [UInt8], _ offset: Int) throws {
    let file = Array(#"{"aps":{"alert":"ä"#.utf8) + bytes
    let finding = try #require(PayloadLint().report(on: file).findings.first)
    #expect(finding.code == "json_encoding")
    #expect(finding.offset == file.count - bytes.count + offset)
  }

  @Test(arguments: [
    (String.Encoding.utf16, "UTF-16"), (.utf16LittleEndian, "UTF-16"), (.utf16BigEndian, "UTF-16"),
    (.utf32, "UTF-32"), (.utf32LittleEndian, "UTF-32"), (.utf32BigEndian, "UTF-32"),
  ])
  func otherEncodingsAreNamed(_ encoding: String.Encoding, _ name: String) throws {
    let bytes = Array(try #require(#"{"aps":{"alert":"x"}}"#.data(using: encoding)))
    let report = PayloadLint().report(on: bytes)
    #expect(report.told == ["error json_encoding"])
    #expect(try #require(report.words("json_encoding")).contains("the file is \(name);"))
  }

  // MARK: size

  @Test func escapesThatMakeItTooLargeAreTold() throws {
    let escaped = lint(aps: #""thread-id":"\#(String(repeating: #"\u0416"#, count: 1_000))""#)
    #expect(escaped.isValid)
    #expect(escaped.told == ["warning large_as_written"])
    #expect(lint(aps: #""thread-id":"\#(String(repeating: "Ж", count: 1_000))""#).told.isEmpty)
  }

  @Test func neitherBlanksNorTheSimulatorsBundleCount() throws {
    func push(_ escapes: Int) -> PayloadReport {
      let blanks = String(repeating: " \n", count: 3_000)
      let text = String(repeating: #"\u0416"#, count: escapes)
      return lint(
        #"{\#(blanks)"Simulator Target Bundle": "com.example.app", "aps": {"alert": "\#(text)", "mutable-content": 1}}"#
      )
    }
    // What is sent around the text: {"aps":{"alert":"","mutable-content":1}}
    let rest = 40
    let most = (PayloadLint.sizeLimit - rest) / 6
    #expect(push(most).told.isEmpty)
    #expect(try #require(push(most + 1).words("large_as_written")).contains("\(rest + 6 * (most + 1)) bytes"))
  }
}
