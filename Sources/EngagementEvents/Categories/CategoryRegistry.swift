/// What an app registers of its notifications' categories: the contents of one file, which the app, its extensions and
/// the server read alike.
///
/// Reading it is strict about what it knows and ignores other keys, so that an older app takes a newer file.
package struct CategoryRegistry: Sendable, Hashable {
  /// The locale whose titles reports show, such as `en`; nil if none is named.
  package let defaultLocale: String?
  /// What the store keeps of replies in categories that say nothing of it, and in those that are not registered.
  package let replyText: RegisteredCategory.ReplyTextKeeping
  /// In the file's order, no two of one identifier.
  package let categories: [RegisteredCategory]

  /// - Throws: for two categories of one identifier.
  package init(
    defaultLocale: String? = nil, replyText: RegisteredCategory.ReplyTextKeeping = .full,
    _ categories: [RegisteredCategory]
  ) throws(EventFault) {
    try RegistryFault.checkUnique(categories.map(\.category.text), what: "category")
    self.defaultLocale = defaultLocale
    self.replyText = replyText
    self.categories = categories
  }

  /// The category of this identifier, byte for byte; nil where it is not registered.
  package subscript(category: String) -> RegisteredCategory? {
    categories.first { $0.category.text.utf8.elementsEqual(category.utf8) }
  }

  /// A text as reports show it: in the default locale where it has that.
  package func shown(_ text: LocalizedText?) -> String? { text?.text(preferring: [], default: defaultLocale) }
}

/// A category, as `UNNotificationCategory` has it, and what pushlift has to know of it beside.
package struct RegisteredCategory: Sendable, Hashable {
  /// Never the empty one.
  package let category: Category
  /// A name for reports; iOS shows none.
  package var title: LocalizedText?
  /// In the order in which iOS shows them, no two of one identifier.
  package private(set) var actions: [RegisteredAction]
  package var options: Set<Option> = []
  package var intentIdentifiers: [String] = []
  package var hiddenPreviewsBodyPlaceholder: LocalizedText?
  package var categorySummaryFormat: LocalizedText?
  /// Whether a content extension draws the expanded view. Only then can an expansion be reported.
  package var hasContentExtension = false
  /// What the store keeps of replies; nil for what the registry says of all.
  package var replyText: ReplyTextKeeping?

  /// The names of the options that `UNNotificationCategoryOptions` has.
  package enum Option: String, Sendable, Hashable, CaseIterable, Codable {
    case customDismissAction, allowInCarPlay, hiddenPreviewsShowTitle, hiddenPreviewsShowSubtitle
  }

  /// Options that Apple had and that have no effect any more: a file may name them.
  package static let formerOptions: Set = ["allowAnnouncement"]

  /// What is kept of a reply beside that there was one: its text and length, its length, or neither.
  package enum ReplyTextKeeping: String, Sendable, Hashable, CaseIterable, Codable {
    case full, length, none
  }

  /// - Throws: for an empty identifier, or two actions of one.
  package init(_ category: Category, actions: [RegisteredAction] = []) throws(EventFault) {
    if category == .none {
      throw EventFault(
        field: "identifier", code: .empty, message: "the identifier of a category is empty; name it")
    }
    try RegistryFault.checkUnique(actions.map(\.id.text), what: "action")
    self.category = category
    self.actions = actions
  }

  /// Whether iOS tells the app of dismissals.
  package var reportsDismissal: Bool { options.contains(.customDismissAction) }
}

/// A button, as `UNNotificationAction` or `UNTextInputNotificationAction` has it.
package struct RegisteredAction: Sendable, Hashable {
  package let id: ActionID
  package let title: LocalizedText
  package var options: Set<Option> = []
  /// The name of an SF Symbol; nil for none.
  package var systemImageName: String?
  /// The name of an image in the app; nil for none.
  package var templateImageName: String?
  /// Nil for a plain button.
  package var textInput: TextInput?

  /// The names of the options that `UNNotificationActionOptions` has.
  package enum Option: String, Sendable, Hashable, CaseIterable, Codable {
    case authenticationRequired, destructive, foreground
  }

  /// What `UNTextInputNotificationAction` adds.
  package struct TextInput: Sendable, Hashable, Codable {
    package let buttonTitle: LocalizedText
    package var placeholder: LocalizedText?

    package init(buttonTitle: LocalizedText, placeholder: LocalizedText? = nil) {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }

  /// - Throws: for one of the system's identifiers.
  package init(_ id: ActionID, title: LocalizedText) throws(EventFault) {
    guard id.isCustom else {
      throw EventFault(
        field: "identifier", code: .unknownValue,
        message: "\(id) is the system's own action; choose another identifier")
    }
    self.id = id
    self.title = title
  }
}

private enum RegistryFault {
  /// Byte for byte, as the store compares.
  static func checkUnique(_ identifiers: [String], what: String) throws(EventFault) {
    var seen: Set<[UInt8]> = []
    for identifier in identifiers where !seen.insert(Array(identifier.utf8)).inserted {
      throw EventFault(
        field: "identifier", code: .duplicateKey,
        message: "the \(what) \(EventFault.quote(identifier)) stands twice; keep one")
    }
  }
}
