@testable import Ingestion

/// Records of another system in the shape that it documents, with values of our own.
struct ForeignFixture: Sendable, CustomStringConvertible {
  let format: EventImport.Format
  /// Sent, delivered where the system tells, opened where it does; one record that is not measured, and one broken line.
  let lines: [String]
  /// The events that they become: type, notification, device, action, in order.
  let events: [String]
  let malformedLine: Int

  var text: String { lines.joined(separator: "\n") + "\n" }
  var description: String { format.rawValue }

  static let all = [onesignal, braze, airship, firebase, segment]

  static let onesignal = ForeignFixture(
    format: .onesignal,
    lines: [
      oneSignal("message.push.sent", 1, "2026-11-20T10:00:00.000Z"),
      oneSignal("message.push.received", 2, "2026-11-20T10:00:01.250Z"),
      oneSignal("message.push.clicked", 3, "2026-11-20T10:05:00.000Z"),
      oneSignal("message.email.sent", 4, "2026-11-20T10:05:00.000Z"),
      #"{"event.kind":"message.push.clicked","event.id":"#,
      // Nested, with the time in seconds alone.
      #"{"event":{"kind":"message.push.sent","id":"10000000-0000-4000-8000-000000000005","timestamp":1795168800,"#
        + #""datetime":"","subscription_id":"sub-2"},"message":{"id":"msg-1","template_id":""}}"#,
    ],
    events: [
      "delivered msg-1 sub-1 provider", "delivered msg-1 sub-1 serviceExtension", "action msg-1 sub-1 open",
      "delivered msg-1 sub-2 provider",
    ], malformedLine: 5)

  private static func oneSignal(_ kind: String, _ number: Int, _ time: String) -> String {
    #"{"event.kind":"\#(kind)","event.id":"10000000-0000-4000-8000-00000000000\#(number)","event.timestamp":1,"#
      + #""event.datetime":"\#(time)","event.subscription_device_type":"iOS","event.subscription_id":"sub-1","#
      + #""event.external_id":"","event.data.failure_reason":"","message.id":"msg-1","message.name":"weekly","#
      + #""message.template_id":"tpl-1","message.title":"{'en':'Hello'}"}"#
  }

  static let braze = ForeignFixture(
    format: .braze,
    lines: [
      // As files in a bucket.
      #"{"event_type":"users.messages.pushnotification.Send","id":"b-1","user_id":"u","time":1795168800,"#
        + #""campaign_id":"c-1","message_variation_id":"v-1","dispatch_id":"d-9","send_id":"s","device_id":"dev-1","#
        + #""platform":"ios"}"#,
      // As the HTTP connector posts it.
      #"{"event_type":"users.messages.pushnotification.Open","id":"b-2","time":1795168900,"#
        + #""user":{"user_id":"u","device_id":"dev-1"},"properties":{"campaign_id":"c-1","#
        + #""message_variation_id":"v-1","dispatch_id":"d-9","button_string":"like","button_action_type":"uri"}}"#,
      // As Avro's tools write values that may be null.
      #"{"event_type":"users.messages.pushnotification.Open","id":"b-3","time":1795168901,"#
        + #""dispatch_id":{"string":"d-9"},"device_id":{"string":"dev-1"},"button_string":null}"#,
      #"{"event_type":"users.messages.email.Open","id":"b-4","time":1795168901}"#,
      #"{"event_type":"users.messages.pushnotification.IosForeground","id":"b-5","time":1795168802,"#
        + #""dispatch_id":"d-9","device_id":"dev-2"}"#,
      "not JSON",
      #"{"event_type":"users.messages.pushnotification.Open","id":"b-6","time":1795168902,"dispatch_id":"d-9","#
        + #""device_id":"dev-2","button_string":"later","button_action_type":"close"}"#,
    ],
    events: [
      "delivered d-9 dev-1 provider", "action d-9 dev-1 like", "action d-9 dev-1 open",
      "delivered d-9 dev-2 app",
      "action d-9 dev-2 dismiss",
    ], malformedLine: 6)

