/// The identity of one notification: the APNs id or the request identifier.
///
/// iOS prints UUIDs in upper case and providers in lower case, so ids of the UUID's shape are folded to lower case; all
/// others stay as they came, and their case matters.
public struct NotificationID: Sendable, Hashable {
  private let exact: ExactText
  /// 1–256 bytes of UTF-8, folded.
  public var text: String { exact.string }

  /// Checks and folds an id.
  ///
  /// - Throws: `empty`, `too_long` or `null_character`.
  public init(_ text: String, field: String = "notificationId") throws(EventFault) {
    var folded = text
    if text.utf8.count == 36, text.withUTF8Span({ $0.contains(where: { $0 &- 65 <= 5 }) }),
      let uuid = text.withUTF8Span({ EventID(utf8: $0) })
    {
      folded = uuid.text
    }
    exact = try ExactText(folded, field: field, bytes: EventLimits.notificationIDBytes)
  }
}

extension NotificationID: CustomStringConvertible {
  /// The folded text.
  public var description: String { text }
}
