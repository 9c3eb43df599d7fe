import EventStore
import ForeignEvents
import TestSupport
import Testing

@testable import Ingestion

/// What the systems' documentation says of their records, beyond the common case.
@Suite(.database) struct ForeignShapeTests {
  private func airship(_ number: Int, deviceType: String) -> String {
    #"{"id":"20000000-0000-4000-8000-00000000001\#(number)","occurred":"2026-11-20T10:00:00Z","type":"SEND","#
      + #""device":{"device_type":"\#(deviceType)","channel":"ch-1"},"body":{"push_id":"p-\#(number)"}}"#
  }

  @Test func whatAirshipSendsOnOtherChannelsIsNoPush() throws {
    let bench = try ImportBench()
    let lines = ["IOS", "ANDROID", "EMAIL", "SMS", "OPEN", "EMAIL"].enumerated().map {
      airship($0, deviceType: $1)
    }
    let tally = try bench.run(lines.joined(separator: "\n"), .airship)
    #expect(tally.stored == 2)
    #expect(tally.ignored == ["SEND to EMAIL": 2, "SEND to SMS": 1, "SEND to OPEN": 1])
  }

  private func firebase(_ type: String, _ platform: String, device: String? = "i-1") -> String {
    #"{"event_timestamp":"2026-11-20 10:00:00 UTC","message_id":"\#(type)-\#(platform)","#
      + (device.map { #""instance_id":"\#($0)","# } ?? "")
      + #""message_type":"\#(type)","sdk_platform":"\#(platform)","event":"MESSAGE_ACCEPTED"}"#
  }

  @Test func ofFirebaseOnlyWhatCanBeSeenIsANotification() throws {
    let bench = try ImportBench()
    let lines = [
      firebase("DISPLAY_NOTIFICATION", "IOS"), firebase("DATA_MESSAGE", "IOS"),
      firebase("DATA_MESSAGE", "ANDROID"), firebase("TOPIC", "", device: nil),
    ]
    let tally = try bench.run(lines.joined(separator: "\n"), .firebase)
    #expect(tally.stored == 2)
    #expect(tally.ignored == ["DATA_MESSAGE": 1, "TOPIC": 1])
    #expect(tally.rejected == 0)
  }

  /// Of device and message its id is made, which the owner of the export cannot supply.
  @Test func ofFirebaseWhatARowLacksIsNamed() throws {
    let bench = try ImportBench()
    let tally = try bench.run(firebase("DISPLAY_NOTIFICATION", "IOS", device: nil), .firebase)
    #expect(tally.rejections.map(\.field) == ["deviceId"])
  }

  @Test(arguments: ["", #""replyText":null"#, #""replyText":"""#])
  func aReplyOfSegmentsIsOneWithoutItsText(_ properties: String) throws {
    let bench = try ImportBench()
    let call = ForeignFixture.segmentCall(1, "Replied", "2026-11-20T10:00:00Z", properties)
    #expect(try bench.run(call, .segment).kinds == [.replied: 1])
  }

  @Test(arguments: ["close", "CLOSE", "none"])
  func aButtonOfBrazesThatClosesIsADismissal(_ actionType: String) throws {
    let bench = try ImportBench()
    let tally = try bench.run(
      #"{"event_type":"users.messages.pushnotification.Open","id":"b-1","time":1795168900,"dispatch_id":"d","#
        + #""device_id":"x","button_string":"later","button_action_type":"\#(actionType)"}"#, .braze)
    #expect(tally.kinds == (actionType == "none" ? [.action: 1] : [.dismissed: 1]))
  }

  @Test func theVariationOfACanvasStepIsACampaign() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.foreign.campaigns = try Campaigns(
      ByteSource(name: "c", Array("campaign,category,media\nvar-1,journey,image\nstep-1,journey,\n".utf8)))
    _ = try bench.run(
      #"{"event_type":"users.messages.pushnotification.Send","id":"b-1","time":1795168900,"dispatch_id":"d","#
        + #""device_id":"x","canvas_step_id":"step-1","canvas_step_message_variation_id":"var-1"}"#, .braze,
      options)
    #expect(try bench.exported().contains(#""intended": ["image"]"#))
  }

  @Test(arguments: [
    (#"{"events":[{"event_type":"users.messages.pushnotification.Send"}]}"#, EventImport.Format.braze),
    (#"{"sentAt":"2026-11-20T10:00:00Z","batch":[{"type":"track"}]}"#, .segment),
  ])
  func aBodyAsItIsPostedIsNoRecord(_ body: String, _ format: EventImport.Format) throws {
    let bench = try ImportBench()
    let fault = try bench.fault("\n" + body, format)
    #expect(fault?.code == .format)
    #expect(fault?.message.contains("file, line 2") == true)
    #expect(fault?.message.contains(format == .braze ? "jq -c '.events[]'" : "jq -c '.batch[]'") == true)
  }
}
