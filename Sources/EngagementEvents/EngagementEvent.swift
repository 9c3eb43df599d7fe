/// One thing that happened to one notification on one device.
///
/// A value of this type satisfies every rule of the event contract.
public struct EngagementEvent: Sendable, Hashable {
  /// The event's own identity, the same in every retry.
  public let id: EventID
  /// The notification.
  public let notificationID: NotificationID
  /// The installation.
  public let deviceID: DeviceID
  /// The notification's category; ``Category/none`` if it has none.
  public let category: Category
  /// When it happened, by the device's clock.
  public let occurredAt: EventTime
  /// The device's own counter, 0 or more, for order; nil if not told.
  public let sequence: Int64?
  /// Who reported it; nil if not told.
  public let source: EventSource?
  /// The experiment's arm; nil if the device takes part in none.
  public let experiment: ExperimentAssignment?
  /// What happened.
  public let detail: Detail

  /// What happened, with what only this type of event tells.
  public enum Detail: Sendable, Hashable {
    /// The notification reached the device.
    case delivered(Delivery)
    /// A person opened its expanded view.
    case expanded
    /// A person opened it, dismissed it, or used one of its buttons.
    case action(ActionTaken)
  }

  /// Makes an event of its parts.
  ///
  /// - Throws: `number_out_of_range` for a negative sequence; everything else is valid already.
  public init(
    id: EventID, notificationID: NotificationID, deviceID: DeviceID, category: Category = .none,
    occurredAt: EventTime, sequence: Int64? = nil, source: EventSource? = nil,
    experiment: ExperimentAssignment? = nil, detail: Detail
  ) throws(EventFault) {
    if let sequence, sequence < 0 {
      throw EventFault(
        field: "sequence", code: .numberOutOfRange, message: "sequence is \(sequence); send 0 or more")
    }
    self.id = id
    self.notificationID = notificationID
    self.deviceID = deviceID
    self.category = category
    self.occurredAt = occurredAt
    self.sequence = sequence
    self.source = source
    self.experiment = experiment
    self.detail = detail
  }

  /// The type of the detail.
  public var type: EventType {
    switch detail {
    case .delivered: .delivered
    case .expanded: .expanded
    case .action: .action
    }
  }
}
