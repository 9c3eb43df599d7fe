/// Reads what programs print of a dictionary, such as NSLog's `{ aps = { alert = "Hi"; }; }`.
///
/// Such a dump is the commonest thing pasted in the place of JSON. It is refused, but its category and its media can be told.
struct DictionaryDump {
  enum Language {
    /// An old-style property list: `{ aps = { alert = "Hi"; }; }`.
    case nsLog
    /// `[AnyHashable("aps"): …]`, with NSLog's within it, or `["aps": …]`.
    case swift
    /// `{aps={alert=Hi}}`.
    case java
    /// `{"aps"=>{"alert"=>"Hi"}}`.
    case ruby
    /// `['aps' => ['alert' => 'Hi']]`.
    case php
  }

  private let characters: [Character]
  private let offsets: [Int]
  private var position = 0

  /// - Parameter start: of the opening bracket, in bytes.
  /// - Returns: nil where no dump begins there.
  static func parse(_ bytes: [UInt8], from start: Int) -> (language: Language, node: PayloadNode)? {
    guard bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else { return nil }
    // The first member tells; most brackets of a text are none.
    var head = DictionaryDump(bytes[start...].prefix(1_000))
    guard let language = head.language() else { return nil }
    var dump = DictionaryDump(bytes[start...])
    return dump.value(depth: 0).map { (language, $0) }
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    characters = Array(String(decoding: bytes, as: UTF8.self))
    var offset = bytes.startIndex
    offsets = characters.map { character in
      defer { offset += character.utf8.count }
      // What is no UTF-8 has become longer.
      return min(offset, bytes.endIndex)
    }
  }

  /// By the bracket, and what stands behind the first key.
  private mutating func language() -> Language? {
    let opening = character
    position += 1
    skipBlanks()
    // A log has times and places in square brackets: [12:00], [main:7].
    let isQuoted = character == "\""
    let isTold = looks(at: "AnyHashable(") || isQuoted
    guard key() != nil else { return nil }
    let isTight = character == "=" && !characters.contains(";")
    skipBlanks()
    switch (opening, character) {
    case ("{", "=") where looks(at: "=>"): return .ruby
    case ("{", "=") where isTight: return isQuoted ? nil : .java
    case ("{", "=") where !looks(at: "=="): return .nsLog
    case ("[", "=") where looks(at: "=>"): return .php
    case ("[", ":") where isTold: return .swift
    default: return nil
    }
  }

  private var character: Character? { position < characters.count ? characters[position] : nil }
  private var offset: Int { position < offsets.count ? offsets[position] : offsets.last ?? 0 }

  private func looks(at text: String) -> Bool {
    characters[min(position, characters.count)...].starts(with: text)
  }

  private mutating func skipBlanks() {
    while let character, character.isWhitespace { position += 1 }
  }

  /// Steps over the first of these texts that comes next.
  private mutating func skip(_ texts: String...) -> Bool {
    skipBlanks()
    guard let text = texts.first(where: looks(at:)) else { return false }
    position += text.count
    return true
  }

  // MARK: values

  private mutating func value(depth: Int) -> PayloadNode? {
    skipBlanks()
    let start = offset
    guard depth <= PayloadParser.depthLimit, let character else { return nil }
    switch character {
    case "{": return PayloadNode(value: .object(members(until: "}", depth: depth)), offset: start)
    case "(": return PayloadNode(value: .array(elements(until: ")", depth: depth)), offset: start)
    case "[":
      return PayloadNode(
        value: beginsWithMember
          ? .object(members(until: "]", depth: depth)) : .array(elements(until: "]", depth: depth)),
        offset: start)
    default:
      if skip("Optional(") {
        defer { _ = skip(")") }
        return value(depth: depth + 1)
      }
      return word().map { PayloadNode(value: .string($0), offset: start) }
    }
  }

  /// Whether a list in square brackets is one of keys and values.
  private var beginsWithMember: Bool {
    var copy = self
    return copy.language() != nil
  }

  private mutating func members(until closing: Character, depth: Int) -> [PayloadMember] {
    position += 1
    var members: [PayloadMember] = []
    while true {
      skipBlanks()
      if character == closing || character == nil {
        position += 1
        return members
      }
      let start = offset
      guard let key = key(), skip("=>", "=", ":") else { return members }
      skipBlanks()
      let place = offset
      // Swift prints texts of Objective-C as they are.
      let isPlain =
        closing == "]" && character.map { !"{([\"'".contains($0) } ?? false && !looks(at: "Optional(")
      guard let node = isPlain ? PayloadNode(value: .string(plain()), offset: place) : value(depth: depth + 1)
      else { return members }
      members.append(PayloadMember(key: key, keyOffset: start, node: node))
      _ = skip(";", ",")
    }
  }

  private mutating func elements(until closing: Character, depth: Int) -> [PayloadNode] {
    position += 1
    var elements: [PayloadNode] = []
    while true {
      skipBlanks()
      if character == closing || character == nil {
        position += 1
        return elements
      }
      guard let node = value(depth: depth + 1) else { return elements }
      elements.append(node)
      _ = skip(",")
    }
  }

  // MARK: words

  private mutating func key() -> String? {
    skipBlanks()
    if skip("AnyHashable(") {
      let key = word()
      return skip(")") ? key : nil
    }
    if character == ":" { position += 1 }
    if character == "\"" || character == "'" { return word() }
    let start = position
    while let character, character.isLetter || character.isNumber || "_.$-".contains(character) {
      position += 1
    }
    return position > start ? String(characters[start..<position]) : nil
  }

  private mutating func word() -> String? {
    skipBlanks()
    guard let first = character else { return nil }
    if first == "\"" || first == "'" { return quotedWord(by: first) }
    let start = position
    while let character, !character.isWhitespace, !"={}()[];,\"".contains(character) { position += 1 }
    return position > start ? String(characters[start..<position]) : nil
  }

  private mutating func quotedWord(by mark: Character) -> String {
    position += 1
    var units: [UInt16] = []
    while let character, character != mark {
      position += 1
      guard character == "\\", let escaped = self.character else {
        units += Array(String(character).utf16)
        continue
      }
      position += 1
      // NSLog writes whatever is not ASCII in units of UTF-16: \U00e4.
      let digits = characters[position...].prefix(4).flatMap { Array($0.utf8) }
      if escaped == "U" || escaped == "u", let unit = PayloadParser.codeUnit(digits) {
        position += 4
        units.append(unit)
      } else {
        units += Array(String(["n": "\n", "t": "\t", "r": "\r"][escaped] ?? escaped).utf16)
      }
    }
    position += 1
    return String(decoding: units, as: UTF16.self)
  }

  /// Up to the next key, or the closing bracket.
  private mutating func plain() -> String {
    let start = position
    while let character, character != "]" {
      if character == "," {
        let comma = position
        position += 1
        skipBlanks()
        let isKey = looks(at: "AnyHashable(") || looks(at: "\"") || looks(at: "'")
        position = isKey ? comma : comma + 1
        if isKey { break }
      } else {
        position += 1
      }
    }
    return String(characters[start..<position])
  }
}
