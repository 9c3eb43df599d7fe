import Payloads
import Testing

/// What is pasted in the place of a payload.
@Suite struct PastedTextTests {
  @Test(arguments: [
    // print(userInfo)
    """
    [AnyHashable("aps"): {
        alert = "Hello";
        category = "X";
        "mutable-content" = 1;
    }, AnyHashable("imageUrl"): https://e.com/a.jpg]
    """,
    """
    [AnyHashable("imageUrl"): https://e.com/a.jpg, AnyHashable("note"): one, two, AnyHashable("aps"): {
        category = X;
    }]
    """,
    #"userInfo: Optional([AnyHashable("aps"): ["category": "X"], AnyHashable("imageUrl"): "https://e.com/a.jpg"])"#,
    #"["aps": ["alert": "Hello", "category": "X"], "imageUrl": Optional("https://e.com/a.jpg")]"#,
  ])
  func whatSwiftPrintsIsReadAndNamed(_ text: String) throws {
    let report = lint(text)
    #expect(report.told == ["error not_json_dump"])
    #expect(try #require(report.words("not_json_dump")).contains("as Swift prints it"))
    #expect(report.category == "X")
    #expect(report.mediaKey == "imageUrl")
    #expect(report.mediaKinds == [.image])
  }

  @Test func nsLogsEscapesAreRead() throws {
    let report = lint(
      #"{ aps = { category = "K\U00e4se\n\"\Ud83c\Udf89\""; }; images = ("https://e.com/a.jpg"); }"#)
    #expect(try #require(report.words("not_json_dump")).contains("NSLog"))
    #expect(report.category == "Käse\n\"🎉\"")
    #expect(report.mediaKey == "images[0]")
  }

  @Test(arguments: [
    (#"{"aps"=>{"alert"=>"x", "category"=>"X"}, "image"=>"https://e.com/a.jpg"}"#, "Ruby"),
    (#"{:aps => {:category => "X"}, :image => "https://e.com/a.jpg"}"#, "Ruby"),
    ("got {aps={alert={title=Hi, body=There}, category=X}, image=https://e.com/a.jpg}", "Java"),
    ("{ aps = { category = X; }; image = \"https://e.com/a.jpg\"; }", "NSLog"),
    ("{aps={category=X;};image=\"https://e.com/a.jpg\";}", "NSLog"),
    (#"$payload = ['aps' => ['category' => 'X'], 'image' => 'https://e.com/a.jpg'];"#, "PHP"),
  ])
  func otherLanguagesAreNamed(_ text: String, _ language: String) throws {
    let report = lint(text)
    #expect(report.told == ["error not_json_dump"])
    #expect(try #require(report.words("not_json_dump")).contains(language))
    #expect(report.category == "X")
    #expect(report.mediaKey == "image")
  }

  @Test(arguments: [
    ("curl -d '§' https://api.push.apple.com", "curl -d '"),
    ("xcrun simctl push booted com.example.app - <<< '§'", "xcrun simctl push booted com.example.app…"),
    ("```json\n§\n```\n", "```json"),
    ("2026-12-01 12:00:00 App[1:2] [push: a=b] got §", "2026-12-01 12:00:00 App[1:2] [push: a=b]…"),
    ("[Push]: {x=1} §", "[Push]: {x=1}"), ("12 §", "12"),
  ])
  func aPayloadWithTextAroundItIsRead(_ text: String, _ before: String) throws {
    let payload = #"{"aps":{"alert":"x","badge":"1","category":"X"},"image":"https://e.com/a.jpg"}"#
    let file = text.replacing("§", with: payload)
    let report = lint(file)
    #expect(report.told == ["error text_around", "error type"])
    #expect(try #require(report.words("text_around")).contains("“\(before)” stands before the payload"))
    #expect(report.category == "X")
    #expect(report.mediaKey == "image")
    let type = try #require(report.findings.first { $0.code == "type" })
    #expect(Array(file.utf8)[type.offset...].starts(with: "\"1\"".utf8))
  }

  @Test func whereNothingIsPlainTheTextBeforeIsTold() throws {
    let report = lint(#"curl -d "{\"aps\":{\"alert\":\"x\"}}" https://e.com"#)
    #expect(report.told == ["error text_around"])
    #expect(
      try #require(report.words("text_around")).contains(#"“curl -d "” stands before the first bracket"#))
  }

  @Test func aPayloadWithinAStringIsToldHowToGetItOut() throws {
    let within = lint(#""{\"aps\":{\"alert\":\"x\"}}""#)
    #expect(within.told == ["error not_an_object"])
    #expect(try #require(within.words("not_an_object")).contains("out of its quotation marks"))
    let cut = lint(#"{\"aps\":{\"alert\":\"x\"}}"#)
    #expect(cut.told == ["error json_syntax"])
    #expect(try #require(cut.words("json_syntax")).contains("backslashes"))
  }

  @Test(arguments: [
    (#"{"aps"={"alert":"x"}}"#, "json_syntax"), ("hello", "json_syntax"),
    (#""{\"aps\":{}}""#, "not_an_object"), ("[1, 2]", "not_an_object"),
    (#"{"aps": {"alert": "x"} "b": {"aps": {}}}"#, "json_syntax"),
    (#"[{"aps": {}} {"aps": {}}]"#, "json_syntax"),
    (#"{"aps":{}} {"aps":{}}"#, "json_extra_data"),
  ])
  func brokenJSONIsNoText(_ text: String, _ code: String) {
    let report = lint(text)
    #expect(report.codes.contains(code), "\(report.codes)")
    #expect(!report.codes.contains("text_around"))
  }
}
