import EngagementEvents

extension JSONDiagnosis {
  /// Goes over a number, which may be of any size: that is for the field that it is in.
  mutating func number() throws(Flaw) {
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") {
      position += 1
      if let byte, byte.isDigit {
        throw invalidNumber("a number does not begin with a 0 before other digits")
      }
    } else {
      if byte == UInt8(ascii: "I") { throw invalidNumber("JSON has no Infinity; leave the field out") }
      try digits("a number needs a digit")
    }
    if byte == UInt8(ascii: ".") {
      position += 1
      try digits("a decimal point needs a digit behind it")
    }
    if let byte, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if self.byte == UInt8(ascii: "+") || self.byte == UInt8(ascii: "-") { position += 1 }
      try digits("an exponent needs a digit")
    }
    if let byte, byte.continuesWord { throw invalidNumber("a number ends in something else") }
  }

  private mutating func digits(_ complaint: String) throws(Flaw) {
    guard let byte, byte.isDigit else { throw invalidNumber(complaint) }
    while let byte = self.byte, byte.isDigit { position += 1 }
  }

  private func invalidNumber(_ reason: String) -> Flaw { Flaw(code: .invalidNumber, reason: reason) }
}

extension UInt8 {
  var isDigit: Bool { self >= 48 && self <= 57 }

  /// Whether a number or a word would go on with this byte.
  var continuesWord: Bool {
    isDigit || (97...122).contains(self | 0x20) || [0x2B, 0x2D, 0x2E, 0x5F].contains(self)
  }
}
