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

  static func firstBadUTF8(_ bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var good = 0
    var line = 0
    // By lines, so that a large file is not read again for each of its bytes.
    while line < bytes.count {
      let end = (bytes[line...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
      if String(validating: bytes[line..<end], as: UTF8.self) == nil { break }
      line = end
    }
    good = line
    while good < bytes.count,
      String(validating: bytes[line..<good + 1], as: UTF8.self) != nil || good - line < 3
    {
      good += 1
    }
    return min(good, bytes.count)
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
