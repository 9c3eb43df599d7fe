internal import CPostgres

extension Connection {
  /// Runs `COPY … FROM STDIN` with the bytes that `body` writes, in the format that the statement names.
  ///
  /// If `body` throws, nothing is copied and its error is thrown on.
  ///
  /// - Returns: how many rows were copied.
  @discardableResult
  package func copyIn(_ statement: SQL, _ body: (inout CopyWriter) throws -> Void) throws -> Int {
    let text = try startCopy(statement, expecting: PGRES_COPY_IN)
    session.isStreaming = true
    defer { session.isStreaming = false }
    do {
      var writer = CopyWriter(handle: handle)
      try body(&writer)
      try writer.flush()
    } catch {
      PQputCopyEnd(handle, "the writer gave up")
      drain()
      throw error
    }
    PQputCopyEnd(handle, nil)
    return try finishCopy(text)
  }

  /// Runs `COPY … TO STDOUT` and hands on its bytes as they come, in pieces of about 64 KiB that end with whole rows.
  ///
  /// If `body` throws, the statement is cancelled (which fails an open transaction), and the error is thrown on.
  ///
  /// - Returns: how many rows were copied.
  @discardableResult
  package func copyOut(_ statement: SQL, _ body: ([UInt8]) throws -> Void) throws -> Int {
    let text = try startCopy(statement, expecting: PGRES_COPY_OUT)
    session.isStreaming = true
    defer { session.isStreaming = false }
    do {
      try readCopy(text, body)
    } catch {
      canceller.cancel()
      drainCopy()
      throw error
    }
    return try finishCopy(text)
  }

  private func startCopy(_ statement: SQL, expecting status: ExecStatusType) throws(PostgresError) -> String {
    let text = statement.text
    try requireIdle(text)
    guard statement.parameters.isEmpty else {
      throw PostgresError(.usage, "COPY binds no values", statement: text)
    }
    let result = try answer(toSending: PQsendQuery(handle, text), statement: text)
    guard result.status == status else {
      try check(result, statement: text)
      throw PostgresError(.usage, "the statement is not the COPY that was expected", statement: text)
    }
    return text
  }

  private func readCopy(_ text: String, _ body: ([UInt8]) throws -> Void) throws {
    var pending: [UInt8] = []
    pending.reserveCapacity(CopyWriter.chunkSize * 2)
    while true {
      var row: UnsafeMutablePointer<CChar>?
      let length = PQgetCopyData(handle, &row, 0)
      guard length > 0, let row else { break }
      pending.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(length)))
      PQfreemem(row)
      guard pending.count >= CopyWriter.chunkSize else { continue }
      try body(pending)
      pending.removeAll(keepingCapacity: true)
    }
    if !pending.isEmpty { try body(pending) }
  }

  /// Drops the rest of a COPY and its result.
  private func drainCopy() {
    var row: UnsafeMutablePointer<CChar>?
    while PQgetCopyData(handle, &row, 0) > 0 { PQfreemem(row) }
    drain()
  }

  /// The outcome of a COPY whose data has ended.
  private func finishCopy(_ text: String) throws(PostgresError) -> Int {
    let result = try answer(toSending: 1, statement: text)
    try check(result, statement: text)
    return result.affectedRows
  }
}
