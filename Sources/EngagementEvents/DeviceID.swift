/// An opaque id of one installation of the app: what clustering and erasure go by.
///
/// It prints as a placeholder, so that it reaches no log by accident.
public struct DeviceID: Sendable, Hashable {
  private let exact: ExactText
  /// 1–256 bytes of UTF-8.
  public var text: String { exact.string }

  /// Checks an id.
  ///
  /// - Throws: `empty`, `too_long` or `null_character`.
  public init(_ text: String, field: String = "deviceId") throws(EventFault) {
    exact = try ExactText(text, field: field, bytes: EventLimits.deviceIDBytes)
  }
}

extension DeviceID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A placeholder without the id.
  public var description: String { "DeviceID(…)" }
  /// A placeholder without the id.
  public var debugDescription: String { description }
  /// A mirror without the id.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
