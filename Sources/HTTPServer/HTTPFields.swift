/// Header fields in their order; names are compared without regard to case.
package struct HTTPFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One line of a header.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var fields: [Field] = []

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value under a name. Setting replaces all of that name, nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
    set {
      fields.removeAll { $0.name.equalsIgnoringCase(name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// All values under a name, in their order.
  package func values(of name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// The first field that may not be sent: its name is no token, its value holds a control character (which could begin a
  /// line of its own), or it belongs to the server, which alone knows how the message is framed.
  var firstUnsendable: Field? {
    fields.first { field in
      !field.name.isToken || field.value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        || Self.framing.contains { field.name.equalsIgnoringCase($0) }
    }
  }

  private static let framing = ["Content-Length", "Transfer-Encoding", "Connection", "Date"]
}

extension String {
  /// Compares ASCII letters without regard to case, all else exactly.
  func equalsIgnoringCase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var rest = other.utf8.makeIterator()
    for byte in utf8 {
      guard let partner = rest.next(), byte == partner || byte.lowercasedASCII == partner.lowercasedASCII
      else { return false }
    }
    return true
  }

  /// Whether this is a token in the sense of RFC 9110, section 5.6.2.
  var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }

  /// Without blanks and tabs at either end.
  var trimmingBlanks: String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }),
      let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  var isTokenByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
