/// Texts that a template engine, or whoever copied an example, should have replaced.
///
/// Written out by bytes, as is all that is asked of each text of a payload: regular expressions took milliseconds a file.
enum Placeholder {
  static func isOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return isWrapped(bytes) || text == "TODO" || mentions(bytes)
  }

  /// `{name}`, `{{name}}`, `${anything}`, `<CAPITALS>`, `[CAPITALS]`, from end to end.
  private static func isWrapped(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, let first = bytes.first, let last = bytes.last else { return false }
    var inner = bytes.dropFirst().dropLast()
    switch (first, last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")):
      if inner.first == UInt8(ascii: "{") { inner = inner.dropFirst() }
      if inner.last == UInt8(ascii: "}") { inner = inner.dropLast() }
      return !inner.isEmpty && inner.allSatisfy { isLetter($0) || isBlank($0) || $0 == 0x5F || $0 == 0x2E }
    case (UInt8(ascii: "$"), UInt8(ascii: "}")):
      inner = inner.dropFirst()
      return bytes[1] == UInt8(ascii: "{") && !inner.isEmpty && !inner.contains(UInt8(ascii: "}"))
    case (UInt8(ascii: "<"), UInt8(ascii: ">")):
      return inner.count >= 3 && inner.allSatisfy { isCapital($0) || $0 == 0x5F || $0 == 0x20 }
    case (UInt8(ascii: "["), UInt8(ascii: "]")):
      return inner.count >= 3 && inner.allSatisfy { isCapital($0) || $0 == 0x5F }
    default: return false
    }
  }

  private static let words = ["REPLACEME", "REPLACE_ME", "CHANGEME", "CHANGE_ME"].map { Array($0.utf8) }
  private static let yours = ["YOUR_", "YOUR-"].map { Array($0.utf8) }

  /// `CHANGE_ME`, `YOUR_TOKEN` and the like, anywhere.
  private static func mentions(_ bytes: [UInt8]) -> Bool {
    for start in bytes.indices where [0x52, 0x43, 0x59].contains(bytes[start]) {
      let rest = bytes[start...]
      if words.contains(where: { rest.starts(with: $0) }) { return true }
      if yours.contains(where: { rest.starts(with: $0) }), rest.count > 5, isCapital(rest[start + 5]) {
        return true
      }
    }
    return false
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { isCapital(byte & 0xDF) && byte >= 0x41 }
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
