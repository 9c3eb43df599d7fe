internal import EngagementEvents

/// An event of Airship's Real-Time Data Streaming.
enum AirshipEvent {
  static func translate<Node: ForeignNode>(_ record: Node) -> Translation {
    let type = record.member("type")?.told ?? ""
    let body = record.member("body")
    let device = record.member("device")
    var event: ForeignEvent
    let push: Node?
    switch type {
    case "SEND":
      if let other = otherChannel(device) { return .ignored("SEND to \(other)") }
      event = .delivered(by: .provider, isOnlySent: true)
      push = body
    case "OPEN":
      // Only a push that opened the app is its opening; others were merely there before.
      guard let triggering = body?.member("triggering_push") else { return .ignored("OPEN without a push") }
      event = .opening
      push = triggering
    default: return .ignored(type.isEmpty ? "no type" : type)
    }
    let pushID = push?.member("push_id")?.told
    let group = push?.member("group_id")?.told
    let variant = push?.member("variant_id")?.told
    event.identity = record.member("id")?.told.map { .ownID($0) }
    event.set(.notificationId, pushID)
    event.set(.deviceId, channel(of: device))
    event.occurredAt = record.member("occurred")?.told.map { .text($0) }
    if let variant, let experiment = group ?? pushID {
      event.variant = ForeignEvent.Variant(
        experiment: experiment, arm: variant, campaignKey: "\(experiment)/\(variant)")
    }
    event.campaignKeys = [pushID, group].compactMap(\.self)
    event.campaignKeys += push?.member("campaigns", "categories")?.elements.compactMap(\.told) ?? []
    event.set(.appVersion, device?.member("attributes", "app_version"))
    return .event(event)
  }

  /// What is no push: an e-mail, a text message, or what an app of its own delivers. Nil for everything else.
  private static func otherChannel(_ device: (some ForeignNode)?) -> String? {
    let type = device?.member("device_type")?.told
    return switch type {
    case "EMAIL", "SMS", "OPEN": type
    default: nil
    }
  }

  /// Streams of older versions have a name for each platform.
  private static func channel(of device: (some ForeignNode)?) -> String? {
    (device?.member("channel") ?? device?.member("ios_channel") ?? device?.member("android_channel")
      ?? device?.member("amazon_channel"))?.told
  }
}
