/// A value that can be read from a result; a type or a NULL that does not fit is an error, never a guess.
package protocol PostgresDecodable: Sendable {
  /// Reads the value of one field.
  ///
  /// - Throws: `PostgresError` of kind `decoding`, which names the column, what was expected and what was found.
  static func decode(_ field: borrowing Field) throws(PostgresError) -> Self
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
  package static func decode(_ field: borrowing Field) throws(PostgresError) -> Wrapped? {
    if field.isNull { return nil }
    return try Wrapped.decode(field)
  }
}

extension Array: PostgresDecodable where Element: PostgresElement {
  package static func decode(_ field: borrowing Field) throws(PostgresError) -> [Element] {
    try Element.decodeArray(field)
  }
}
