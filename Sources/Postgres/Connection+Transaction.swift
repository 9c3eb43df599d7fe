internal import CPostgres

/// How far a transaction is kept from the changes of others.
package enum IsolationLevel: String, Sendable {
  case readCommitted = "READ COMMITTED"
  case repeatableRead = "REPEATABLE READ"
  case serializable = "SERIALIZABLE"
}

extension Connection {
  /// Runs `body` in a transaction: committed if it returns, rolled back if it throws.
  ///
  /// - Parameters:
  ///   - isolation: nil for the session's default, which is usually READ COMMITTED.
  ///   - readOnly: nil for the session's default, which is usually not.
  ///   - first: a statement that binds nothing, sent along with the BEGIN: it saves a round trip.
  /// - Throws: what `body` throws; `PostgresError` of kind `rolledBack` if a statement inside had failed and the error was swallowed; of
  ///   kind `connectionLost` if the connection broke, after which a COMMIT under way may or may not have happened.
  @discardableResult
  package func withTransaction<Value: ~Copyable>(
    isolation: IsolationLevel? = nil, readOnly: Bool? = nil, first: String? = nil,
    _ body: (borrowing Connection) throws -> Value
  ) throws -> Value {
    guard transactionStatus != .inTransaction, transactionStatus != .inFailedTransaction else {
      throw PostgresError(.usage, "a transaction is open already; nest with withSavepoint")
    }
    var begin = "BEGIN"
    if let isolation { begin += " ISOLATION LEVEL \(isolation.rawValue)" }
    if let readOnly { begin += readOnly ? " READ ONLY" : " READ WRITE" }
    let value: Value
    do {
      if let first { try script(begin + "; " + first) } else { try execute(SQL(unsafeRaw: begin)) }
      value = try body(self)
    } catch {
      // The error that led here matters more than one of the rollback; if that fails, the connection is lost anyway.
      _ = try? execute("ROLLBACK")
      throw error
    }
    try commit()
    return value
  }

  private func commit() throws(PostgresError) {
    guard transactionStatus != .idle else {
      throw PostgresError(.usage, "the transaction was ended by a statement inside it")
    }
    let tag = try run("COMMIT").commandTag
    guard tag == "COMMIT" else {
      throw PostgresError(.rolledBack, "COMMIT was answered by \(tag): an error inside was swallowed")
    }
  }

  /// Runs `body` in a savepoint of the open transaction: if it throws, what it did is undone, and the transaction goes on.
  @discardableResult
  package func withSavepoint<Value: ~Copyable>(_ body: (borrowing Connection) throws -> Value) throws -> Value
  {
    session.enterSavepoint()
    defer { session.leaveSavepoint() }
    let name = SQL(unsafeRaw: "pushlift_\(session.savepointDepth)")
    try execute("SAVEPOINT \(name)")
    let value: Value
    do {
      value = try body(self)
    } catch {
      if (try? execute("ROLLBACK TO SAVEPOINT \(name)")) != nil {
        _ = try? execute("RELEASE SAVEPOINT \(name)")
      }
      throw error
    }
    try execute("RELEASE SAVEPOINT \(name)")
    return value
  }
}
