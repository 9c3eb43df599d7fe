internal import EngagementEvents

/// What single characters and words are.
extension PayloadParser {
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// A sign, digits of which the first is no 0 among several, a fraction, an exponent.
  static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func digits() -> Substring.UTF8View {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = digits()
    guard whole.count == 1 || whole.count > 1 && whole.first != 0x30 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard !digits().isEmpty else { return false }
    }
    if let mark = rest.first, mark & 0xDF == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard !digits().isEmpty else { return false }
    }
    return rest.isEmpty
  }

  /// The unit that four hexadecimal digits stand for; nil where they are none. Swift's own reader would take `+041`.
  static func codeUnit(_ digits: some Collection<UInt8>) -> UInt16? {
    guard digits.count == 4, digits.allSatisfy({ isAlphanumeric($0) }) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Whether a word is over where this comes.
  static func endsWord(_ byte: UInt8) -> Bool { byte >= 0x80 || " \t\r\n,]}/#".utf8.contains(byte) }

  /// A word or number that other languages know and JSON does not.
  mutating func faultWord(_ text: String, at start: Int) {
    if let first = text.utf8.first, first < 0x3A {
      fault(
        "json_number", at: start, "JSON knows no number \(quoted(text))",
        "write it as in 1, -0.5 or 1e3: no plus sign, and no 0 too many or too few")
      return
    }
    let right = ["true": "true", "yes": "true", "false": "false", "no": "false"][text.lowercased()]
    let isNothing = ["none", "nil", "null", "undefined"].contains(text.lowercased())
    fault(
      "json_word", at: start, "JSON knows no \(quoted(text))",
      "write \(right ?? (isNothing ? "null" : "texts in quotation marks"))")
  }

  /// What to do about a character that stands in the place of another.
  static func remedy(against scalar: Unicode.Scalar?) -> String {
    switch scalar {
    case "“", "”", "„", "‟", "‘", "’", "‚", "«", "»": "write straight quotation marks: \""
    case "\\": "take out the backslashes: they belong to a text within another"
    default: "look at the character before it too"
    }
  }

  /// Which encoding a file has that begins in UTF-16 or UTF-32; nil where it may be UTF-8.
  static func otherEncoding(_ bytes: [UInt8]) -> String? {
    let zeros = bytes.prefix(4).map { $0 == 0 }
    let isWide = bytes.count >= 4
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF])
      || isWide && (zeros == [true, true, true, false] || zeros == [false, true, true, true])
    {
      return "UTF-32"
    }
    let isUTF16 =
      bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || isWide && (zeros == [true, false, true, false] || zeros == [false, true, false, true])
    return isUTF16 ? "UTF-16" : nil
  }

  static func firstBadUTF8(_ bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var parser = UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var good = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { good += scalar.count }
    return good
  }

  static func name(of scalar: Unicode.Scalar?) -> String {
    guard let scalar else { return "the end" }
    let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
    return scalar.properties.isAlphabetic || (0x21...0x7E).contains(scalar.value)
      ? "‘\(scalar)’ (\(code))" : code
  }
}

/// A key or value for a message, cut where it is long, with whatever cannot be seen escaped.
func quoted(_ text: String) -> String {
  "“" + EventFault.escape(text.count > 40 ? text.prefix(40) + "…" : text) + "”"
}
