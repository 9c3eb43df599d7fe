internal import EngagementEvents

/// A value of a foreign record, as whatever parsed it gives it.
package protocol ForeignNode {
  var kind: ForeignKind { get }
  /// Of a text; empty for anything else.
  var text: String { get }
  /// Of a Boolean; false for anything else.
  var boolean: Bool { get }
  /// Of an integer; 0 for anything else.
  var integer: Int64 { get }
  /// Of a number, whole or not; 0 for anything else.
  var number: Double { get }
  /// The first member of that name; nil where there is none, where it is null, and for anything but an object.
  func member(_ name: StaticString) -> Self?
  /// Of a list; empty for anything else.
  var elements: [Self] { get }
  /// Of an object, in their order; empty for anything else.
  var members: [(name: String, value: Self)] { get }
}

/// What a foreign value is.
package enum ForeignKind: Sendable, Hashable {
  case null, boolean, integer, number, text, list, object
}

extension ForeignNode {
  /// The value at the end of a path of members.
  func member(_ first: StaticString, _ second: StaticString, _ more: StaticString...) -> Self? {
    var node = member(first)?.member(second)
    for name in more { node = node?.member(name) }
    return node
  }

  /// What a text or an integer says; nil for an empty text and for anything else.
  var told: String? {
    switch kind {
    case .text: text.isEmpty ? nil : text
    case .integer: String(integer)
    default: nil
    }
  }

  /// Appends the value as JSON.
  package func appendJSON(to bytes: inout [UInt8]) {
    switch kind {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean: bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    case .integer: bytes.append(contentsOf: String(integer).utf8)
    case .number: bytes.append(contentsOf: String(number).utf8)
    case .text: bytes.appendJSONString(text)
    case .list:
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        element.appendJSON(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object:
      bytes.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSONString(member.name)
        bytes.append(UInt8(ascii: ":"))
        member.value.appendJSON(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
