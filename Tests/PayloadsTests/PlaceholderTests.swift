import Payloads
import Testing

@Suite struct PlaceholderTests {
  @Test(arguments: [
    "{{user1}}", "{{first_name}}", "{% if x %}", "<%= name %>", "%FIRST_NAME%", "*|FNAME|*", "${name}",
    "{name}",
    "{{${first_name} | default: 'you'}}", #"Optional(\"x\")"#, "[object Object]", "(null)", "{ user.name }",
    "%@",
    "CHANGE_ME", "YOUR_TOKEN", "%DATE%",
  ])
  func aPlaceholderIsFoundWithinATextAndAnAddress(_ placeholder: String) throws {
    for text in ["\(placeholder)", "Hello \(placeholder), hi", "100 % ä {\(placeholder)"] {
      let report = lint(aps: #""thread-id":"\#(text)""#)
      #expect(report.told == ["warning placeholder"], "\(text)")
      // As it is within JSON, in quotation marks.
      let plain = placeholder.replacing(#"\""#, with: "\"")
      #expect(try #require(report.words("placeholder")).contains(plain))
    }
    guard !placeholder.contains(" ") else { return }
    let url = lint(beside: #""media-url":"https://e.com/\#(placeholder).jpg""#)
    #expect(url.codes.contains("placeholder"))
  }

  @Test(arguments: ["<DEVICE_TOKEN>", "[TITLE]", "<YOUR BUNDLE ID>", "[FIRST_NAME]", "TODO"])
  func aTextThatIsAnExamplesWordIsOne(_ text: String) {
    #expect(lint(aps: #""thread-id":"\#(text)""#).told == ["warning placeholder"])
  }

  @Test(arguments: [
    "[BREAKING]", "[URGENT]", "<SALE>", "[BREAKING NEWS]", "50% OFF, 20% MORE", "100%SURE", "a {b", "{}",
    "{1, 2}",
    #"{\"id\":1}"#, "$5 {", "*|", "{{", "{{}}", "<3 %>",
    "Optional extras",
    "https://e.com/%E3%81%82%C3%BC.jpg", "YOUR-turn", "Your TODO list", "null", "{\\n}", "(nullified)",
  ])
  func aTitleIsNone(_ text: String) { #expect(lint(aps: #""thread-id":"\#(text)""#).told.isEmpty) }

  @Test func aTextOfNothingButOpeningsTakesNoLonger() {
    let text = String(repeating: "{{${<%*|Optional(%A", count: 20_000)
    let clock = ContinuousClock()
    let time = clock.measure { _ = lint(aps: #""thread-id":"\#(text)""#) }
    #expect(time < .seconds(20))
  }
}
