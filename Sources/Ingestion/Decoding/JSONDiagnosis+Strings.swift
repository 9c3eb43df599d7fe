import EngagementEvents

extension JSONDiagnosis {
  /// Goes over a string and gives its text.
  mutating func string() throws(Flaw) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0..<0x20:
        throw Flaw(
          code: .controlCharacter,
          reason:
            "a string holds the control character U+\(byte.fourHexadecimalDigits); write it as an escape")
      case 0x80...:
        let length = bytes[position...].lengthOfScalar
        guard length > 0 else {
          throw Flaw(code: .invalidUTF8, reason: "these bytes are not UTF-8; send the body in UTF-8")
        }
        text.append(contentsOf: bytes[position..<position + length])
        position += length
      default:
        text.append(byte)
        position += 1
      }
    }
    throw Flaw(code: .invalidJSON, reason: "a string has no closing quotation mark")
  }

  private mutating func escape() throws(Flaw) -> [UInt8] {
    let simple: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    guard position + 1 < bytes.count else { throw Flaw(code: .invalidEscape, reason: "an escape is cut off") }
    if let character = simple[bytes[position + 1]] {
      position += 2
      return [character]
    }
    guard let unit = codeUnit(at: position) else {
      throw Flaw(
        code: .invalidEscape,
        reason: #"a backslash stands before none of " \ / b f n r t or u with four digits"#)
    }
    if let scalar = Unicode.Scalar(unit) {
      position += 6
      return Array(String(Character(scalar)).utf8)
    }
    guard unit < 0xDC00, let low = codeUnit(at: position + 6), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
    else {
      throw Flaw(
        code: .loneSurrogate,
        reason:
          "an escape is half of a character (a lone surrogate); cut text between characters, not within them")
    }
    position += 12
    return Array(String(Character(scalar)).utf8)
  }

  /// The code unit of the escape `\uXXXX` at a position, or nil.
  private func codeUnit(at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u"),
      bytes[start + 2..<start + 6].allSatisfy(\.isHexadecimalDigit)
    else { return nil }
    return UInt16(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool { isDigit || (97...102).contains(self | 0x20) }

  fileprivate var fourHexadecimalDigits: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

extension ArraySlice<UInt8> {
  /// The bytes of the UTF-8 scalar that this begins with, or 0 if it does not.
  fileprivate var lengthOfScalar: Int {
    var iterator = makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 0 }
    return UTF8.width(scalar)
  }
}
