internal import EngagementEvents

/// The rules of a file of categories, one after the other.
struct CategoryChecks {
  var findings: [PayloadFinding] = []
  private(set) var categoryCount = 0
  private(set) var actionCount = 0
  private var categoryNames = Names()
  /// Of all categories: one button is spelt alike everywhere, or its figures fall apart.
  private var actionNames = Names()
  /// What each action is called where it stands first.
  private var actionTitles: [[UInt8]: String] = [:]
  /// Texts that differ by locale, with what they are.
  var localised: [(what: String, text: LocalizedText, offset: Int)] = []

  mutating func note(
    _ code: String, _ severity: PayloadFinding.Severity, at offset: Int, _ message: String, _ remedy: String
  ) {
    findings.append(PayloadFinding(code, severity, at: offset, message, remedy))
  }

  /// Names that have been used.
  private struct Names {
    private var spellings: Set<[UInt8]> = []
    /// The first of each skeleton, with other scripts' letters as the Latin ones that they look like.
    private var first: [String: String] = [:]

    /// - Returns: whether it was there before, and else one that looks like it.
    mutating func add(_ name: String) -> (isKnown: Bool, twin: String?) {
      guard spellings.insert(Array(name.utf8)).inserted else { return (true, nil) }
      let skeleton = Lookalikes.latin(name.skeleton)
      defer { first[skeleton] = first[skeleton] ?? name }
      return (false, first[skeleton])
    }
  }

  // MARK: the file

  mutating func check(root: PayloadNode) {
    let list: PayloadNode
    if root.elements != nil {
      list = root
    } else if root.members != nil {
      checkKeys(root, CategoryKeys.top, of: "the file")
      require(root["defaultLocale"], "defaultLocale", "a string") { $0.string != nil }
      checkReplyText(root["replyText"], of: "the file")
      guard let categories = root["categories"] else {
        return note(
          "no_categories", .error, at: root.offset, "there is no list of categories",
          "write them as {\"categories\": [{\"identifier\": \"social_post\"}]}")
      }
      list = categories
    } else {
      return note(
        "not_a_registry", .error, at: root.offset, "the file is \(root.typeName)",
        "write an object with a list of categories")
    }
    guard let elements = list.elements else {
      return note(
        "type", .error, at: list.offset, "categories is \(list.typeName), and has to be a list",
        "write it as [{\"identifier\": \"social_post\"}]")
    }
    if elements.isEmpty {
      note(
        "empty", .warning, at: list.offset, "no category is registered",
        "an app with such a file is taken as one without a registry")
    }
    categoryCount = elements.count
    for element in elements { check(category: element) }
    checkLocales(defaultLocale: root["defaultLocale"])
  }

  // MARK: a category

  private mutating func check(category node: PayloadNode) {
    guard node.members != nil else {
      return note(
        "type", .error, at: node.offset, "a category is \(node.typeName), and has to be an object",
        "write it as {\"identifier\": \"social_post\"}")
    }
    let name = checkIdentifier(node, of: "category")
    let shown = name.map { "category \(quoted($0))" } ?? "a category"
    checkKeys(node, CategoryKeys.category, of: shown)
    if let name { check(category: name, at: node["identifier"]) }
    checkText(node.member("title"), "title of \(shown)")
    checkText(
      node.member("hiddenPreviewsBodyPlaceholder"), "hiddenPreviewsBodyPlaceholder of \(shown)",
      mayBeEmpty: true)
    checkText(node.member("categorySummaryFormat"), "categorySummaryFormat of \(shown)", mayBeEmpty: true)
    _ = checkOptions(node["options"], CategoryKeys.categoryOptions, of: shown)
    require(node["intentIdentifiers"], "intentIdentifiers", "a list of strings") { node in
      node.elements?.allSatisfy { $0.string != nil } ?? false
    }
    require(node["contentExtension"], "contentExtension", "true or false") { node in
      if case .bool = node.value { true } else { false }
    }
    checkReplyText(node["replyText"], of: shown)
    checkActions(node["actions"], of: shown)
    if node["contentExtension"] == nil {
      note(
        "content_extension_not_told", .note, at: node.offset,
        "\(shown) does not tell whether a content extension draws it, so that its expansions are not measurable",
        "add \"contentExtension\": true or false")
    }
  }

  private mutating func checkReplyText(_ keeping: PayloadNode?, of owner: String) {
    guard let keeping, !CategoryKeys.replyText.contains(keeping.string ?? "") else { return }
    note(
      "value", .error, at: keeping.offset,
      "replyText of \(owner) is \(keeping.string.map(quoted) ?? keeping.typeName)",
      "write \(CategoryKeys.replyText.joined(separator: ", "))")
  }

  private mutating func checkActions(_ list: PayloadNode?, of category: String) {
    guard let list, !list.isNull else { return }
    guard let elements = list.elements else {
      return note(
        "type", .error, at: list.offset, "actions of \(category) is \(list.typeName), and has to be a list",
        "write it as [{\"identifier\": \"like\", \"title\": \"Like\"}]")
    }
    actionCount += elements.count
    var names = Names()
    for element in elements { check(action: element, of: category, &names) }
    if elements.count > CategoryKeys.mostActions {
      note(
        "too_many_actions", .warning, at: list.offset,
        "\(category) has \(elements.count) actions; iOS never shows more than \(CategoryKeys.mostActions)",
        "leave out those that matter least")
    } else if elements.count > CategoryKeys.bannerActions {
      note(
        "banner_actions", .note, at: list.offset,
        "\(category) has \(elements.count) actions; banners show the first \(CategoryKeys.bannerActions)",
        "put those first that matter most")
    }
  }

