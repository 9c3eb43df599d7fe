import Payloads
import Testing

/// What is said of `aps.category`.
@Suite struct PayloadCategoryTests {
  @Test(arguments: [
    (String(repeating: "c", count: 129), "error category_too_long"),
    (String(repeating: "ä", count: 65), "error category_too_long"),
    ("a​b", "warning invisible_characters"), (" a", "warning surrounding_white_space"),
    (#"a\n"#, "warning surrounding_white_space"), ("аlpha", "warning mixed_scripts"),
    ("pоst", "warning mixed_scripts"), ("ΑLPHA", "warning mixed_scripts"),
  ])
  func whatDevicesCannotRecordOrPeopleSeeIsTold(_ name: String, _ told: String) {
    let report = lint(aps: #""category":"\#(name)""#)
    #expect(report.told == [told])
    #expect(report.isValid == !told.hasPrefix("error"))
  }

  @Test func aNullCharacterIsAnError() {
    let report = lint(aps: #""category":"a\u0000b""#)
    #expect(report.told == ["error category_null_character", "warning control_character"])
    #expect(!report.isValid)
  }

  @Test(arguments: [
    String(repeating: "c", count: 128), "Social Post", "пост", "α", "제목", "post_ä", "👩‍👧", "βeta",
  ])
  func othersAreNot(_ name: String) { #expect(lint(aps: #""category":"\#(name)""#).told.isEmpty) }

  @Test(arguments: [
    ("pots", "post"), ("pst", "post"), ("posts", "post"), ("Post", "post"), ("pоst", "post"),
    ("p-o-s-t", "post"),
    ("mesage", "message"), ("аlert", "alert"),
  ])
  func theNearestIsNamedFirst(_ name: String, _ near: String) throws {
    let report = lint(
      #"{"aps":{"alert":"x","mutable-content":1,"category":"\#(name)"}}"#,
      categories: ["alarm", "alert", "message", "post", "promo"])
    #expect(try #require(report.words("unknown_category")).contains("; is “\(near)” meant?"))
  }

  @Test func whereNoneIsNearAllAreNamed() throws {
    let json = #"{"aps":{"alert":"x","mutable-content":1,"category":"weather"}}"#
    let words = try #require(lint(json, categories: ["alarm", "post"]).words("unknown_category"))
    #expect(words.hasSuffix("register it, or use one that is: “alarm”, “post”"))
    #expect(lint(json, categories: []).words("unknown_category")?.hasSuffix("; register it") == true)
  }

  @Test func noneWithALongNameTakesLong() {
    let name = String(repeating: "c", count: 3_900)
    let categories = Set((0..<2_000).map { "category_of_a_rather_long_name_\($0)" })
    let json = #"{"aps":{"alert":"x","mutable-content":1,"category":"\#(name)"}}"#
    let time = ContinuousClock().measure {
      #expect(lint(json, categories: categories).codes.contains("unknown_category"))
    }
    #expect(time < .seconds(20))
  }
}
