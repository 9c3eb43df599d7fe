public import EngagementEvents

/// Why the SDK could not do what it was asked to.
///
/// It repeats no reply, no device id and no key.
public struct EngagementError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public var code: Code
  /// What failed, where, and how to mend it, for people.
  public var message: String

  /// The kinds of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// A value breaks the event contract; nothing was recorded.
    case invalidEvent
    /// A payload has something that cannot be taken, and was treated as if it had not.
    case invalidPayload
    /// The server's address or the key cannot be used.
    case invalidConfiguration
    /// The App Group is not among the process's entitlements.
    case noContainer
    /// The disk did not take or give what it should.
    case storage
  }

  /// Makes an error of its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Takes over a fault of a value.
  public init(_ fault: EventFault) { self.init(.invalidEvent, fault.description) }

  /// The code and the message on one line.
  public var description: String { "\(code.rawValue): \(message)" }
}