  // MARK: an action

  private mutating func check(action node: PayloadNode, of category: String, _ names: inout Names) {
    guard node.members != nil else {
      return note(
        "type", .error, at: node.offset,
        "an action of \(category) is \(node.typeName), and has to be an object",
        "write it as {\"identifier\": \"like\", \"title\": \"Like\"}")
    }
    let name = checkIdentifier(node, of: "action")
    let shown = (name.map { "action \(quoted($0))" } ?? "an action") + " of \(category)"
    checkKeys(node, CategoryKeys.action, of: shown)
    if let name {
      check(action: name, at: node["identifier"], &names)
      if ActionID.isSystems(name) {
        note(
          "reserved_identifier", .error, at: node["identifier"]?.offset ?? node.offset,
          "\(quoted(name)) is the system's own action", "choose another identifier")
      }
    }
    if node["title"]?.isNull ?? true {
      note(
        "missing_title", .error, at: node.offset, "\(shown) has no title, and iOS would show an empty button",
        "add \"title\": \"…\", or one for each locale")
    }
    checkText(node.member("title"), "title of \(shown)")
    if let name, let title = node["title"] { check(title: title, of: name) }
    let options = checkOptions(node["options"], CategoryKeys.actionOptions, of: shown)
    for key in ["systemImageName", "templateImageName"] {
      require(node[key], key, "a string") { $0.string?.isEmpty == false }
    }
    if let image = node.member("templateImageName"), node["systemImageName"] != nil {
      note(
        "two_images", .warning, at: image.keyOffset, "\(shown) has two images; the system's is taken",
        "keep one of them")
    }
    checkTextInput(node["textInput"], options, of: shown)
  }

  /// Reports have one title for an action, wherever it was tapped.
  private mutating func check(title: PayloadNode, of name: String) {
    guard
      let words = title.string
        ?? title.members?.map({ "\($0.key): \($0.node.string ?? "")" }).sorted().joined(separator: "\n")
    else { return }
    let key = Array(name.utf8)
    let first = actionTitles[key] ?? words
    actionTitles[key] = first
    guard !first.utf8.elementsEqual(words.utf8) else { return }
    note(
      "action_title_differs", .note, at: title.offset,
      "the action \(quoted(name)) has another title than before",
      "call it alike everywhere, or give it an identifier of its own: its figures are one button's")
  }

  // MARK: identifiers

  /// Checks what an identifier may be, and gives it; nil where there is none.
  private mutating func checkIdentifier(_ node: PayloadNode, of what: String) -> String? {
    guard let identifier = node["identifier"] else {
      note(
        "missing_identifier", .error, at: node.offset, "the \(what) has no identifier",
        "add \"identifier\": \"…\"")
      return nil
    }
    guard let name = identifier.string else {
      note(
        "type", .error, at: identifier.offset,
        "the identifier is \(identifier.typeName), and has to be a string",
        "write it as a string")
      return nil
    }
    if let fault = what == "category" ? Category.fault(of: name) : ActionID.fault(of: name) {
      note(
        "identifier_\(fault.code.rawValue)", .error, at: identifier.offset, fault.message,
        "the store takes no such identifier from devices either")
    } else if let warning = EventWarning(identifier: name, field: "the identifier") {
      note(
        warning.code.rawValue, .warning, at: identifier.offset, warning.message,
        "write it with characters that can be seen")
    } else if let scalar = Lookalikes.odd(in: name) {
      note(
        "mixed_scripts", .warning, at: identifier.offset,
        "\(PayloadParser.name(of: scalar)) only looks like a Latin letter in the identifier \(quoted(name))",
        "type the identifier anew")
    }
    return name
  }

  private mutating func check(category name: String, at node: PayloadNode?) {
    let found = categoryNames.add(name)
    check(found, name, at: node, "category", "keep one of them, and send that")
  }

  private mutating func check(action name: String, at node: PayloadNode?, _ names: inout Names) {
    let isKnownHere = names.add(name).isKnown
    let found = actionNames.add(name)
    check((isKnownHere, found.twin), name, at: node, "action", "spell it alike everywhere")
  }

  private mutating func check(
    _ found: (isKnown: Bool, twin: String?), _ name: String, at node: PayloadNode?, _ what: String,
    _ remedy: String
  ) {
    let offset = node?.offset ?? 0
    if found.isKnown {
      note(
        "duplicate_\(what)", .error, at: offset, "the \(what) \(quoted(name)) stands twice",
        "keep one of them")
    } else if let twin = found.twin {
      let names = "“\(EventFault.escape(twin))” and “\(EventFault.escape(name))”"
      note(
        "near_twin_\(what)", .warning, at: offset,
        twin.skeleton == name.skeleton
          ? "\(names) differ only in case, blanks, separators or what cannot be seen"
          : "\(names) look alike, but one has letters of another script", remedy)
    }
  }
}

extension Category {
  /// Why a category cannot have this identifier; nil where it can.
  fileprivate static func fault(of text: String) -> EventFault? {
    do throws(EventFault) {
      _ = try RegisteredCategory(Category(text, field: "the identifier"))
      return nil
    } catch { return error }
  }
}

extension ActionID {
  fileprivate static func fault(of text: String) -> EventFault? {
    do throws(EventFault) {
      _ = try ActionID(text, field: "the identifier")
      return nil
    } catch { return error }
  }

  fileprivate static func isSystems(_ text: String) -> Bool {
    (try? ActionID(text)).map { !$0.isCustom } ?? false
  }
}
