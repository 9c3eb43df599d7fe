import Payloads
import Testing

/// What Apple's keys may hold, and where they may stand.
@Suite struct PayloadValuesTests {
  @Test(arguments: [
    (#""sound":{"critical":"1","name":5,"volume":7}"#, ["error type", "error type", "warning value"]),
    (#""sound":{"critical":1,"name":"a.caf","volume":0.5}"#, ["note critical_sound"]),
    (#""sound":{"Volume":1,"pitch":1}"#, ["warning near_miss_key", "warning custom_key_in_sound"]),
    (#""sound":{"critical":true,"volume":"1"}"#, ["warning flag_bool", "error type"]),
    (#""relevance-score":1.5"#, ["warning value"]), (#""relevance-score":-0.1"#, ["warning value"]),
    (#""relevance-score":1"#, []), (#""relevance-score":"1""#, ["error type"]),
    (#""badge":-1"#, ["error value"]), (#""badge":99999999999999999999"#, ["error value"]),
    (#""badge":0"#, []), (#""badge":1e400"#, ["error type"]), (#""badge":null"#, ["error type"]),
    (#""event":"stop""#, ["error value"]), (#""category":"""#, ["warning category_empty"]),
    (#""stale-date":1718003600000"#, ["warning value"]), (#""stale-date":1718003600"#, []),
    (#""title":"x""#, ["warning misplaced_key"]), (#""apns-priority":5"#, ["warning header_in_body"]),
    (#""priority":5"#, ["warning custom_key_in_aps"]),
  ])
  func valuesAreHeldToApplesBounds(_ members: String, _ told: [String]) {
    #expect(lint(aps: members).told == told)
  }

  @Test(arguments: [
    (#"{"subtitle-loc-key":6,"body":"x"}"#, ["note localised_alert", "error type"]),
    (#"{"body":"x","loc-args":["a"]}"#, ["warning loc_args_without_key", "note personal_data_in_loc_args"]),
    (
      #"{"body":"x","title-loc-args":[]}"#,
      ["warning loc_args_without_key", "note personal_data_in_loc_args"]
    ),
    (#"{"loc-key":"K","loc-args":["a"]}"#, ["note localised_alert", "note personal_data_in_loc_args"]),
    (#"{"body":"x","launch-image":1,"summary-arg-count":"1"}"#, ["error type", "error type"]),
    (#""""#, ["error aps_without_effect", "warning alert_empty", "warning mutable_without_alert"]),
    (#"" ""#, ["warning alert_blank"]), (#"{"title":" ","body":"\u200b"}"#, ["warning alert_blank"]),
    (#"{"title":" ","body":"x"}"#, []), (#"{"title":" ","loc-key":"K"}"#, ["note localised_alert"]),
  ])
  func alertsAreHeldToApplesTypes(_ alert: String, _ told: [String]) {
    #expect(Set(lint(#"{"aps":{"alert":\#(alert),"mutable-content":1}}"#).told) == Set(told))
  }

  @Test(arguments: [
    (#""event":"update","content-state":{},"timestamp":1"#, ["note live_activity"]),
    (#""event":"update","content-state":{}"#, ["note live_activity", "error live_without_timestamp"]),
    (#""event":"stop","content-state":{},"timestamp":1"#, ["note live_activity", "error value"]),
    (
      #""event":"end","timestamp":1,"dismissal-date":1718003600000"#, ["note live_activity", "warning value"]
    ),
    (#""event":"update","content-state":{},"timestamp":1,"relevance-score":80"#, ["note live_activity"]),
    (
      #""event":"start","content-state":{},"timestamp":1"#,
      ["note live_activity", "error live_start_incomplete", "error live_start_incomplete"]
    ),
    (#""content-state":{},"timestamp":1"#, ["error live_without_event"]),
  ])
  func liveActivitiesHaveWhatTheyNeed(_ members: String, _ told: [String]) {
    #expect(lint(aps: members).told == told)
  }

  // MARK: beside aps

  @Test(arguments: [#""category":"c""#, #""sound":"default""#, #""badge":1"#, #""thread-id":"t""#])
  func whatBelongsIntoApsIsTold(_ member: String) {
    #expect(lint(beside: member).told == ["warning misplaced_key"])
    #expect(lint(beside: #""data":{\#(member)}"#).told.isEmpty)
  }

  @Test(arguments: [#""category":{"id":5}"#, #""badge":"gold""#, #""sound":false"#, #""event":"x""#])
  func anAppsOwnKeyOfTheNameIsNot(_ member: String) { #expect(lint(beside: member).told.isEmpty) }

  @Test func aCopyOfWhatIsInApsIsNot() {
    let json = #"{"aps":{"alert":"x","mutable-content":1,"category":"c"},"category":"c"}"#
    #expect(lint(json).told.isEmpty)
  }

  @Test(arguments: [
    #""apns_priority":5"#, #""apns-push-type":"alert""#, #""apnsTopic":"t""#,
    #""headers":{"apns-topic":"t"}"#,
  ])
  func headersAreTold(_ member: String) { #expect(lint(beside: member).told == ["warning header_in_body"]) }

  @Test func theSimulatorsBundleIsAString() {
    #expect(lint(beside: #""Simulator Target Bundle":5"#).codes == ["type"])
    #expect(lint(beside: #""Simulator Target Bundle":"com.example.app""#).codes == [])
  }

  @Test func whatASenderDoesNotNeedIsSaidLast() {
    let report = lint(#"{"aps":{"alert":"x","badge":"1","mutable-content":1}}"#)
    #expect(report.codes == ["type", "no_target_bundle"])
  }

  @Test(arguments: [
    "token", "deviceToken", "access_token", "auth_token", "refreshToken", "jwt", "x-api-key", "fcm_token",
    "privateKey", "client_secret", "Authorization", "userPassword",
  ])
  func secretsAreTold(_ key: String) {
    #expect(lint(beside: #""data":{"\#(key)":"s"}"#).told == ["warning secret_in_payload"])
  }

  @Test(arguments: [
    #""token":5"#, #""token":"""#, #""tokens":"s""#, #""CIO-Delivery-Token":"s""#, #""keyboard":"s""#,
    #""secretary":"s""#,
  ])
  func whatIsNoneIsNot(_ member: String) { #expect(lint(beside: member).told.isEmpty) }
}
