internal import CPostgres

/// The rows of a result, lent one by one to closures.
package struct Rows: ~Copyable {
  private let result: QueryResult

  init(_ result: consuming QueryResult) { self.result = result }

  package var count: Int { Int(PQntuples(result.handle)) }

  package var isEmpty: Bool { count == 0 }

  /// The names of the columns, in order.
  package var columnNames: [String] {
    (0..<PQnfields(result.handle)).map { PQfname(result.handle, $0).map { String(cString: $0) } ?? "" }
  }

  func row(_ index: Int) -> Row { Row(result: result.handle, index: Int32(index)) }

  package func forEach<Failure: Error>(_ body: (borrowing Row) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<count { try body(row(index)) }
  }

  package func map<Value, Failure: Error>(
    _ transform: (borrowing Row) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for index in 0..<count { values.append(try transform(row(index))) }
    return values
  }

  /// Transforms the first row; nil where there is none.
  package func first<Value, Failure: Error>(
    _ transform: (borrowing Row) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    isEmpty ? nil : try transform(row(0))
  }
}
