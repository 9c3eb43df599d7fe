/// A value of a payload file, with the place where it stands.
package struct PayloadNode: Sendable {
  package var value: PayloadValue
  /// In bytes, from the beginning of the file.
  package var offset: Int
}

/// What JSON knows, and an old property list too.
package enum PayloadValue: Sendable {
  /// What cannot be read: nothing can be said of it.
  case unknown
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case string(String)
  case array([PayloadNode])
  case object([PayloadMember])
}

/// A key of an object with its value. Keys may come twice.
package struct PayloadMember: Sendable {
  package var key: String
  package var keyOffset: Int
  package var node: PayloadNode
}

extension PayloadNode {
  var members: [PayloadMember]? { if case .object(let members) = value { members } else { nil } }
  var elements: [PayloadNode]? { if case .array(let elements) = value { elements } else { nil } }
  var isNull: Bool { if case .null = value { true } else { false } }
  var isUnknown: Bool { if case .unknown = value { true } else { false } }
  var string: String? { if case .string(let text) = value { text } else { nil } }

  /// The first member of this key, as most readers have it.
  subscript(key: String) -> PayloadNode? { member(key)?.node }

  func member(_ key: String) -> PayloadMember? { members?.first { $0.key == key } }

  /// What the value is, for a message.
  var typeName: String {
    switch value {
    case .unknown: "unreadable"
    case .null: "null"
    case .bool: "a Boolean"
    case .number(let text): isWhole ? "the number \(text)" : "the fraction \(text)"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Whether it is a number without a fraction.
  var isWhole: Bool {
    guard case .number(let text) = value, let number = Double(text) else { return false }
    return number.isFinite && number == number.rounded()
  }

  var number: Double? { if case .number(let text) = value { Double(text) } else { nil } }

  /// How many bytes it has once written without blanks, as it is sent.
  var minifiedSize: Int {
    switch value {
    case .unknown: 0
    case .null: 4
    case .bool(let isTrue): isTrue ? 4 : 5
    case .number(let text): text.utf8.count
    case .string(let text): Self.size(of: text)
    case .array(let elements): 2 + elements.reduce(0) { $0 + $1.minifiedSize } + max(0, elements.count - 1)
    case .object(let members):
      2 + members.reduce(0) { $0 + Self.size(of: $1.key) + 1 + $1.node.minifiedSize }
        + max(0, members.count - 1)
    }
  }

  private static func size(of text: String) -> Int {
    text.utf8.reduce(2) { size, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: size + 2
      case 0..<0x20: size + 6
      default: size + 1
      }
    }
  }
}
