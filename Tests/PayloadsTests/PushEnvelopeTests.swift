import Payloads
import Testing

/// Requests to other services, and payloads that lie within something.
@Suite struct PushEnvelopeTests {
  @Test(arguments: ["payload", "notification", "userInfo", "data"])
  func apsOneLevelDownIsFound(_ key: String) throws {
    let report = lint(#"{"\#(key)":{"aps":{"alert":"x","badge":"1"}}}"#)
    #expect(report.told == ["error no_aps", "error type"])
    #expect(try #require(report.words("no_aps")).hasPrefix("aps lies under \(key), and not at the top"))
    #expect(report.extensionRuns == .notApplicable)
  }

  @Test func headersBesideThePayloadAreTold() {
    let report = lint(#"{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"x"}}}"#)
    #expect(report.told == ["warning header_in_body", "error no_aps"])
  }

  @Test func aListOfPayloadsIsOne() throws {
    let report = lint(#"[{"aps":{"alert":"x"}},{"aps":{"alert":"y"}}]"#)
    #expect(report.told == ["error not_an_object"])
    #expect(try #require(report.words("not_an_object")).hasSuffix("lint each of its payloads alone"))
    #expect(lint("[1]").words("not_an_object")?.hasSuffix("with an aps dictionary") == true)
  }

  @Test(arguments: [
    (#"{"message":{"topic":"t","notification":{"title":"x"}}}"#, "firebase"),
    (#"{"topic":"t","notification":{"title":"x"}}"#, "firebase"),
    (#"{"condition":"'a' in topics","data":{"a":"b"}}"#, "firebase"),
    (#"{"tokens":["a"],"notification":{"title":"x"}}"#, "firebase"),
    (#"{"token":"a","notification":{"title":"x"}}"#, "firebase"),
    (#"{"to":"a","notification":{"title":"x"}}"#, "firebase_legacy"),
    (#"{"app_id":"a","include_aliases":{"external_id":["a"]},"template_id":"t"}"#, "onesignal"),
    (#"{"app_id":"a","include_subscription_ids":["a"],"data":{"a":"b"}}"#, "onesignal"),
    (#"{"include_subscription_ids":["a"],"contents":{"en":"x"}}"#, "onesignal"),
    (#"{"app_id":"a","template_id":"t"}"#, "onesignal"),
    (#"{"TopicArn":"a","Message":"{}"}"#, "sns"), (#"{"Message":"{}","MessageStructure":"json"}"#, "sns"),
    (#"{"default":"x","APNS_VOIP":"{}"}"#, "sns"), (#"{"APNS_SANDBOX":"{}"}"#, "sns"),
    (#"{"to":"ExponentPushToken[x]","body":"x"}"#, "expo"),
    (#"[{"to":"ExponentPushToken[x]","body":"x"}]"#, "expo"),
    (#"{"audience":"all","notification":{"alert":"x"},"device_types":["ios"]}"#, "airship"),
    (#"[{"audience":"all","notification":{"alert":"x"}}]"#, "airship"),
    (#"{"campaign_id":"a","trigger_properties":{"a":"b"}}"#, "braze"),
    (#"{"messages":{"apple_push":{"alert":"x"}}}"#, "braze"),
    (#"{"interests":["a"],"apns":{"alert":"x"}}"#, "beams"),
    (#"{"users":["a"],"apns":{"alert":"x"}}"#, "beams"),
  ])
  func requestsToServicesAreNamed(_ json: String, _ service: String) {
    let report = lint(json)
    #expect(report.codes.contains("envelope_\(service)"), "\(report.codes)")
    #expect(report.extensionRuns == .notApplicable)
    #expect(!report.findings.contains { $0.remedy.contains("into an object named aps") })
  }

  @Test(arguments: [
    #"{"aps":{"alert":"x","mutable-content":1},"message":{"id":1}}"#,
    #"{"aps":{"alert":"x","mutable-content":1},"to":"me","data":{"topic":"t"}}"#,
  ])
  func aPayloadIsNoRequest(_ json: String) { #expect(lint(json).told.isEmpty) }

  @Test func anAppsOwnMessageIsNoRequest() {
    #expect(lint(#"{"message":{"text":"x"}}"#).told == ["error no_aps"])
  }

  @Test(arguments: [
    #"{"to":"a","notification":{"title":"x"},"mutable_content":true,"content_available":true}"#,
    #"{"app_id":"a","contents":{"en":"x"},"content_available":true,"mutable_content":true}"#,
    #"{"to":"ExponentPushToken[x]","body":"x","mutableContent":true}"#,
    #"{"tokens":["a"],"data":{"token":"a"},"mutableContent":true,"token":"a"}"#,
  ])
  func theirSpellingsAreRightInThem(_ json: String) {
    let codes = lint(json).codes
    #expect(!codes.contains("near_miss_key") && !codes.contains("secret_in_payload"), "\(codes)")
  }

  @Test func firebasesImageForIOSTakesThePlaceOfTheCommonOne() {
    func request(_ rest: String) -> PayloadReport {
      lint(
        #"{"message":{"topic":"t","notification":{"title":"x","image":"https://e.com/a.jpg"},\#(rest)}}"#)
    }
    let image = #""fcm_options":{"image":"https://e.com/b.jpg"}"#
    #expect(!request(#""apns":{\#(image)}"#).codes.contains("media_multiple"))
    #expect(request(#""data":{"image":"https://e.com/c.jpg"}"#).codes.contains("media_multiple"))
  }

  @Test func whatLiesInARequestIsHeldToApplesTypes() {
    let report = lint(
      #"{"message":{"token":"a","apns":{"payload":{"aps":{"mutable-content":true,"priority":"high","badge":"1"}}}}}"#
    )
    for code in ["flag_bool", "custom_key_in_aps", "type"] { #expect(report.codes.contains(code)) }
    #expect(!report.codes.contains("aps_without_effect"))
  }

  @Test(arguments: ["APS", "Aps", "aps ", "aps\u{200B}", "_aps"])
  func anotherSpellingOfApsIsNamed(_ key: String) throws {
    let report = lint(#"{"\#(key)":{"alert":"x"}}"#)
    #expect(report.told == ["error no_aps"])
    #expect(try #require(report.words("no_aps")).hasSuffix("write it as aps"))
    #expect(lint(beside: #""\#(key)":{"alert":"x"}"#).told == ["warning near_miss_key"])
  }
}
