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
    let result = try received(PQexec(handle, text), statement: text)
    try check(result, statement: text)
  }

  /// Runs a statement, preparing it first if it asks for that.
  func run(_ statement: SQL) throws(PostgresError) -> QueryResult {
    let text = statement.text
    try requireIdle(text)
    let parameters = statement.parameters
    try requireFew(parameters, text)
    guard statement.isPrepared else {
      let result = try received(send(text, parameters), statement: text)
      try check(result, statement: text)
      return result
    }
    return try runPrepared(text, parameters)
  }

  private func send(_ text: String, _ parameters: [Parameter]) -> OpaquePointer? {
    BoundParameters.withPointers(to: parameters) { bound in
      PQexecParams(
        handle, text, bound.count, bound.types, bound.values, bound.lengths, bound.formats, Self.binaryFormat)
    }
  }

  static var binaryFormat: Int32 { 1 }
}

extension Connection {
  private func runPrepared(_ text: String, _ parameters: [Parameter]) throws(PostgresError) -> QueryResult {
    let wasIdle = transactionStatus == .idle
    var answer = try sendPrepared(text, parameters)
    if QueryResult.isOfStalePlan(answer) {
      session.forget(text, parameters)
      // Inside a transaction the failure has spoilt it, and only its owner can start again.
      if wasIdle {
        PQclear(answer)
        answer = try sendPrepared(text, parameters)
      }
    }
    return try checked(answer, statement: text)
  }

  private func checked(_ answer: OpaquePointer?, statement: String) throws(PostgresError) -> QueryResult {
    let result = try received(answer, statement: statement)
    try check(result, statement: statement)
    return result
  }

  // Inlined into its caller, its closure over the connection makes the optimiser of Swift 6.3.1 break off.
  @inline(never)
  private func sendPrepared(_ text: String, _ parameters: [Parameter]) throws(PostgresError) -> OpaquePointer? {
    let name = try preparedName(text, parameters)
    return BoundParameters.withPointers(to: parameters) { bound in
      PQexecPrepared(
        handle, name, bound.count, bound.values, bound.lengths, bound.formats, Self.binaryFormat)
    }
  }

  private func preparedName(_ text: String, _ parameters: [Parameter]) throws(PostgresError) -> String {
    let key = Session.Prepared(text, parameters)
    if let name = session.preparedNames[key] { return name }
    session.preparedCount += 1
    let name = "pushlift_\(session.preparedCount)"
    let result = try received(
      PQprepare(handle, name, text, Int32(key.types.count), key.types), statement: text)
    try check(result, statement: text)
    session.preparedNames[key] = name
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

  /// The result, or the error that there is none.
  func received(_ handle: OpaquePointer?, statement: String) throws(PostgresError) -> QueryResult {
    guard let handle else { throw connectionError(statement: statement) }
    return QueryResult(handle)
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
