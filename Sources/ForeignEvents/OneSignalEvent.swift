internal import EngagementEvents

/// A record of OneSignal's Event Streams, whose body its owner writes: with the dotted names of their template
/// (`"event.kind"`), or nested (`"event": {"kind"}`).
enum OneSignalEvent {
  static func translate(_ record: some ForeignNode) -> Translation {
    func event(_ name: StaticString, dotted: StaticString) -> String? {
      (record.member(dotted) ?? record.member("event", name))?.told
    }
    func message(_ name: StaticString, dotted: StaticString) -> String? {
      (record.member(dotted) ?? record.member("message", name))?.told
    }

    let kind = event("kind", dotted: "event.kind") ?? ""
    var result: ForeignEvent
    switch kind {
    case "message.push.sent": result = .delivered(by: .provider, isOnlySent: true)
    // Confirmed Delivery comes from the service extension.
    case "message.push.received": result = .delivered(by: .serviceExtension)
    case "message.push.clicked": result = .opening
    default: return .ignored(kind.isEmpty ? "no event.kind" : kind)
    }
    let messageID = message("id", dotted: "message.id")
    result.identity = event("id", dotted: "event.id").map { .ownID($0) }
    result.set(.notificationId, messageID)
    result.set(.deviceId, event("subscription_id", dotted: "event.subscription_id"))
    if let text = event("datetime", dotted: "event.datetime") {
      result.occurredAt = .text(text)
    } else if let seconds = event("timestamp", dotted: "event.timestamp").flatMap({ Int64($0) }) {
      result.occurredAt = .seconds(seconds)
    }
    result.campaignKeys = [
      messageID, message("template_id", dotted: "message.template_id"),
      message("name", dotted: "message.name"),
    ].compactMap(\.self)
    return .event(result)
  }
}
