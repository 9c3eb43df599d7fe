import EngagementEvents
import Testing

@testable import Ingestion

@Suite struct EventRedactorTests {
  private func redact(_ json: String) -> (text: String, redactor: EventRedactor) {
    let redactor = EventRedactor(Array(json.utf8))
    return (String(decoding: redactor.redacted, as: UTF8.self), redactor)
  }

  @Test(arguments: [
    (
      #"{"id":"1","deviceId":"D","replyText":"secret","type":"x"}"#,
      #"{"id":"1","deviceId":null,"replyText":null,"type":"x"}"#
    ),
    (
      #"{ "replyText" : {"a":["secret",{"b":"D"}]} , "sequence" : NaN }"#,
      #"{ "replyText" : null , "sequence" : NaN }"#
    ),
    (#"{"reply\u0054ext":"secret","category":"a\ud83d"}"#, #"{"reply\u0054ext":null,"category":"a\ud83d"}"#),
    (
      #"{"meta":{"device_id":"D","x":[{"ReplyText":"secret"}]}}"#,
      #"{"meta":{"device_id":null,"x":[{"ReplyText":null}]}}"#
    ),
    (
      #"{"replyTxt":"secret","deviceIdd":"D","reply":"secret"}"#,
      #"{"replyTxt":null,"deviceIdd":null,"reply":null}"#
    ),
    (
      #"{"input":"secret","message":{"body":"secret"},"push_token":"D","Email":"D","x":{"firstName":"D"}}"#,
      #"{"input":null,"message":null,"push_token":null,"Email":null,"x":{"firstName":null}}"#
    ),
    (#"{"replyText":"secret \" } ,","replyText":"secret"}"#, #"{"replyText":null,"replyText":null}"#),
    (#"{"future":"kept"}"#, #"{"future":"kept"}"#),
    (#"[{"replyText":"secret"}]"#, #"[{"replyText":null}]"#),
  ])
  func privateValuesAreTakenOutWhereTheyAreClear(json: String, expected: String) {
    #expect(redact(json).text == expected)
  }

  @Test(arguments: [
    (#"{"id":"1","replyText":"secret"#, #"{"id":"1","#),
    (#"{"id":"1","replyText":"sec"ret","type":"x"}"#, #"{"id":"1","#),
    (#"{"id":"1","future":1,"replyText":"secret",}"#, #"{"id":"1","#),
    (#"{"category":"a"b","replyText":"secret"}"#, #"{"category":"a""#),
    (#"{"category":"a,"deviceId":"D"}"#, #"{"category":"a,""#),
    (#"{"id":"1","type":"x",}"#, #"{"id":"1","type":"x","#),
    (#"{"id":"1","replyText:secret":"type","x":1}"#, #"{"id":"1","#),
    (#"[1,"secret"]"#, "[1,"), (#"[secret","replyText":"x"}"#, "["),
    (#"{"id":secret,"type":"x"}"#, #"{"id":"#),
    (#"{"id":"1","sequence":7 secret}"#, #"{"id":"1","sequence":7 "#),
    (#""secret""#, ""), (#"secret"#, ""), ("", ""), (#"{"secret":"#, "{"),
  ])
  func nothingIsKeptFromWhereItIsUnclear(json: String, expected: String) {
    #expect(redact(json).text == expected)
  }

  @Test func theIDsAreReadWhereTheyCanBe() {
    let whole = redact(#"{"id":"1\u0041","deviceId":"D\n","meta":{"id":"2","deviceId":"E"}}"#).redactor
    #expect(whole.id == "1A" && whole.deviceID == "D\n")
    let cut = redact(#"{"id":"1","deviceId":"D","replyText":"secret"#).redactor
    #expect(cut.id == "1" && cut.deviceID == "D")
    let numbers = redact(#"{"id":1,"deviceId":2}"#).redactor
    #expect(numbers.id == nil && numbers.deviceID == nil)
  }

  @Test func depthIsNoObstacle() {
    let deep = String(repeating: "[", count: 200_000)
    let json = #"{"replyText":"secret","meta":"# + deep + String(repeating: "]", count: 200_000) + "}"
    #expect(redact(json).text.hasPrefix(#"{"replyText":null,"meta":[[["#))
    #expect(redact(#"{"replyText":"# + deep).text == "{")
  }

  @Test func faultsNameNothingBelowAPrivateField() throws {
    let fault = try EventFixture.fault(
      EventFixture.json("action", ["replyText": #"{"secret":{"x":"\u0000"}}"#]))
    #expect(fault.code == .nullCharacter)
    #expect(fault.field == "replyText")
    let other = try EventFixture.fault(EventFixture.json("action", ["reply_text": #"{"secret":NaN}"#]))
    #expect(other.field == "reply_text")
  }
}
