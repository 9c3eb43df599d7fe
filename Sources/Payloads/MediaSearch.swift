/// Finds the media that a payload names, in the order of their places.
struct MediaSearch {
  struct Candidate {
    let path: [String]
    let offset: Int
    let text: String
    let url: MediaURL
    let known: MediaKeys.Known?
    /// What a field beside it says of its kind, and where.
    let hint: (text: String, offset: Int)?

    /// As it is printed: `os_data.att.id`, `media.url[0]`.
    var key: String {
      path.reduce("") { $1.hasPrefix("[") ? $0 + $1 : $0.isEmpty ? $1 : $0 + "." + $1 }
    }

    var isUsable: Bool { url.obstacle == nil && !(known?.requiresHTTPS == true && url.isPlainHTTP) }
  }

  private(set) var candidates: [Candidate] = []
  /// Keys for media whose value is no string, and what it is.
  private(set) var misfits: [(path: [String], node: PayloadNode)] = []
  /// Addresses of media files under keys that nobody is known to read.
  private(set) var strays: [Candidate] = []
  private let keys: MediaKeys

  init(_ root: PayloadNode, _ keys: MediaKeys) {
    self.keys = keys
    visit(root, path: [], siblings: [])
  }

  private mutating func visit(_ node: PayloadNode, path: [String], siblings: [PayloadMember]) {
    switch node.value {
    case .object(let members):
      for member in members where !Self.isApple(path, member.key) {
        visit(member.node, path: path + [member.key], siblings: members)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        visit(element, path: path + ["[\(index)]"], siblings: siblings)
      }
    case .string(let text): note(text, node.offset, path, siblings)
    case .number, .bool, .null:
      let isPlain = path.last.map { MediaKeys.isGeneric($0) && Self.isPlainlyMeant($0, "") } ?? false
      if isPlain || keys.known(at: path) != nil { misfits.append((path, node)) }
    case .unknown: return
    }
  }

  /// Within `aps` and its alert only keys of somebody's own can name media.
  private static func isApple(_ path: [String], _ key: String) -> Bool {
    switch path {
    case []: key == APSKeys.bundle
    case ["aps"]: key != "alert" && APSKeys.all.contains(key)
    case ["aps", "alert"]: APSKeys.alert.contains(key) || APSKeys.all.contains(key)
    default: false
    }
  }

  private mutating func note(_ text: String, _ offset: Int, _ path: [String], _ siblings: [PayloadMember]) {
    // An element of an array is called as the array is.
    let names = path.filter { !$0.hasPrefix("[") }
    guard let key = names.last else { return }
    let owner = names.dropLast().last { !MediaKeys.isAddress($0) }
    let known = keys.known(at: path)
    let isNamed =
      MediaKeys.isGeneric(key) || MediaKeys.isAddress(key) && owner.map(MediaKeys.isGeneric) == true
    guard known != nil || isNamed else { return noteStray(text, offset, path) }
    let hint = Self.hint(key, path, siblings)
    let keyKind = MediaKeys.kind(of: key) ?? owner.flatMap(MediaKeys.kind(of:))
    let url = MediaURL(text, hint: hint.flatMap { MediaURL.kind(named: $0.text) }, keyKind: keyKind)
    if known == nil, case .invalid? = url.fault, !Self.isPlainlyMeant(key, text) { return }
    candidates.append(Candidate(path: path, offset: offset, text: text, url: url, known: known, hint: hint))
  }

  private mutating func noteStray(_ text: String, _ offset: Int, _ path: [String]) {
    guard strays.isEmpty, text.hasPrefix("http") else { return }
    let url = MediaURL(text, hint: nil, keyKind: nil)
    guard url.obstacle == nil, !url.isRelative else { return }
    strays.append(Candidate(path: path, offset: offset, text: text, url: url, known: nil, hint: nil))
  }

  /// A text such as an icon's name under a generic key may well mean something else; one under `imageUrl` does not.
  private static func isPlainlyMeant(_ key: String, _ text: String) -> Bool {
    let word = MediaKeys.normalised(key)
    return word.hasSuffix("url") || word.hasSuffix("uri") || text.contains("://")
  }

  private static func hint(
    _ key: String, _ path: [String], _ siblings: [PayloadMember]
  ) -> (text: String, offset: Int)? {
    let word = MediaKeys.normalised(key)
    let stem = word.replacingSuffix("url", with: "").replacingSuffix("uri", with: "")
    let names: Set = [
      word + "type", stem + "type", "mediatype", "contenttype", "mimetype", "attachmenttype", "filetype",
      "attachmentfiletype",
    ]
    let isAttachment = path.count > 1
    return siblings.first {
      let name = MediaKeys.normalised($0.key)
      return names.contains(name) || (isAttachment && name == "type")
    }.flatMap { member in
      switch member.node.value {
      case .string(let text), .number(let text): (text, member.node.offset)
      case .bool(let isTrue): ("\(isTrue)", member.node.offset)
      default: nil
      }
    }
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) + other : self
  }
}
