package import EngagementEvents
package import EventStore

/// A small event: everything that a test does not care about has a value already.
package struct EventSample: Sendable {
  package var id: EventID
  package var notification: String
  package var device: String
  package var category: String
  package var occurredAt: Timestamp
  /// By the server's clock; nil for the moment it happened.
  package var receivedAt: Timestamp?
  /// By the device's clock; nil where the request did not tell.
  package var sentAt: Timestamp?
  /// Nil outside of an experiment.
  package var experiment: ExperimentAssignment?
  /// Nil where nobody told who reports.
  package var source: EventSource?
  package var detail: EngagementEvent.Detail

  /// 2026-11-02T12:00:00Z, a Monday.
  package static let noon = Timestamp(microseconds: 1_793_620_800_000_000)

  private init(
    _ number: UInt64?, _ unit: (notification: String, device: String), _ category: String, _ seconds: Double,
    _ detail: EngagementEvent.Detail
  ) {
    id = number.map { EventID(high: 0, low: $0) } ?? .makeRandom()
    notification = unit.notification
    device = unit.device
    self.category = category
    occurredAt = Self.noon.advanced(bySeconds: seconds)
    self.detail = detail
  }

  /// - Parameters:
  ///   - number: of the event's id; nil for a random one.
  ///   - unit: the notification and the device.
  ///   - seconds: after `noon`.
  package static func delivered(
    _ number: UInt64? = nil, of unit: (notification: String, device: String) = ("n1", "d1"),
    in category: String = "news", at seconds: Double = 0, showing attached: [MediaKind] = [],
    meaning intended: [MediaKind]? = nil, offering actions: [String] = [], customInterface: Bool = false,
    appVersion: String? = nil,
    level: InterruptionLevel? = nil
  ) throws -> EventSample {
    EventSample(
      number, unit, category, seconds,
      .delivered(
        try Delivery(
          attachments: attached.map { kind in try Attachment(kind: kind) }, intended: intended,
          customInterface: customInterface, actions: actions.map { try ActionID($0) },
          interruptionLevel: level, appVersion: appVersion)))
  }

  package static func expanded(
    _ number: UInt64? = nil, of unit: (notification: String, device: String) = ("n1", "d1"),
    in category: String = "news", at seconds: Double = 1
  ) -> EventSample {
    EventSample(number, unit, category, seconds, .expanded)
  }

  package static func action(
    _ name: String, _ number: UInt64? = nil,
    of unit: (notification: String, device: String) = ("n1", "d1"), in category: String = "news",
    at seconds: Double = 1, reply: String? = nil
  ) throws -> EventSample {
    let taken = ActionTaken(actionID: try ActionID(name), replyText: try reply.map { try ReplyText($0) })
    return EventSample(number, unit, category, seconds, .action(taken))
  }

  package static func opened(
    _ number: UInt64? = nil, of unit: (notification: String, device: String) = ("n1", "d1"),
    in category: String = "news", at seconds: Double = 1
  ) throws -> EventSample {
    try action(ActionID.defaultAction.text, number, of: unit, in: category, at: seconds)
  }

  /// The event as the contract has it.
  package func event() throws -> EngagementEvent {
    try EngagementEvent(
      id: id, notificationID: NotificationID(notification), deviceID: DeviceID(device),
      category: Category(category), occurredAt: EventTime(occurredAt), source: source,
      experiment: experiment,
      detail: detail)
  }

  /// The event as it goes into a store with the tests' secret.
  package func row(_ app: AppID) throws -> EventRow {
    EventRow(
      try event(), app: app, receivedAt: receivedAt ?? occurredAt, sentAt: sentAt, secret: .test)
  }

  /// The same event, received so many seconds after it happened.
  package func received(after seconds: Double) -> EventSample {
    var copy = self
    copy.receivedAt = occurredAt.advanced(bySeconds: seconds)
    return copy
  }
}

extension Timestamp {
  /// Exact to the microsecond where `seconds` is.
  package func advanced(bySeconds seconds: Double) -> Timestamp {
    Timestamp(microseconds: microseconds + Int64((seconds * 1_000_000).rounded()))
  }
}
