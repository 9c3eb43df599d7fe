/// Reads what NSLog prints of a dictionary, an old-style property list: `{ aps = { alert = "Hi"; }; }`.
///
/// Such a dump is the commonest thing pasted in the place of JSON. It is refused, but its category and its media can be told.
struct PropertyListDump {
  private let characters: [Character]
  private let offsets: [Int]
  private var position: Int

  /// - Returns: nil where the text does not look like one.
  static func parse(_ bytes: [UInt8]) -> PayloadNode? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstIndex(of: "{"), beginsWithMember(text[start...].dropFirst()) else {
      return nil
    }
    var dump = PropertyListDump(text, from: text.distance(from: text.startIndex, to: start))
    return dump.value(depth: 0)
  }

  /// Whether a key, in quotation marks or of letters, and one equals sign come next.
  private static func beginsWithMember(_ text: Substring) -> Bool {
    var rest = text.drop(while: \.isWhitespace)
    if rest.first == "\"" {
      rest = rest.dropFirst().drop { $0 != "\"" && !$0.isNewline }
      guard rest.first == "\"" else { return false }
      rest = rest.dropFirst()
    } else {
      let key = rest.prefix { $0.isLetter || $0.isNumber || "_.$-".contains($0) }
      guard !key.isEmpty else { return false }
      rest = rest.dropFirst(key.count)
    }
    rest = rest.drop(while: \.isWhitespace)
    guard rest.first == "=" else { return false }
    rest = rest.dropFirst().drop(while: \.isWhitespace)
    return rest.first.map { $0 != "=" } ?? false
  }

  private init(_ text: String, from start: Int) {
    characters = Array(text)
    var offset = 0
    offsets = characters.map { character in
      defer { offset += character.utf8.count }
      return offset
    }
    position = start
  }

  private var character: Character? { position < characters.count ? characters[position] : nil }
  private var offset: Int { position < offsets.count ? offsets[position] : offsets.last ?? 0 }

  private mutating func skipBlanks() {
    while let character, character.isWhitespace { position += 1 }
  }

  private mutating func skip(_ expected: Character) -> Bool {
    skipBlanks()
    guard character == expected else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) -> PayloadNode? {
    skipBlanks()
    let start = offset
    guard depth <= PayloadParser.depthLimit, let character else { return nil }
    switch character {
    case "{": return PayloadNode(value: .object(members(depth: depth)), offset: start)
    case "(": return PayloadNode(value: .array(elements(depth: depth)), offset: start)
    default: return word().map { PayloadNode(value: .string($0), offset: start) }
    }
  }

  private mutating func members(depth: Int) -> [PayloadMember] {
    position += 1
    var members: [PayloadMember] = []
    while true {
      skipBlanks()
      if character == "}" || character == nil {
        position += 1
        return members
      }
      let start = offset
      guard let key = word(), skip("="), let node = value(depth: depth + 1) else { return members }
      members.append(PayloadMember(key: key, keyOffset: start, node: node))
      _ = skip(";")
    }
  }

  private mutating func elements(depth: Int) -> [PayloadNode] {
    position += 1
    var elements: [PayloadNode] = []
    while true {
      skipBlanks()
      if character == ")" || character == nil {
        position += 1
        return elements
      }
      guard let node = value(depth: depth + 1) else { return elements }
      elements.append(node)
      _ = skip(",")
    }
  }

  private mutating func word() -> String? {
    skipBlanks()
    guard let first = character else { return nil }
    var text = ""
    if first == "\"" {
      position += 1
      while let character, character != "\"" {
        if character == "\\" { position += 1 }
        if position < characters.count { text.append(characters[position]) }
        position += 1
      }
      position += 1
      return text
    }
    while let character, !character.isWhitespace, !"={}();,\"".contains(character) {
      text.append(character)
      position += 1
    }
    return text.isEmpty ? nil : text
  }
}
