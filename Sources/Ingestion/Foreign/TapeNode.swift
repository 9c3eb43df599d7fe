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
    case .naturalBeyondInteger, .number: .number
    case .string: .text
    case .array: .list
    case .object: .object
    }
  }

  var text: String { tape.kind(index) == .string ? tape.text(index) : "" }
  var boolean: Bool { tape.kind(index) == .boolean && tape.boolean(index) }
  var integer: Int64 { tape.kind(index) == .integer ? tape.integer(index) : 0 }

  var number: Double {
    switch tape.kind(index) {
    case .integer: Double(tape.integer(index))
    case .naturalBeyondInteger: Double(tape.natural(index))
    case .number: tape.number(index)
    default: 0
    }
  }

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
