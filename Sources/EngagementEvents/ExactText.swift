/// A string that is equal to another only byte for byte.
///
/// Swift takes canonically equivalent strings for equal ("é" in one scalar or two); a database does not. Identifiers
/// follow the database, so that nothing is one value here and two there.
struct ExactText: Sendable, Hashable {
  let string: String

  /// Checks the length in bytes of UTF-8 and that there is no U+0000, which neither C strings nor `jsonb` can hold.
  init(_ string: String, field: @autoclosure () -> String, bytes limit: ClosedRange<Int>) throws(EventFault) {
    let count = string.utf8.count
    if count < limit.lowerBound {
      let field = field()
      throw EventFault(field: field, code: .empty, message: "\(field) is empty; send at least one character")
    }
    if count > limit.upperBound {
      let field = field()
      throw EventFault(
        field: field, code: .tooLong,
        message: "\(field) has \(count) bytes of UTF-8; send at most \(limit.upperBound)")
    }
    if string.withUTF8Span({ $0.contains(0) }) { throw .nullCharacter(in: field()) }
    self.string = string
  }

  static func == (one: ExactText, other: ExactText) -> Bool {
    // Bytes are compared only where Swift's own comparison, the quicker one, finds no difference.
    one.string == other.string && one.string.utf8.elementsEqual(other.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // Strings that are equal byte for byte are canonically equivalent too.
    hasher.combine(string)
  }
}

extension EventFault {
  static func nullCharacter(in field: String) -> EventFault {
    EventFault(
      field: field, code: .nullCharacter,
      message: "\(field) holds U+0000, which cannot be stored; remove it before sending")
  }
}
