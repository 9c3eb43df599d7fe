internal import EngagementEvents

/// A call of a Segment-compatible client: the events of the mobile spec, and three more by the same pattern.
package enum SegmentCall {
  /// What a call is about.
  package enum Subject: Sendable, Hashable {
    case received, expanded, tapped, dismissed, replied
    /// Something that is not measured; what that is.
    case other(String)

    /// - Parameters:
    ///   - type: nil where the call has none.
    ///   - event: likewise.
    package init(type: String?, event: String?, at place: RecordPlace) {
      let call = type ?? SegmentCall.call(of: place) ?? "call without a type"
      guard call == "track" else {
        self = .other(call)
        return
      }
      self =
        switch event {
        case "Push Notification Received": .received
        case "Push Notification Expanded": .expanded
        case "Push Notification Tapped": .tapped
        case "Push Notification Dismissed": .dismissed
        case "Push Notification Replied": .replied
        // It reached nobody, which is what the contract has no event for.
        case "Push Notification Bounced": .other("bounced")
        default: .other("track")
        }
    }
  }

  static func translate(_ record: some ForeignNode, at place: RecordPlace) -> Translation {
    let properties = record.member("properties")
    var event: ForeignEvent
    switch Subject(type: record.member("type")?.told, event: record.member("event")?.text, at: place) {
    case .received: event = delivery(record, properties)
    case .expanded: event = ForeignEvent(.expanded)
    case .tapped: event = .action(action(properties))
    case .dismissed: event = .dismissal
    case .replied: event = reply(properties)
    case .other(let what): return .ignored(what)
    }
    event.identity = record.member("messageId")?.told.map { .ownID($0) }
    event.set(.deviceId, record.member("context", "device")?.member("id") ?? record.member("anonymousId"))
    event.set(.category, properties?.member("category"))
    event.set(.sequence, properties?.member("sequence"))
    event.set(.source, properties?.member("source"))
    event.set(.experiment, properties?.member("experiment"))
    event.occurredAt = time(of: record, at: place)
    addNotification(properties, to: &event)
    return .event(event)
  }

  private static func call(of place: RecordPlace) -> String? {
    if case .request(let call) = place { call } else { nil }
  }

  private static func delivery<Node: ForeignNode>(_ record: Node, _ properties: Node?) -> ForeignEvent {
    var event = ForeignEvent(.delivered)
    if let attachments = properties?.member("attachments") {
      event.set(.attachments, json: kinds(attachments))
    }
    event.set(.intended, properties?.member("intended"))
    event.set(.fallback, properties?.member("fallback"))
    event.set(.customInterface, properties?.member("customInterface"))
    event.set(.actions, properties?.member("actions"))
    event.set(.interruptionLevel, properties?.member("interruptionLevel"))
    event.set(.relevanceScore, properties?.member("relevanceScore"))
    event.set(.threadId, properties?.member("threadId"))
    event.set(.appVersion, record.member("context", "app")?.member("version"))
    event.set(.locale, record.member("context", "locale"))
    return event
  }

  /// Attachments as the contract has them; a bare text is a kind.
  private static func kinds(_ attachments: some ForeignNode) -> [UInt8] {
    var json: [UInt8] = []
    guard attachments.kind == .list else {
      attachments.appendJSON(to: &json)
      return json
    }
    json.append(UInt8(ascii: "["))
    for attachment in attachments.elements {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      let isKind = attachment.kind == .text
      if isKind { json.append(contentsOf: #"{"kind":"#.utf8) }
      attachment.appendJSON(to: &json)
      if isKind { json.append(UInt8(ascii: "}")) }
    }
    json.append(UInt8(ascii: "]"))
    return json
  }

  /// The spec's default is `Open`.
  private static func action(_ properties: (some ForeignNode)?) -> String {
    // Our own exports say exactly which it was.
    if let identifier = properties?.member("actionId")?.told { return identifier }
    return switch properties?.member("action")?.told {
    case nil, "Open", "open": ActionID.defaultAction.text
    case "Dismiss", "dismiss": ActionID.dismiss.text
    case let identifier?: identifier
    }
  }

  private static func reply(_ properties: (some ForeignNode)?) -> ForeignEvent {
    let identifier = (properties?.member("actionId") ?? properties?.member("action"))?.told
    guard let text = properties?.member("replyText") ?? properties?.member("reply_text") else {
      var event = ForeignEvent.reply(identifier, text: nil)
      event.setReplyLength(of: properties)
      return event
    }
    var event = ForeignEvent.action(identifier ?? "reply")
    event.set(.replyText, text)
    return event
  }

  /// The spec has a campaign only. Where the notification's own id is not added to it, all of a campaign on a device are one.
  private static func addNotification(_ properties: (some ForeignNode)?, to event: inout ForeignEvent) {
    let campaign = properties?.member("campaign")
    let id = campaign?.member("id")?.told
    let name = campaign?.kind == .text ? campaign?.told : campaign?.member("name")?.told
    event.campaignKeys = [id, name].compactMap(\.self)
    let own = properties?.member("notificationId") ?? properties?.member("notification_id")
    if let own {
      event.set(.notificationId, own)
    } else if let campaign = id ?? name {
      event.set(.notificationId, "campaign:" + campaign)
      event.note(.notification)
    }
  }

  /// The device's own time, as our own clients send it. In archives `timestamp` is that time corrected for the clock; it is
  /// taken where the two differ by more than what the contract takes for delay.
  ///
  /// A call's own `sentAt` is another at each attempt to send it, so that the event would not be the same again; in an archive
  /// it is what it is.
  private static func time(of record: some ForeignNode, at place: RecordPlace) -> ForeignTime? {
    let original = written(record.member("originalTimestamp"))
    let timestamp = written(record.member("timestamp"))
    guard case .file = place else { return (original ?? timestamp).map { .text($0) } }
    if let original, let timestamp,
      let one = try? Timestamp(rfc3339: original), let other = try? Timestamp(rfc3339: timestamp),
      abs(one.microseconds - other.microseconds) > delay
    {
      return .text(timestamp)
    }
    return (original ?? timestamp ?? record.member("sentAt")?.told).map { .text($0) }
  }

  /// What stands in the place of a time, for the contract's rules to name where it is none.
  private static func written(_ node: (some ForeignNode)?) -> String? {
    guard let node else { return nil }
    if node.kind == .text { return node.told }
    var json: [UInt8] = []
    node.appendJSON(to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  /// 55 minutes, as in the contract.
  private static let delay: Int64 = 55 * 60 * 1_000_000
}
