internal import CPostgres

extension Connection {
  /// The most values that one statement can bind; columns of many values are bound as arrays.
  package static var maximumParameters: Int { 1_000 }

  /// Runs one statement.
  ///
  /// - Returns: how many rows it changed or returned, 0 for statements that do neither.
  @discardableResult
  package func execute(_ statement: SQL) throws(PostgresError) -> Int {
    try run(statement).affectedRows
  }

  /// Runs one statement and gives its rows, all of them in memory.
  package func query(_ statement: SQL) throws(PostgresError) -> Rows {
    Rows(try run(statement))
  }

  /// Runs a query that returns exactly one row, and reads its first column.
  ///
  /// - Throws: also where there are no rows or several.
  package func value<Value: PostgresDecodable>(
    of statement: SQL, as type: Value.Type = Value.self
  ) throws(PostgresError) -> Value {
    let rows = try query(statement)
    guard rows.count == 1 else {
      throw PostgresError(.decoding, "expected one row, found \(rows.count)", statement: statement.text)
    }
    return try rows.row(0).value(0, as: type)
  }

  /// Runs several statements that bind nothing, as one transaction unless they say otherwise.
  package func script(_ text: String) throws(PostgresError) {
    try requireIdle(text)
    let result = try answer(toSending: PQsendQuery(handle, text), statement: text)
    try check(result, statement: text)
  }

  /// Runs a statement, preparing it first if it asks for that.
  func run(_ statement: SQL) throws(PostgresError) -> QueryResult {
    let text = statement.text
    try requireIdle(text)
    let parameters = statement.parameters
    try requireFew(parameters, text)
    guard statement.isPrepared else {
      let result = try answer(toSending: send(text, parameters), statement: text)
      try check(result, statement: text)
      return result
    }
    return try runPrepared(text, parameters)
  }

  /// Sends a statement; 1 where that went well.
  func send(_ text: String, _ parameters: [Parameter]) -> Int32 {
    BoundParameters.withPointers(to: parameters) { bound in
      PQsendQueryParams(
        handle, text, bound.count, bound.types, bound.values, bound.lengths, bound.formats, Self.binaryFormat)
    }
  }

  static var binaryFormat: Int32 { 1 }
}

extension Connection {
  private func runPrepared(_ text: String, _ parameters: [Parameter]) throws(PostgresError) -> QueryResult {
    let wasIdle = transactionStatus == .idle
    let result = try sendPrepared(text, parameters)
    guard forgetIfOutdated(result, text, parameters), wasIdle else {
      try check(result, statement: text)
      return result
    }
    let second = try sendPrepared(text, parameters)
    try check(second, statement: text)
    return second
  }

  /// Whether a schema change has made the plan's result type another, or DISCARD has dropped the statement.
  @discardableResult
  func forgetIfOutdated(
    _ result: borrowing QueryResult, _ text: String, _ parameters: [Parameter]
  ) -> Bool {
    let state = result.field("C")
    guard state == "0A000" || state == "26000" else { return false }
    session.forget(Session.Prepared(text: text, types: parameters.map(\.type.oid)))
    return true
  }

  private func sendPrepared(_ text: String, _ parameters: [Parameter]) throws(PostgresError) -> QueryResult {
    let name = try preparedName(text, parameters)
    return try answer(toSending: send(prepared: name, parameters), statement: text)
  }

  /// Sends a prepared statement; 1 where that went well.
  func send(prepared name: String, _ parameters: [Parameter]) -> Int32 {
    BoundParameters.withPointers(to: parameters) { bound in
      PQsendQueryPrepared(
        handle, name, bound.count, bound.values, bound.lengths, bound.formats, Self.binaryFormat)
    }
  }

  func preparedName(_ text: String, _ parameters: [Parameter]) throws(PostgresError) -> String {
    let key = Session.Prepared(text: text, types: parameters.map(\.type.oid))
    if let name = session.name(of: key) { return name }
    let name = session.makeName()
    let sent = PQsendPrepare(handle, name, text, Int32(key.types.count), key.types)
    let result = try answer(toSending: sent, statement: text)
    try check(result, statement: text)
    session.remember(key, as: name)
    return name
  }
}

extension Connection {
  /// Refuses a statement that libpq would cut, or that would break into a running stream.
  func requireIdle(_ text: String) throws(PostgresError) {
    guard !text.utf8.contains(0) else {
      throw PostgresError(.usage, "a statement cannot hold U+0000")
    }
    guard !session.isStreaming else {
      throw PostgresError(
        .usage, "the connection is busy with a COPY or a streamed query; use another one inside",
        statement: text)
    }
  }

  func requireFew(_ parameters: [Parameter], _ text: String) throws(PostgresError) {
    guard parameters.count <= Self.maximumParameters else {
      throw PostgresError(
        .usage,
        "\(parameters.count) values bound, the most is \(Self.maximumParameters); bind arrays instead",
        statement: text)
    }
  }

  /// Waits for the answer to what was sent: the first error, or else the last result.
  ///
  /// libpq's own `PQexec` would give the last error, and so lose the server's reason for closing a connection.
  func answer(toSending sent: Int32, statement: String) throws(PostgresError) -> QueryResult {
    guard sent == 1 else { throw connectionError(statement: statement) }
    var kept: OpaquePointer?
    while let next = PQgetResult(handle) {
      let status = PQresultStatus(next)
      if let earlier = kept, PQresultStatus(earlier) == PGRES_FATAL_ERROR {
        PQclear(next)
      } else {
        PQclear(kept)
        kept = next
      }
      let isCopying = status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
      if isCopying || PQstatus(handle) != CONNECTION_OK { break }
    }
    guard let kept else { throw connectionError(statement: statement) }
    return QueryResult(kept)
  }

  /// The error that libpq reports for the connection itself.
  func connectionError(statement: String?) -> PostgresError {
    let isLost = PQstatus(handle) != CONNECTION_OK
    return PostgresError(isLost ? .connectionLost : .usage, Self.message(of: handle), statement: statement)
  }

  /// Throws unless the statement succeeded.
  func check(_ result: borrowing QueryResult, statement: String) throws(PostgresError) {
    switch result.status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: return
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      abandonCopy()
      throw PostgresError(.usage, "COPY goes through copyIn and copyOut", statement: statement)
    default:
      throw result.error(isLost: PQstatus(handle) != CONNECTION_OK, statement: statement)
    }
  }

  /// Ends a COPY that nobody asked for, so that the connection can be used again.
  private func abandonCopy() {
    if PQputCopyEnd(handle, "not a statement for execute or query") != 1 { canceller.cancel() }
    drain()
  }

  /// Reads and drops whatever the running statement still sends.
  func drain() {
    while PQstatus(handle) == CONNECTION_OK, let pointer = PQgetResult(handle) {
      let result = QueryResult(pointer)
      guard result.status == PGRES_COPY_OUT else { continue }
      var row: UnsafeMutablePointer<CChar>?
      while PQgetCopyData(handle, &row, 0) > 0 { PQfreemem(row) }
    }
  }
}
