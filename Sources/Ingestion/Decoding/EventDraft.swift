import EngagementEvents

/// The fields of an event as they are found, before it is known whether they fit together.
struct EventDraft {
  var id: EventID?
  var type: EventType?
  var notificationID: NotificationID?
  var deviceID: DeviceID?
  var category = Category.none
  var occurredAt: EventTime?
  var sequence: Int64?
  var source: EventSource?
  var experiment: ExperimentAssignment?

  var attachments: [Attachment] = []
  var intended: [MediaKind]?
  var fallback: FallbackReason?
  var customInterface = false
  var actions: [ActionID] = []
  var interruptionLevel: InterruptionLevel?
  var relevanceScore: Double?
  var threadID: String?
  var appVersion: String?
  var locale: String?

  var actionID: ActionID?
  var replyText: ReplyText?

  /// The first field that only deliveries have, and the first that only actions have.
  private var ofDelivery: EventField?
  private var ofAction: EventField?

  /// Remembers that a field is there.
  mutating func note(_ field: EventField) {
    switch field.owner {
    case .delivered: ofDelivery = ofDelivery ?? field
    case .action: ofAction = ofAction ?? field
    default: break
    }
  }

  /// The event, if what is needed is there and what does not belong is not.
  consuming func event() throws(EventFault) -> EngagementEvent {
    guard let type else { throw EventField.type.missing }
    guard let notificationID else { throw EventField.notificationId.missing }
    guard let deviceID else { throw EventField.deviceId.missing }
    guard let occurredAt else { throw EventField.occurredAt.missing }
    // Last: where an id is made of the others, the one that is missing is at fault.
    guard let id else { throw EventField.id.missing }
    if type != .delivered, let ofDelivery { throw ofDelivery.notAllowed(on: type) }
    if type != .action, let ofAction { throw ofAction.notAllowed(on: type) }
    return try EngagementEvent(
      id: id, notificationID: notificationID, deviceID: deviceID, category: category, occurredAt: occurredAt,
      sequence: sequence, source: source, experiment: experiment, detail: detail(of: type))
  }

  private func detail(of type: EventType) throws(EventFault) -> EngagementEvent.Detail {
    switch type {
    case .delivered:
      return .delivered(
        try Delivery(
          attachments: attachments, intended: intended, fallback: fallback, customInterface: customInterface,
          actions: actions, interruptionLevel: interruptionLevel, relevanceScore: relevanceScore,
          threadID: threadID, appVersion: appVersion, locale: locale))
    case .expanded: return .expanded
    case .action:
      guard let actionID else { throw EventField.actionId.missing }
      return .action(ActionTaken(actionID: actionID, replyText: replyText))
    }
  }
}
