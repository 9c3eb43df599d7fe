internal import CPostgres

extension Connection {
  /// Runs statements as one transaction, all of them sent before the first is answered: one round trip, where a transaction
  /// of its own takes one for each and two more.
  ///
  /// None can depend on what another returns, and rows that they return are dropped. For statements that return little:
  /// nothing is read while they are sent.
  ///
  /// - Throws: the first error, after which nothing of it has happened; `PostgresError` of kind `connectionLost` where the
  ///   connection broke, after which it may have happened all the same.
  package func executeTogether(_ statements: [SQL]) throws(PostgresError) {
    guard transactionStatus == .idle else {
      throw PostgresError(.usage, "a transaction is open already")
    }
    var queue: [Queued] = []
    for statement in [Self.begin] + statements + [Self.commit] {
      let (text, parameters) = (statement.text, statement.parameters)
      try requireIdle(text)
      try requireFew(parameters, text)
      queue.append(Queued(text: text, parameters: parameters, name: try preparedName(text, parameters)))
    }
    guard PQenterPipelineMode(handle) == 1 else { throw connectionError(statement: nil) }
    let failure = sendAndRead(queue)
    let isClean = PQexitPipelineMode(handle) == 1
    if let failure {
      // Where it fails, the connection is lost anyway.
      if isClean, transactionStatus != .idle { _ = try? execute("ROLLBACK") }
      throw failure
    }
    guard isClean else { throw connectionError(statement: nil) }
  }

  private static var begin: SQL { "BEGIN" }
  private static var commit: SQL { "COMMIT" }

  private struct Queued {
    let text: String
    let parameters: [Parameter]
    let name: String
  }

  /// - Returns: the first error.
  private func sendAndRead(_ queue: [Queued]) -> PostgresError? {
    for statement in queue {
      guard send(prepared: statement.name, statement.parameters) == 1 else {
        return connectionError(statement: statement.text)
      }
    }
    guard PQpipelineSync(handle) == 1 else { return connectionError(statement: nil) }
    var failure: PostgresError?
    for statement in queue {
      do {
        let result = try answer(toSending: 1, statement: statement.text)
        forgetIfOutdated(result, statement.text, statement.parameters)
        try check(result, statement: statement.text)
      } catch {
        failure = failure ?? error
        if PQstatus(handle) != CONNECTION_OK { return failure }
      }
    }
    // The answer to the synchronisation itself.
    while let pointer = PQgetResult(handle) {
      if QueryResult(pointer).status == PGRES_PIPELINE_SYNC { break }
    }
    return failure
  }
}
