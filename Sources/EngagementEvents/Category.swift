/// The category of a notification, `aps.category`; its case matters.
public struct Category: Sendable, Hashable {
  private let exact: ExactText
  /// 0–128 bytes of UTF-8.
  public var text: String { exact.string }

  /// No category: the empty text, which is also what an absent field means.
  public static let none: Category = {
    do { return try Category("") } catch { preconditionFailure("the empty category is valid: \(error)") }
  }()

  /// Checks a category.
  ///
  /// - Throws: `too_long` or `null_character`.
  public init(_ text: String, field: String = "category") throws(EventFault) {
    exact = try ExactText(text, field: field, bytes: EventLimits.categoryBytes)
  }
}

extension Category: CustomStringConvertible {
  /// The text; nothing for none.
  public var description: String { text }
}
