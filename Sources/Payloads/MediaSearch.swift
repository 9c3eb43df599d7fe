/// Finds the media that a payload names, in the order of their places.
struct MediaSearch {
  struct Candidate {
    let path: [String]
    let offset: Int
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
  private let keys: MediaKeys

  private static let depthLimit = 8

  init(_ root: PayloadNode, _ keys: MediaKeys) {
    self.keys = keys
    visit(root, path: [], siblings: [])
  }

  private mutating func visit(_ node: PayloadNode, path: [String], siblings: [PayloadMember]) {
    guard path.count <= Self.depthLimit else { return }
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
    case .number, .bool:
      if keys.known(at: path) != nil { misfits.append((path, node)) }
    case .null: return
    }
  }

  /// Within `aps` only keys of somebody's own can name media.
  private static func isApple(_ path: [String], _ key: String) -> Bool {
    path == ["aps"] && APSKeys.all.contains(key) || path.isEmpty && key == "Simulator Target Bundle"
  }

  private mutating func note(_ text: String, _ offset: Int, _ path: [String], _ siblings: [PayloadMember]) {
    guard let key = path.last(where: { !$0.hasPrefix("[") }) else { return }
    let known = keys.known(at: path)
    let isURLOfMedia =
      MediaKeys.normalised(key) == "url" && path.dropLast().last.map(MediaKeys.isGeneric) == true
    guard known != nil || isURLOfMedia || MediaKeys.isGeneric(key) else { return }
    let hint = Self.hint(key, path, siblings)
    let keyKind = MediaKeys.kind(of: key) ?? path.dropLast().last.flatMap(MediaKeys.kind(of:))
    let url = MediaURL(text, hint: hint.flatMap { MediaURL.kind(named: $0.text) }, keyKind: keyKind)
    if known == nil, case .invalid? = url.fault, !Self.isPlainlyMeant(key, text) { return }
    candidates.append(Candidate(path: path, offset: offset, url: url, known: known, hint: hint))
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
    }.flatMap { member in member.node.string.map { ($0, member.node.offset) } }
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) + other : self
  }
}
