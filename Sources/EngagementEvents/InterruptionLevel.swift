/// How insistently a notification was shown.
public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable {
  /// Into the list, without light or sound.
  case passive
  /// The system's default.
  case active
  /// Through Focus; the raw value is APNs' spelling.
  case timeSensitive = "time-sensitive"
  /// Through everything.
  case critical

  /// Reads APNs' spelling, and UserNotifications' `timeSensitive`.
  ///
  /// - Throws: `unknown_value`, naming the known ones.
  public init(_ text: String, field: String = "interruptionLevel") throws(EventFault) {
    if text == "timeSensitive" {
      self = .timeSensitive
    } else if let value = InterruptionLevel(rawValue: text) {
      self = value
    } else {
      throw .unknownValue(text, of: field, known: InterruptionLevel.allCases.map(\.rawValue))
    }
  }
}
