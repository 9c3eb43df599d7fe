internal import EngagementEvents

/// An event of Braze's Currents: flat, as files in a bucket have it and tools turn them into JSON, or with `user` and
/// `properties`, as the HTTP connector posts it.
enum BrazeEvent {
  private static let prefix = "users.messages.pushnotification."

  static func translate(_ record: some ForeignNode, at place: RecordPlace) -> Translation {
    let type = told("event_type", of: record) ?? typeOfFile(place) ?? ""
    guard type.hasPrefix(prefix) else { return .ignored(type.isEmpty ? "no event_type" : type) }
    var event: ForeignEvent
    switch type.dropFirst(prefix.count) {
    // Braze handed it to Apple's service; whether it reached the device, Braze does not know.
    case "Send": event = .delivered(by: .provider, isOnlySent: true)
    case "IosForeground": event = .delivered(by: .app)
    case "Open": event = opening(record)
    default: return .ignored(type)
    }
    event.identity = told("id", of: record).map { .ownID($0) }
    event.set(.notificationId, told("dispatch_id", of: record) ?? told("send_id", of: record))
    event.set(.deviceId, told("device_id", of: record))
    if let seconds = told("time", of: record).flatMap({ Int64($0) }) { event.occurredAt = .seconds(seconds) }
    addCampaign(record, to: &event)
    return .event(event)
  }

  /// A button that closes the notification dismisses it; any other is an action of the app's own.
  private static func opening(_ record: some ForeignNode) -> ForeignEvent {
    guard let button = told("button_string", of: record) else { return .opening }
    return told("button_action_type", of: record)?.lowercased() == "close" ? .dismissal : .action(button)
  }

  private static func addCampaign(_ record: some ForeignNode, to event: inout ForeignEvent) {
    let campaign = told("campaign_id", of: record)
    if let variation = told("message_variation_id", of: record), let campaign {
      event.variant = ForeignEvent.Variant(experiment: campaign, arm: variation, campaignKey: variation)
    }
    event.campaignKeys = [
      told("canvas_step_message_variation_id", of: record), told("canvas_step_id", of: record), campaign,
      told("canvas_id", of: record),
    ].compactMap(\.self)
  }

  private static func told(_ name: StaticString, of record: some ForeignNode) -> String? {
    let value = record.member(name) ?? record.member("properties", name) ?? record.member("user", name)
    return value.flatMap { $0.kind == .object ? valueWithType($0) : $0.told }
  }

  /// Avro's tools write a value that may be null with its type: {"string": "…"}.
  private static func valueWithType(_ value: some ForeignNode) -> String? { value.members.first?.value.told }

  /// Buckets have folders such as `event_type=users.messages.pushnotification.Send`.
  private static func typeOfFile(_ place: RecordPlace) -> String? {
    guard case .file(let path) = place else { return nil }
    return path.split(separator: "/").last { $0.hasPrefix("event_type=") }.map {
      String($0.dropFirst("event_type=".count))
    }
  }
}
