/// Something odd about an event that is accepted as it came.
///
/// An identifier with a zero-width space looks like another and is not; it is neither merged with it nor refused, but
/// somebody should hear of it.
public struct EventWarning: Sendable, Hashable {
  /// The path of the field, such as `category` or `actions[1]`.
  public let field: String
  /// The kind of oddity, for programs.
  public let code: Code
  /// The oddity in a sentence, for people; repeats nothing of the value but the code points meant, and of the app's registry
  /// at most the identifier that was meant.
  public let message: String

  /// The kinds of oddity.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Characters that cannot be seen, within or around the identifier.
    case invisibleCharacters = "invisible_characters"
    /// White space before or behind the identifier.
    case surroundingWhiteSpace = "surrounding_white_space"
    /// The app has a registry of categories, and this one is not in it.
    case unknownCategory = "unknown_category"
    /// The same, and one that looks like it is.
    case nearTwinCategory = "near_twin_category"
    /// The time of sending is none, so that the clock is not corrected by it.
    case invalidSentAt = "invalid_sent_at"
    /// The category is registered without this action.
    case unknownAction = "unknown_action"
    /// The same, and with one that looks like it.
    case nearTwinAction = "near_twin_action"
    /// An action of the app's own that looks like one of the system's two.
    case nearSystemAction = "near_system_action"
    /// A delivery tells why media was not attached, and not that any was meant.
    case fallbackWithoutIntended = "fallback_without_intended"
  }

  init(field: String, code: Code, message: String) {
    self.field = field
    self.code = code
    self.message = message
  }

  /// The warning that a body deserves whose time of sending breaks a rule.
  package static func invalidSentAt(_ fault: EventFault) -> EventWarning {
    EventWarning(
      field: fault.field, code: .invalidSentAt,
      message: fault.message + ". The events are taken without it: nothing corrects the device's clock")
  }

  /// The warning that an identifier deserves, or nil; surrounding white space comes before invisible characters.
  package init?(identifier: String, field: String) {
    guard !identifier.withUTF8Span({ $0.isVisibleASCII }) else { return nil }
    let scalars = identifier.unicodeScalars
    let code: Code
    let message: String
    if scalars.first?.properties.isWhitespace ?? false || scalars.last?.properties.isWhitespace ?? false {
      code = .surroundingWhiteSpace
      message = "\(field) begins or ends with white space; it is kept, and differs from a value without it"
    } else if let invisible = EventWarning.firstInvisible(in: scalars) {
      code = .invisibleCharacters
      message =
        "\(field) holds U+\(invisible.hexadecimal), which cannot be seen; it is kept, and differs from a value without it"
    } else {
      return nil
    }
    self.init(field: field, code: code, message: message)
  }

  /// The first scalar that cannot be seen, is no common blank and no part of an emoji.
  private static func firstInvisible(in scalars: String.UnicodeScalarView) -> Unicode.Scalar? {
    var previous: Unicode.Scalar?
    for scalar in scalars {
      let tiesEmoji = scalar.joinsEmoji && previous.map { $0.value > 0xFF } ?? false
      if scalar.isInvisible, scalar != " ", !tiesEmoji { return scalar }
      previous = scalar
    }
    return nil
  }
}

extension EventWarning {
  /// The warning that an action deserves which is taken for one of the system's.
  fileprivate init(twinOf system: ActionID, field: String) {
    let effect =
      field == "actionId" ? "; it counts as a button of the app's own, and so as an interaction" : ""
    self.init(
      field: field, code: .nearSystemAction,
      message:
        "\(field) is not the system's \(EventFault.quote(system.text)), from which it differs only in case, "
        + "blanks or what cannot be seen\(effect)")
  }

  fileprivate static let fallbackWithoutIntended = EventWarning(
    field: "fallback", code: .fallbackWithoutIntended,
    message:
      "fallback tells why media was not attached, and intended names none, so that this counts as a text-only "
      + "notification; send intended as well")
}

extension EngagementEvent {
  /// What is odd about the event, though it is one; almost always nothing.
  public var warnings: [EventWarning] {
    var warnings: [EventWarning] = []
    func check(_ identifier: String?, _ field: @autoclosure () -> String) {
      guard let identifier, !identifier.withUTF8Span({ $0.isVisibleASCII }) else { return }
      if let warning = EventWarning(identifier: identifier, field: field()) { warnings.append(warning) }
    }
    func check(_ action: ActionID, _ field: @autoclosure () -> String) {
      check(action.text, field())
      if let system = action.systemTwin { warnings.append(EventWarning(twinOf: system, field: field())) }
    }
    check(notificationID.text, "notificationId")
    check(deviceID.text, "deviceId")
    check(category.text, "category")
    check(experiment?.name, "experiment.name")
    check(experiment?.arm, "experiment.arm")
    switch detail {
    case .delivered(let delivery):
      for (position, action) in delivery.actions.enumerated() { check(action, "actions[\(position)]") }
      check(delivery.threadID, "threadId")
      check(delivery.appVersion, "appVersion")
      check(delivery.locale, "locale")
      if delivery.fallback != nil, !delivery.isRichAsIntended { warnings.append(.fallbackWithoutIntended) }
    case .expanded: break
    case .action(let action): check(action.actionID, "actionId")
    }
    return warnings
  }
}

extension Unicode.Scalar {
  /// Whether nothing is to be seen of this scalar: controls, white space and what Unicode lets a renderer ignore.
  package var isInvisible: Bool {
    if value < 0x7F { return value <= 0x20 }
    return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      || properties.generalCategory == .control || properties.generalCategory == .format
  }

  /// Whether this scalar ties emoji together: the joiner, the variation selectors and the tags.
  fileprivate var joinsEmoji: Bool {
    value == 0x200D || (0xFE00...0xFE0F).contains(value) || (0xE0020...0xE007F).contains(value)
  }

  fileprivate var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
