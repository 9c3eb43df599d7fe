/// A string that is equal to another only byte for byte.
///
/// Swift takes canonically equivalent strings for equal ("é" in one scalar or two); a database does not. Identifiers
/// follow the database, so that nothing is one value here and two there.
package struct ExactText: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  package let string: String

  /// Any text, as it is.
  package init(_ string: String) { self.string = string }

  package init(stringLiteral string: String) { self.init(string) }

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

  package static func == (one: ExactText, other: ExactText) -> Bool {
    // Bytes are compared only where Swift's own comparison, the quicker one, finds no difference.
    one.string == other.string && one.string.utf8.elementsEqual(other.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Strings that are equal byte for byte are canonically equivalent too.
    hasher.combine(string)
  }

  /// By bytes, as `collate "C"` has it.
  package static func < (one: ExactText, other: ExactText) -> Bool {
    one.string.utf8.lexicographicallyPrecedes(other.string.utf8)
  }
}

extension String {
  /// Whether another string has the same bytes, as where a database compares them.
  package func isExactly(_ other: String) -> Bool { ExactText(self) == ExactText(other) }
}

extension EventFault {
  static func nullCharacter(in field: String) -> EventFault {
    EventFault(
      field: field, code: .nullCharacter,
      message: "\(field) holds U+0000, which cannot be stored; remove it before sending")
  }
}
