/// The three things that an app reports about a notification.
public enum EventType: String, Sendable, Hashable, CaseIterable {
  /// The notification reached the device.
  case delivered
  /// A person opened its expanded view.
  case expanded
  /// A person opened it, dismissed it, or used one of its buttons.
  case action

  /// Reads the contract's spelling.
  ///
  /// - Throws: `unknown_value`, naming the known ones.
  public init(_ text: String, field: String = "type") throws(EventFault) {
    guard let value = EventType(rawValue: text) else {
      throw .unknownValue(text, of: field, known: EventType.allCases.map(\.rawValue))
    }
    self = value
  }
}
