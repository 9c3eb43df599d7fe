internal import EngagementEvents

/// Writes JSON into bytes, member by member, in the order given.
struct JSONText {
  private(set) var utf8: [UInt8] = []
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) -> Void) {
    utf8.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    utf8.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func member(_ name: String, _ value: Int) {
    key(name)
    utf8.append(contentsOf: String(value).utf8)
  }

  /// Nil is written as null.
  mutating func member(_ name: String, _ value: Int?) {
    key(name)
    utf8.append(contentsOf: (value.map { String($0) } ?? "null").utf8)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    utf8.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Nil is written as null.
  mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { utf8.appendJSONString(value) } else { utf8.append(contentsOf: "null".utf8) }
  }

  /// An array of objects, each filled by `body`.
  mutating func array<Element>(
    _ name: String, _ elements: [Element], _ body: (Element, inout JSONText) -> Void
  ) {
    key(name)
    utf8.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements {
      if needsComma { utf8.append(UInt8(ascii: ",")) }
      object { body(element, &$0) }
    }
    utf8.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private mutating func key(_ name: String) {
    if needsComma { utf8.append(UInt8(ascii: ",")) }
    utf8.appendJSONString(name)
    utf8.append(UInt8(ascii: ":"))
    needsComma = true
  }
}
