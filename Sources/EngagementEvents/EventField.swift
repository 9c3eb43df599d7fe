/// The fields of an event's JSON by their names, and where each may stand.
public enum EventField: String, Sendable, Hashable, CaseIterable {
  // Every event.
  case id, type, notificationId, deviceId, category, occurredAt, sequence, source, experiment
  // Deliveries.
  case attachments, intended, fallback, customInterface, actions
  case interruptionLevel, relevanceScore, threadId, appVersion, locale
  // Actions.
  case actionId, replyText

  /// The only type of event that has this field; nil if all have it.
  public var owner: EventType? {
    switch self {
    case .id, .type, .notificationId, .deviceId, .category, .occurredAt, .sequence, .source, .experiment: nil
    case .attachments, .intended, .fallback, .customInterface, .actions,
      .interruptionLevel, .relevanceScore, .threadId, .appVersion, .locale:
      .delivered
    case .actionId, .replyText: .action
    }
  }

  /// The fault of this field's absence.
  public var missing: EventFault {
    EventFault(
      field: rawValue, code: .missingField,
      message: owner.map { "\(rawValue) is missing; every event of type \($0.rawValue) needs it" }
        ?? "\(rawValue) is missing; every event needs it")
  }

  /// The fault of this field on an event of a type that does not have it.
  public func notAllowed(on type: EventType) -> EventFault {
    EventFault(
      field: rawValue, code: .fieldNotAllowed,
      message: "\(rawValue) does not belong on an event of type \(type.rawValue)"
        + (owner.map { ", only on \($0.rawValue)" } ?? "") + "; leave it out")
  }
}