  static let airship = ForeignFixture(
    format: .airship,
    lines: [
      #"{"id":"20000000-0000-4000-8000-000000000001","offset":"1001","occurred":"2026-11-20T10:00:00.100Z","#
        + #""processed":"2026-11-20T10:00:02Z","type":"SEND","device":{"device_type":"IOS","channel":"ch-1","#
        + #""attributes":{"app_version":"7.1"}},"body":{"push_id":"p-1","group_id":"g-1","variant_id":2}}"#,
      #"{"id":"20000000-0000-4000-8000-000000000002","occurred":"2026-11-20T10:09:00Z","type":"OPEN","#
        + #""device":{"ios_channel":"ch-1"},"body":{"last_delivered":{"push_id":"p-0"},"#
        + #""triggering_push":{"push_id":"p-1","group_id":"g-1"},"session_id":"s"}}"#,
      #"{"id":"20000000-0000-4000-8000-000000000003","occurred":"2026-11-20T11:00:00Z","type":"OPEN","#
        + #""device":{"ios_channel":"ch-1"},"body":{"last_delivered":{"push_id":"p-1"}}}"#,
      "{\"id\":}",
    ],
    events: ["delivered p-1 ch-1 provider", "action p-1 ch-1 open"], malformedLine: 4)

  static let firebase = ForeignFixture(
    format: .firebase,
    lines: [
      #"{"event_timestamp":"2026-11-20 10:00:00.123456 UTC","project_number":"1","message_id":"m-1","#
        + #""instance_id":"i-1","message_type":"DISPLAY_NOTIFICATION","sdk_platform":"IOS","app_name":"x","#
        + #""priority":"10","event":"MESSAGE_ACCEPTED","analytics_label":"spring"}"#,
      #"{"event_timestamp":"2026-11-20 10:00:01 UTC","message_id":"m-1","instance_id":"i-1","#
        + #""sdk_platform":"IOS","event":"MESSAGE_DELIVERED","analytics_label":"spring"}"#,
      #"{"event_timestamp":"2026-11-20 10:00:01 UTC","message_id":"m-2","instance_id":"i-1","#
        + #""event":"INVALID_REGISTRATION"}"#,
      "{\"event_timestamp\":\"2026",
    ],
    events: ["delivered m-1 i-1 provider", "delivered m-1 i-1 serviceExtension"], malformedLine: 4)

  static let segment = ForeignFixture(
    format: .segment,
    lines: [
      segmentCall(
        1, "Received", "2026-11-20T10:00:00Z",
        #""category":"news","attachments":["image"],"campaign":{"name":"spring"}"#),
      segmentCall(2, "Tapped", "2026-11-20T10:01:00Z", #""category":"news","action":"Open""#),
      segmentCall(3, "Tapped", "2026-11-20T10:02:00Z", #""action":"like""#),
      segmentCall(4, "Expanded", "2026-11-20T10:03:00Z", ""),
      segmentCall(5, "Dismissed", "2026-11-20T10:04:00Z", ""),
      segmentCall(6, "Replied", "2026-11-20T10:05:00Z", #""replyText":"Lovely""#),
      segmentCall(7, "Bounced", "2026-11-20T10:06:00Z", ""),
      #"{"type":"identify","messageId":"x","anonymousId":"a-1","traits":{"email":"a@example.com"}}"#,
      "}",
    ],
    events: [
      "delivered n-1 a-1", "action n-1 a-1 open", "action n-1 a-1 like", "expanded n-1 a-1",
      "action n-1 a-1 dismiss", "action n-1 a-1 reply",
    ], malformedLine: 9)

  static func segmentCall(_ number: Int, _ event: String, _ time: String, _ properties: String) -> String {
    #"{"type":"track","event":"Push Notification \#(event)","messageId":"ajs-next-\#(number)","#
      + #""anonymousId":"a-1","originalTimestamp":"\#(time)","timestamp":"\#(time)","sentAt":"\#(time)","#
      + #""context":{"app":{"version":"3.0"},"locale":"de-DE","library":{"name":"x"}},"#
      + #""properties":{"notificationId":"n-1"\#(properties.isEmpty ? "" : "," + properties)}}"#
  }
}
