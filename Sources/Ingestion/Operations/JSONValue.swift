internal import EngagementEvents

/// A JSON value whose objects keep their members in the order in which they were written.
package indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Finite; anything else is written as null.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One member of an object.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONValue
  }

  /// An object of pairs, in their order.
  package static func object(_ pairs: some Sequence<(String, JSONValue)>) -> JSONValue {
    .object(pairs.map { Member(name: $0.0, value: $0.1) })
  }

  /// An array of strings.
  package static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map(JSONValue.string))
  }

  /// The members of an object; none of anything else.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The value of an object's member; nil where there is none.
  package subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  /// The object with the members of another behind its own.
  package func merging(_ other: JSONValue) -> JSONValue { .object(members + other.members) }

  /// The value as UTF-8, without white space.
  package var utf8: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value): bytes += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): bytes.appendJSONString(value)
    case .array(let values):
      Self.append(values, between: "[", and: "]", to: &bytes) { $0.append(to: &$1) }
    case .object(let members):
      Self.append(members, between: "{", and: "}", to: &bytes) { member, bytes in
        bytes.appendJSONString(member.name)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element], between open: String, and close: String, to bytes: inout [UInt8],
    _ write: (Element, inout [UInt8]) -> Void
  ) {
    bytes += open.utf8
    for (place, element) in elements.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      write(element, &bytes)
    }
    bytes += close.utf8
  }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}
