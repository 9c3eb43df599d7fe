internal import EngagementEvents

/// What the values of keys may be.
extension CategoryChecks {
  mutating func checkKeys(_ node: PayloadNode, _ known: Set<String>, of what: String) {
    for member in node.members ?? [] where !known.contains(member.key) {
      if let meant = APSKeys.meant(by: member.key, among: known) {
        note(
          "near_miss_key", .warning, at: member.keyOffset, "\(quoted(member.key)) of \(what) is not \(meant)",
          "write it as \(meant)")
      } else {
        note(
          "unknown_key", .warning, at: member.keyOffset, "\(what) has the unknown key \(quoted(member.key))",
          "known are \(known.sorted().joined(separator: ", "))")
      }
    }
  }

  mutating func require(
    _ node: PayloadNode?, _ key: String, _ what: String, _ isRight: (PayloadNode) -> Bool
  ) {
    guard let node, !node.isNull, !isRight(node) else { return }
    note(
      "type", .error, at: node.offset, "\(key) is \(node.typeName), and has to be \(what)",
      "write it as \(what)")
  }

  /// The options that are named and known.
  mutating func checkOptions(_ list: PayloadNode?, _ known: [String], of what: String) -> [String] {
    guard let list, !list.isNull else { return [] }
    guard let elements = list.elements else {
      note(
        "type", .error, at: list.offset, "options of \(what) is \(list.typeName), and has to be a list",
        "write it as [\"\(known[0])\"]")
      return []
    }
    var options: [String] = []
    for element in elements {
      let option = element.string ?? ""
      if known == CategoryKeys.categoryOptions, RegisteredCategory.formerOptions.contains(option) {
        note(
          "former_option", .warning, at: element.offset, "the option \(option) has no effect any more",
          "leave it out")
      } else if !known.contains(option) {
        let name = element.string.map(quoted) ?? element.typeName
        let meant = APSKeys.meant(by: option, among: Set(known))
        note(
          "unknown_option", .error, at: element.offset, "\(name) is no option of \(what)",
          meant.map { "write it as \($0)" } ?? "known are \(known.joined(separator: ", "))")
      } else if options.contains(option) {
        note("duplicate_option", .warning, at: element.offset, "\(quoted(option)) stands twice", "keep one")
      } else {
        options.append(option)
      }
    }
    return options
  }

  mutating func checkTextInput(_ input: PayloadNode?, _ options: [String], of action: String) {
    guard let input, !input.isNull else { return }
    guard input.members != nil else {
      return note(
        "type", .error, at: input.offset,
        "textInput of \(action) is \(input.typeName), and has to be an object",
        "write {\"buttonTitle\": \"Send\"}")
    }
    if input["buttonTitle"]?.isNull ?? true {
      note(
        "missing_button_title", .error, at: input.offset, "textInput of \(action) has no buttonTitle",
        "add \"buttonTitle\": \"Send\", or one for each locale")
    }
    checkKeys(input, CategoryKeys.textInput, of: "textInput of \(action)")
    checkText(input.member("buttonTitle"), "buttonTitle of \(action)")
    checkText(input.member("placeholder"), "placeholder of \(action)", mayBeEmpty: true)
    if options.contains("foreground") {
      note(
        "text_input_foreground", .warning, at: input.offset,
        "\(action) takes a text and opens the app as well, which ends the expanded view",
        "leave foreground out, unless the app has to show what was written")
    }
  }

  /// A string, or an object of strings by locale.
  mutating func checkText(_ member: PayloadMember?, _ what: String, mayBeEmpty: Bool = false) {
    guard let member, !member.node.isNull else { return }
    let node = member.node
    if node.string != nil { return checkWords(node, what, mayBeEmpty) }
    guard let texts = node.members, texts.allSatisfy({ $0.node.string != nil }) else {
      return note(
        "type", .error, at: node.offset, "the \(what) is neither a string nor an object of strings by locale",
        "write \"Like\", or {\"en\": \"Like\", \"de\": \"Gefällt mir\"}")
    }
    guard !texts.isEmpty else {
      return note("empty_text", .error, at: node.offset, "the \(what) names no locale", "name one")
    }
    for text in texts {
      if !Self.isLocale(text.key) || text.key.utf8.count > 64 {
        note(
          "locale", text.key.utf8.count > 64 ? .error : .warning, at: text.keyOffset,
          "\(quoted(text.key)) is no locale", "write it as in en, pt-BR or zh-Hant")
      }
      checkWords(text.node, "\(what) in \(EventFault.escape(text.key))", mayBeEmpty)
    }
    let byLocale = Dictionary(texts.map { ($0.key, $0.node.string ?? "") }) { first, _ in first }
    localised.append((what, .byLocale(byLocale), node.offset))
  }

  /// A language of two or three letters, and parts of up to eight letters or digits behind it.
  private static func isLocale(_ text: String) -> Bool {
    let parts = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard let language = parts.first, (2...3).contains(language.count), language.allSatisfy({ $0 >= 0x41 })
    else {
      return false
    }
    return parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(PayloadParser.isAlphanumeric) }
  }

  private mutating func checkWords(_ node: PayloadNode, _ what: String, _ mayBeEmpty: Bool) {
    let text = node.string ?? ""
    if !mayBeEmpty, text.allSatisfy(\.isWhitespace) {
      note("empty_text", .warning, at: node.offset, "the \(what) is empty", "write what people shall read")
    }
    if text.utf8.count > 1_000 {
      note("text_too_long", .error, at: node.offset, "the \(what) has over 1,000 bytes", "shorten it")
    }
    if text.unicodeScalars.contains(where: { ("\u{202A}"..."\u{202E}").contains($0) }) {
      note(
        "bidi_control", .warning, at: node.offset, "the \(what) holds a mark that turns the text around",
        "remove it: the system orders scripts by itself")
    }
  }

  /// More than there are of languages in iOS are no locales.
  private static let mostLocales = 100

  /// Every text is there in every locale that the file knows, and the default locale is one of them.
  mutating func checkLocales(defaultLocale node: PayloadNode?) {
    let known = Set(localised.flatMap(\.text.locales)).sorted()
    guard let first = localised.first, known.count <= Self.mostLocales else { return }
    for entry in localised {
      let missing = known.filter { !entry.text.covers($0) }
      guard !missing.isEmpty else { continue }
      note(
        "missing_locale", .warning, at: entry.offset,
        "the \(entry.what) has none for \(missing.map(EventFault.escape).joined(separator: ", "))",
        "add it, or people who read it get another language")
    }
    if let name = node?.string, let place = node?.offset {
      guard !known.contains(name) else { return }
      note(
        "default_locale", .warning, at: place, "no text is in the default locale \(quoted(name))",
        "name one of \(known.map(EventFault.escape).joined(separator: ", "))")
    } else {
      note(
        "no_default_locale", .note, at: first.offset,
        "no defaultLocale is named, so that reports show \(EventFault.escape(known[0]))",
        "add \"defaultLocale\": \"\(EventFault.escape(known[0]))\"")
    }
  }
}
