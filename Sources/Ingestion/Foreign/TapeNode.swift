internal import EngagementEvents
internal import ForeignEvents

/// A value of a parsed record, valid until its reader parses again.
struct TapeNode: ForeignNode {
  let tape: JSONTape
  let index: Int

  init(_ tape: JSONTape, _ index: Int = JSONTape.root) {
    self.tape = tape
    self.index = index
  }

  var kind: ForeignKind {
    switch tape.kind(index) {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .naturalBeyondInteger, .number, .wideNumber: .number
    case .string: .text
    case .array: .list
    case .object: .object
    }
  }

  var text: String { tape.kind(index) == .string ? tape.text(index) : "" }

  var told: String? {
    switch tape.kind(index) {
    case .string: tape.count(index) == 0 ? nil : tape.text(index)
    default: tape.digits(index)
    }
  }

  var isTrue: Bool { kind == .boolean && tape.boolean(index) }

  func member(_ name: StaticString) -> TapeNode? {
    guard tape.kind(index) == .object else { return nil }
    var key = index + 1
    while key < tape.end(index) {
      if tape.isKey(key, name) {
        return tape.kind(key + 1) == .null ? nil : TapeNode(tape, key + 1)
      }
      key = tape.end(key)
    }
    return nil
  }

  var elements: [TapeNode] {
    guard tape.kind(index) == .array else { return [] }
    var elements: [TapeNode] = []
    var element = index + 1
    while element < tape.end(index) {
      elements.append(TapeNode(tape, element))
      element = tape.end(element)
    }
    return elements
  }

  var members: [(name: String, value: TapeNode)] {
    guard tape.kind(index) == .object else { return [] }
    var members: [(name: String, value: TapeNode)] = []
    var key = index + 1
    while key < tape.end(index) {
      members.append((tape.text(key), TapeNode(tape, key + 1)))
      key = tape.end(key)
    }
    return members
  }
}

extension TapeNode {
  func appendJSON(to bytes: inout [UInt8]) { tape.appendJSON(index, to: &bytes) }
}

extension JSONTape {
  fileprivate func appendJSON(_ index: Int, to bytes: inout [UInt8]) {
    switch kind(index) {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean: bytes.append(contentsOf: (boolean(index) ? "true" : "false").utf8)
    case .integer: bytes.append(contentsOf: String(integer(index)).utf8)
    case .naturalBeyondInteger: bytes.append(contentsOf: String(natural(index)).utf8)
    case .number: bytes.append(contentsOf: String(number(index)).utf8)
    case .wideNumber: bytes.append(contentsOf: text(index).utf8)
    case .string: bytes.appendJSONString(text(index))
    case .array:
      bytes.append(UInt8(ascii: "["))
      var element = index + 1
      while element < end(index) {
        if element > index + 1 { bytes.append(UInt8(ascii: ",")) }
        appendJSON(element, to: &bytes)
        element = end(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object:
      bytes.append(UInt8(ascii: "{"))
      var key = index + 1
      while key < end(index) {
        if key > index + 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSONString(text(key))
        bytes.append(UInt8(ascii: ":"))
        appendJSON(key + 1, to: &bytes)
        key = end(key)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
