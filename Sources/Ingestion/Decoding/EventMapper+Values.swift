import EngagementEvents

extension EventMapper {
  func string(_ index: Int, _ path: @autoclosure () -> String) throws(EventFault) -> String {
    try expect(.string, at: index, path())
    return tape.text(index)
  }

  /// A UUID, without a string in between as long as it is one.
  func identifier(_ index: Int, _ path: @autoclosure () -> String) throws(EventFault) -> EventID {
    try expect(.string, at: index, path())
    return if let id = tape.withText(index, { EventID(utf8: $0) }) { id } else {
      try EventID(tape.text(index), field: path())
    }
  }

  func boolean(_ index: Int, _ path: @autoclosure () -> String) throws(EventFault) -> Bool {
    try expect(.boolean, at: index, path())
    return tape.boolean(index)
  }

  /// A number that is written as an integer: 1.0 and 1e3 are none, since what wrote them did not count.
  func integer(_ index: Int, _ path: @autoclosure () -> String) throws(EventFault) -> Int64 {
    switch tape.kind(index) {
    case .integer: return tape.integer(index)
    case .naturalBeyondInteger:
      let path = path()
      throw EventFault(
        field: path, code: .numberOutOfRange,
        message: "\(path) is \(tape.natural(index)); send an integer of 64 bits, at most \(Int64.max)")
    case .wideNumber where tape.digits(index) != nil:
      let path = path()
      throw EventFault(
        field: path, code: .numberOutOfRange,
        message:
          "\(path) is an integer of more than 64 bits; send one from \(Int64.min) to \(Int64.max)")
    case .number, .wideNumber:
      let path = path()
      let shown = tape.kind(index) == .number ? "\(tape.number(index))" : EventFault.escape(tape.text(index))
      throw EventFault(
        field: path, code: .notAnInteger,
        message: "\(path) is \(shown) with a fraction or an exponent; send an integer in plain digits")
    default: throw wrongType(at: index, path(), wanted: "an integer")
    }
  }

  func number(_ index: Int, _ path: @autoclosure () -> String) throws(EventFault) -> Double {
    switch tape.kind(index) {
    case .integer: return Double(tape.integer(index))
    case .naturalBeyondInteger: return Double(tape.natural(index))
    case .number: return tape.number(index)
    case .wideNumber:
      let path = path()
      throw EventFault(
        field: path, code: .numberOutOfRange,
        message: "\(path) is beyond what a double can hold; send a number that means something")
    default: throw wrongType(at: index, path(), wanted: "a number")
    }
  }

  func expect(_ kind: JSONTape.Kind, at index: Int, _ path: @autoclosure () -> String) throws(EventFault) {
    if tape.kind(index) != kind { throw wrongType(at: index, path(), wanted: kind.name) }
  }

  private func wrongType(at index: Int, _ path: String, wanted: String) -> EventFault {
    let reason =
      switch (tape.kind(index), path) {
      case (.integer, "occurredAt"), (.naturalBeyondInteger, "occurredAt"), (.number, "occurredAt"),
        (.wideNumber, "occurredAt"):
        "send an RFC 3339 time as a string, since a number does not tell its unit"
      case _ where wanted == JSONTape.Kind.string.name && tape.digits(index) != nil:
        "send \(wanted), since a large number loses digits on its way"
      default: "send \(wanted)"
      }
    return EventFault(
      field: path, code: .wrongType, message: "\(path) is \(tape.kind(index).name); \(reason)")
  }

  func nullCharacter(at token: Int) -> EventFault {
    let path = tape.path(to: token).text
    let subject = tape.isKey(token) ? "the name of a field" : path
    return EventFault(
      field: path, code: .nullCharacter,
      message: "\(subject) holds U+0000, which cannot be stored; remove it before sending")
  }

  func duplicateKey(at token: Int) -> EventFault {
    let path = tape.path(to: token).text
    let subject = path.hasSuffix(FieldPath.hidden) ? "a field, whose name is not repeated here," : path
    return EventFault(
      field: path, code: .duplicateKey,
      message:
        "\(subject) stands twice in the same object, and it is not for the server to choose; send it once"
    )
  }
}
