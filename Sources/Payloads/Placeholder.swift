/// Texts that a template engine, or whoever copied an example, should have replaced.
///
/// Written out by bytes, as is all that is asked of each text of a payload: regular expressions took milliseconds a file.
enum Placeholder {
  /// In bytes, so that a text of nothing but openings takes no longer than another.
  private static let longest = 200

  /// The first placeholder within a text; nil where there is none.
  static func first(in text: String) -> String? {
    if text == "TODO" { return text }
    let bytes = Array(text.utf8)
    if isInBrackets(bytes) { return text }
    for start in bytes.indices where begins(bytes[start]) {
      if let end = end(of: bytes[start...].prefix(longest)) {
        return String(decoding: bytes[start..<end], as: UTF8.self)
      }
    }
    return nil
  }

  // MARK: whole texts

  /// `<DEVICE_TOKEN>`, `[TITLE]`: the words that examples have. `[BREAKING]` and `<SALE>` are titles.
  private static func isInBrackets(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 3, let first = bytes.first, let last = bytes.last,
      (first, last) == (UInt8(ascii: "<"), UInt8(ascii: ">"))
        || (first, last) == (UInt8(ascii: "["), UInt8(ascii: "]"))
    else { return false }
    let inner = bytes.dropFirst().dropLast()
    guard inner.allSatisfy({ isCapital($0) || isDigit($0) || "_- ".utf8.contains($0) }) else { return false }
    if inner.contains(UInt8(ascii: "_")) { return true }
    let words = inner.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
    return words.contains { examples.contains(String(decoding: $0, as: UTF8.self)) }
  }

  private static let examples: Set = [
    "YOUR", "TITLE", "SUBTITLE", "BODY", "MESSAGE", "TEXT", "NAME", "FIRSTNAME", "LASTNAME", "USERNAME",
    "TOKEN", "ID", "URL", "IMAGE", "EMAIL", "CATEGORY", "PLACEHOLDER", "VALUE", "INSERT",
  ]

  // MARK: within texts

  /// Whether a placeholder can begin with this byte; most are no such.
  private static func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "$"), UInt8(ascii: "<"), UInt8(ascii: "*"), UInt8(ascii: "%"),
      UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "O"), UInt8(ascii: "R"), UInt8(ascii: "C"),
      UInt8(ascii: "Y"):
      true
    default: false
    }
  }

  /// Where a placeholder ends that begins here; nil where none does.
  private static func end(of rest: ArraySlice<UInt8>) -> Int? {
    switch rest[rest.startIndex] {
    case UInt8(ascii: "{"): endOfBraces(rest)
    case UInt8(ascii: "$"): rest.starts(with: "${".utf8) ? end(rest, by: "}") : nil
    case UInt8(ascii: "<"): rest.starts(with: "<%".utf8) ? end(rest, by: "%>") : nil
    case UInt8(ascii: "*"): rest.starts(with: "*|".utf8) ? end(rest, by: "|*") : nil
    case UInt8(ascii: "%"): endOfPercents(rest)
    case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "O"): endOfNothing(rest)
    case UInt8(ascii: "R"), UInt8(ascii: "C"), UInt8(ascii: "Y"): endOfWord(rest)
    default: nil
    }
  }

  /// Behind the closing mark, on the same line; nil where there is none, or nothing before it.
  private static func end(_ rest: ArraySlice<UInt8>, by mark: String) -> Int? {
    let mark = Array(mark.utf8)
    var index = rest.startIndex + 2
    while index + mark.count <= rest.endIndex, rest[index] != 0x0A {
      if rest[index...].starts(with: mark) { return index > rest.startIndex + 2 ? index + mark.count : nil }
      index += 1
    }
    return nil
  }

  /// `{{anything}}`, `{% anything %}`, `{name}`.
  private static func endOfBraces(_ rest: ArraySlice<UInt8>) -> Int? {
    if rest.starts(with: "{{".utf8) { return end(rest, by: "}}") }
    if rest.starts(with: "{%".utf8) { return end(rest, by: "%}") }
    let inner = rest.dropFirst().drop(while: isBlank)
    let name = inner.prefix { isLetter($0) || isDigit($0) || $0 == 0x5F || $0 == 0x2E }
    let behind = inner[name.endIndex...].drop(while: isBlank)
    guard name.contains(where: isLetter), behind.first == UInt8(ascii: "}") else { return nil }
    return behind.startIndex + 1
  }

  /// `%FIRST_NAME%`, and `%@` of a format. `50% OFF, 20% MORE` has blanks.
  private static func endOfPercents(_ rest: ArraySlice<UInt8>) -> Int? {
    if rest.starts(with: "%@".utf8) { return rest.startIndex + 2 }
    let inner = rest.dropFirst().prefix { isCapital($0) || isDigit($0) || $0 == 0x5F }
    guard inner.count >= 3, inner.first.map(isCapital) == true, inner.endIndex < rest.endIndex,
      rest[inner.endIndex] == UInt8(ascii: "%"), !isEscape(inner)
    else { return nil }
    return inner.endIndex + 1
  }

  /// Whether it is what an address has for a character, such as the `E3` of `%E3%81%82`.
  private static func isEscape(_ inner: ArraySlice<UInt8>) -> Bool {
    inner.prefix(2).allSatisfy { isDigit($0) || (0x41...0x46).contains($0) }
      && inner.prefix(2).contains(where: isDigit)
  }

  /// What languages print of nothing, or of something that was not unwrapped.
  private static func endOfNothing(_ rest: ArraySlice<UInt8>) -> Int? {
    for word in ["[object Object]", "(null)"] where rest.starts(with: word.utf8) {
      return rest.startIndex + word.utf8.count
    }
    guard rest.starts(with: "Optional(".utf8) else { return nil }
    return rest.firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 }
  }

  private static let words = ["REPLACEME", "REPLACE_ME", "CHANGEME", "CHANGE_ME"].map { Array($0.utf8) }

  /// `CHANGE_ME`, `YOUR_TOKEN` and the like.
  private static func endOfWord(_ rest: ArraySlice<UInt8>) -> Int? {
    if let word = words.first(where: { rest.starts(with: $0) }) { return rest.startIndex + word.count }
    guard rest.starts(with: "YOUR_".utf8) || rest.starts(with: "YOUR-".utf8) else { return nil }
    let name = rest.dropFirst(5).prefix { isCapital($0) || isDigit($0) || "_-".utf8.contains($0) }
    return name.first.map(isCapital) == true ? name.endIndex : nil
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { isCapital(byte & 0xDF) && byte >= 0x41 }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
