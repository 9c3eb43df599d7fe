internal import CPostgres

extension Connection {
  /// Runs a query and lends its rows as they arrive, in constant memory however many there are.
  ///
  /// The connection is busy until the last row: `body` cannot use it. If `body` throws, the query is cancelled (which fails an open
  /// transaction), and the error is thrown on.
  ///
  /// - Returns: how many rows there were.
  @discardableResult
  package func forEachRow(of statement: SQL, _ body: (borrowing Row) throws -> Void) throws -> Int {
    let text = statement.text
    let parameters = statement.parameters
    try requireIdle(text)
    try requireFew(parameters, text)
    guard send(text, parameters) == 1 else { throw connectionError(statement: text) }
    PQsetSingleRowMode(handle)
    session.isStreaming = true
    defer { session.isStreaming = false }
    do {
      return try readRows(text, body)
    } catch {
      drain()
      throw error
    }
  }

  private func readRows(_ text: String, _ body: (borrowing Row) throws -> Void) throws -> Int {
    var count = 0
    while let pointer = PQgetResult(handle) {
      let result = QueryResult(pointer)
      try check(result, statement: text)
      guard result.status == PGRES_SINGLE_TUPLE else { continue }
      do {
        try body(Row(result: result.handle, index: 0))
      } catch {
        canceller.cancel()
        throw error
      }
      count += 1
    }
    // A connection that breaks here leaves no result behind.
    guard PQstatus(handle) == CONNECTION_OK else { throw connectionError(statement: text) }
    return count
  }
}
