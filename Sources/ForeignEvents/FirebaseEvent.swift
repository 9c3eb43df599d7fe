internal import EngagementEvents

/// A row of Firebase Cloud Messaging's export to BigQuery (`data`), which has no openings.
enum FirebaseEvent {
  static func translate(_ record: some ForeignNode) -> Translation {
    let name = record.member("event")?.told ?? ""
    let isIOS = record.member("sdk_platform")?.told == "IOS"
    switch record.member("message_type")?.told {
    // The message that goes to each of a topic's devices has a row of its own.
    case "TOPIC": return .ignored("TOPIC")
    // On iOS it is silent; on Android the app may well show it.
    case "DATA_MESSAGE" where isIOS: return .ignored("DATA_MESSAGE")
    default: break
    }
    var event: ForeignEvent
    switch name {
    case "MESSAGE_ACCEPTED": event = .delivered(by: .provider, isOnlySent: true)
    // On iOS the service extension reports it, on Android the app.
    case "MESSAGE_DELIVERED": event = .delivered(by: isIOS ? .serviceExtension : .app)
    default: return .ignored(name.isEmpty ? "no event" : name)
    }
    let message = record.member("message_id")?.told
    let instance = record.member("instance_id")?.told
    if let message, let instance { event.identity = .parts([message, instance, name]) }
    event.set(.notificationId, message)
    event.set(.deviceId, instance)
    event.occurredAt = record.member("event_timestamp")?.told.map { .text($0) }
    event.campaignKeys = [
      message, record.member("bulk_id")?.told, record.member("analytics_label")?.told,
      record.member("topic")?.told,
    ].compactMap(\.self)
    return .event(event)
  }
}
