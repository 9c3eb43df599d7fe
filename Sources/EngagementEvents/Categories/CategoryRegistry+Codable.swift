// Codable asks for no Foundation: the app and the server each bring a decoder of JSON.

extension CategoryRegistry: Codable {
  private enum Key: String, CodingKey { case defaultLocale, replyText, categories }

  /// Reads an object with `categories`, or a bare list of them.
  package init(from decoder: any Decoder) throws {
    if let list = try? decoder.unkeyedContainer() {
      let categories = try [RegisteredCategory](from: decoder)
      self = try decoder.valid(list.codingPath) { () throws(EventFault) in try CategoryRegistry(categories) }
    } else {
      let container = try decoder.container(keyedBy: Key.self)
      let locale = try container.decodeIfPresent(String.self, forKey: .defaultLocale)
      let replyText = try container.decodeIfPresent(
        RegisteredCategory.ReplyTextKeeping.self, forKey: .replyText)
      let categories = try container.decode([RegisteredCategory].self, forKey: .categories)
      self = try decoder.valid { () throws(EventFault) in
        try CategoryRegistry(defaultLocale: locale, replyText: replyText ?? .full, categories)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(defaultLocale, forKey: .defaultLocale)
    try container.encode(replyText, forKey: .replyText)
    try container.encode(categories, forKey: .categories)
  }
}

extension RegisteredCategory: Codable {
  private enum Key: String, CodingKey {
    case identifier, title, actions, options, intentIdentifiers, hiddenPreviewsBodyPlaceholder
    case categorySummaryFormat, contentExtension, replyText
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let identifier = try container.decode(String.self, forKey: .identifier)
    let actions = try container.decodeIfPresent([RegisteredAction].self, forKey: .actions) ?? []
    self = try decoder.valid { () throws(EventFault) in
      try RegisteredCategory(Category(identifier, field: "identifier"), actions: actions)
    }
    title = try container.decodeIfPresent(LocalizedText.self, forKey: .title)
    let names = try container.decodeIfPresent([String].self, forKey: .options) ?? []
    options = Set(
      try names.filter { !Self.formerOptions.contains($0) }.map { name in
        guard let option = Option(rawValue: name) else {
          throw DecodingError.dataCorruptedError(
            forKey: .options, in: container, debugDescription: "no option is called \(name)")
        }
        return option
      })
    intentIdentifiers = try container.decodeIfPresent([String].self, forKey: .intentIdentifiers) ?? []
    hiddenPreviewsBodyPlaceholder = try container.decodeIfPresent(
      LocalizedText.self, forKey: .hiddenPreviewsBodyPlaceholder)
    categorySummaryFormat = try container.decodeIfPresent(LocalizedText.self, forKey: .categorySummaryFormat)
    hasContentExtension = try container.decodeIfPresent(Bool.self, forKey: .contentExtension) ?? false
    replyText = try container.decodeIfPresent(ReplyTextKeeping.self, forKey: .replyText)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(category.text, forKey: .identifier)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encode(actions, forKey: .actions)
    try container.encode(options.map(\.rawValue).sorted(), forKey: .options)
    try container.encode(intentIdentifiers, forKey: .intentIdentifiers)
    try container.encodeIfPresent(hiddenPreviewsBodyPlaceholder, forKey: .hiddenPreviewsBodyPlaceholder)
    try container.encodeIfPresent(categorySummaryFormat, forKey: .categorySummaryFormat)
    try container.encode(hasContentExtension, forKey: .contentExtension)
    try container.encodeIfPresent(replyText, forKey: .replyText)
  }
}

extension RegisteredAction: Codable {
  private enum Key: String, CodingKey {
    case identifier, title, options, systemImageName, templateImageName, textInput
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let identifier = try container.decode(String.self, forKey: .identifier)
    let title = try container.decode(LocalizedText.self, forKey: .title)
    self = try decoder.valid { () throws(EventFault) in
      try RegisteredAction(ActionID(identifier, field: "identifier"), title: title)
    }
    options = try container.decodeIfPresent(Set<Option>.self, forKey: .options) ?? []
    systemImageName = try container.decodeIfPresent(String.self, forKey: .systemImageName)
    templateImageName = try container.decodeIfPresent(String.self, forKey: .templateImageName)
    textInput = try container.decodeIfPresent(TextInput.self, forKey: .textInput)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id.text, forKey: .identifier)
    try container.encode(title, forKey: .title)
    try container.encode(options.map(\.rawValue).sorted(), forKey: .options)
    try container.encodeIfPresent(systemImageName, forKey: .systemImageName)
    try container.encodeIfPresent(templateImageName, forKey: .templateImageName)
    try container.encodeIfPresent(textInput, forKey: .textInput)
  }
}

extension LocalizedText: Codable {
  /// Reads a string, or an object of strings by locale.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .same(text)
    } else {
      self = .byLocale(try container.decode([String: String].self))
    }
    try decoder.valid { () throws(EventFault) in
      let texts: [String: String] =
        switch self {
        case .same(let text): ["": text]
        case .byLocale(let texts): texts
        }
      guard !texts.isEmpty else {
        throw EventFault(
          field: "", code: .empty, message: "a text has no locale; name one, or write a string")
      }
      for (locale, text) in texts {
        _ = try ExactText(locale, field: "locale", bytes: 0...64)
        _ = try ExactText(text, field: "text", bytes: 0...1_000)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .same(let text): try container.encode(text)
    case .byLocale(let texts): try container.encode(texts)
    }
  }
}

extension Decoder {
  /// Turns a fault of a value into what decoders throw.
  fileprivate func valid<Value>(
    _ path: [any CodingKey]? = nil, _ body: () throws(EventFault) -> Value
  ) throws -> Value {
    do { return try body() } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: path ?? codingPath, debugDescription: error.message))
    }
  }
}
