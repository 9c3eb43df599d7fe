/// The place of a value in an event, such as `attachments[0].kind`.
///
/// A fault shows it, so it holds nothing that could be somebody's text: below a private field only the field itself is
/// named, and a key that does not look like a name is shown as an ellipsis.
struct FieldPath: Equatable {
  private(set) var text = ""
  private var isPrivate = false

  /// What stands for a key that may be somebody's text.
  static let hidden = "…"

  mutating func append(key: String) {
    guard !isPrivate else { return }
    if !text.isEmpty { text += "." }
    text += FieldPath.isName(key) ? key : FieldPath.hidden
    isPrivate = PrivateName.matches(key)
  }

  mutating func append(position: Int) {
    guard !isPrivate else { return }
    text += "[\(position)]"
  }

  /// Whether a key looks like the name of a field rather than like text that strayed there.
  static func isName(_ key: String) -> Bool {
    key.utf8.count <= 64
      && key.utf8.allSatisfy { $0.isDigit || (97...122).contains($0 | 0x20) || "_-.$".utf8.contains($0) }
  }
}
