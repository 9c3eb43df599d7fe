/// What a person typed into a notification's text field, byte for byte.
///
/// It prints as its length only, so that it reaches no log by accident.
public struct ReplyText: Sendable, Hashable {
  private let exact: ExactText
  /// 0–8,192 bytes of UTF-8.
  public var text: String { exact.string }
  /// The length in bytes of UTF-8.
  public var byteCount: Int { exact.string.utf8.count }

  /// Checks a reply; the empty one is valid.
  ///
  /// - Throws: `reply_too_large` or `null_character`; the message repeats nothing of the reply.
  public init(_ text: String, field: String = "replyText") throws(EventFault) {
    guard text.utf8.count <= EventLimits.replyTextBytes else {
      throw EventFault(
        field: field, code: .replyTooLarge,
        message: "\(field) has \(text.utf8.count) bytes of UTF-8; send at most \(EventLimits.replyTextBytes)")
    }
    exact = try ExactText(text, field: field, bytes: 0...EventLimits.replyTextBytes)
  }
}

extension ReplyText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The length without the text.
  public var description: String { "ReplyText(\(byteCount) bytes)" }
  /// The length without the text.
  public var debugDescription: String { description }
  /// A mirror without the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
