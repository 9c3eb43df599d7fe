/// Who reported an event.
public enum EventSource: String, Sendable, Hashable, CaseIterable {
  /// The notification service extension, which alone sees a delivery.
  case serviceExtension
  /// The notification content extension, which draws the expanded view.
  case contentExtension
  /// The app itself.
  case app
  /// The server that sent the notification.
  case provider

  /// Reads the contract's spelling.
  ///
  /// - Throws: `unknown_value`, naming the known ones.
  public init(_ text: String, field: String = "source") throws(EventFault) {
    guard let value = EventSource(rawValue: text) else {
      throw .unknownValue(text, of: field, known: EventSource.allCases.map(\.rawValue))
    }
    self = value
  }
}
