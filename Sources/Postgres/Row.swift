internal import CPostgres

/// One row of a result, lent to a closure; it cannot outlive the result.
package struct Row: ~Copyable {
  private let result: OpaquePointer
  private let index: Int32

  init(result: OpaquePointer, index: Int32) {
    self.result = result
    self.index = index
  }

  package var columnCount: Int { Int(PQnfields(result)) }

  /// Reads the value of a column by its place, from 0.
  ///
  /// - Throws: `PostgresError` of kind `decoding` for no such column, another type, or a NULL where `Value` is no optional.
  package func value<Value: PostgresDecodable>(
    _ column: Int, as type: Value.Type = Value.self
  ) throws(PostgresError) -> Value {
    try Value.decode(try field(column))
  }

  /// Reads the value of the first column of this name.
  package func value<Value: PostgresDecodable>(
    _ column: String, as type: Value.Type = Value.self
  ) throws(PostgresError) -> Value {
    try Value.decode(try field(try place(of: column)))
  }

  func field(_ column: Int) throws(PostgresError) -> Field {
    guard column >= 0, column < columnCount else {
      throw PostgresError(.decoding, "no column \(column): the result has \(columnCount)")
    }
    let place = Int32(column)
    var bytes: UnsafeRawBufferPointer?
    if PQgetisnull(result, index, place) == 0 {
      bytes = UnsafeRawBufferPointer(
        start: PQgetvalue(result, index, place), count: Int(PQgetlength(result, index, place)))
    }
    return Field(bytes: bytes, type: DataType(oid: PQftype(result, place)), result: result, column: place)
  }

  func place(of name: String) throws(PostgresError) -> Int {
    // PQfnumber would fold the case of names that are not quoted.
    for column in 0..<PQnfields(result) where strcmp(PQfname(result, column), name) == 0 {
      return Int(column)
    }
    throw PostgresError(.decoding, "no column named \"\(name)\" in the result")
  }
}
