/// The identifier of what a person did with a notification: a button of the app's own, or one of the system's two.
public struct ActionID: Sendable, Hashable {
  private let exact: ExactText
  /// 1–256 bytes of UTF-8.
  public var text: String { exact.string }

  /// Opening the notification: `UNNotificationDefaultActionIdentifier`.
  public static let defaultAction = ActionID(known: "com.apple.UNNotificationDefaultActionIdentifier")
  /// Dismissing it: `UNNotificationDismissActionIdentifier`.
  public static let dismiss = ActionID(known: "com.apple.UNNotificationDismissActionIdentifier")

  /// Checks an identifier.
  ///
  /// - Throws: `empty`, `too_long` or `null_character`.
  public init(_ text: String, field: @autoclosure () -> String = "actionId") throws(EventFault) {
    exact = try ExactText(text, field: field(), bytes: EventLimits.actionIDBytes)
  }

  private init(known text: String) {
    do { try self.init(text) } catch { preconditionFailure("the system's identifiers are valid: \(error)") }
  }

  /// Whether the notification was opened.
  public var isDefault: Bool { self == .defaultAction }
  /// Whether the notification was dismissed, which is no interaction.
  public var isDismissal: Bool { self == .dismiss }
  /// Whether this is an action of the app's own.
  public var isCustom: Bool { !isDefault && !isDismissal }
}

extension ActionID {
  /// The one of the system's two that this one would be taken for, and is not; nil for nearly all.
  package var systemTwin: ActionID? {
    // The skeleton is made for those alone that are long enough to be one.
    guard isCustom, text.utf8.count >= Self.shortestTwin else { return nil }
    return Self.systemTwins[text.skeleton]
  }

  private static let systemTwins = Dictionary(
    uniqueKeysWithValues: [defaultAction, dismiss].map { ($0.text.skeleton, $0) })
  private static let shortestTwin = systemTwins.keys.map(\.utf8.count).min() ?? 0
}

extension ActionID: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
