import EngagementEvents

/// The place of a value in an event, such as `attachments[0].kind`.
///
/// Below a field whose content is private only the field itself is named, and a foreign key is cut and escaped.
struct FieldPath: Equatable {
  private(set) var text = ""
  private var isPrivate = false

  mutating func append(key: String) {
    guard !isPrivate else { return }
    if !text.isEmpty { text += "." }
    text += EventFault.escape(key)
    isPrivate = PrivateName.matches(key)
  }

  mutating func append(position: Int) {
    guard !isPrivate else { return }
    text += "[\(position)]"
  }
}
