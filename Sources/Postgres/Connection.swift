internal import CPostgres

/// One session with Postgres, synchronous: every call blocks its thread until the server has answered.
///
/// Blocking belongs on threads of one's own, never on Swift's cooperative pool. A connection is used by one thread at a time; it is
/// lent to closures and closed when its owner lets go of it.
package struct Connection: ~Copyable {
  let handle: OpaquePointer
  let session = Session()

  /// Connects, and waits until the session is ready (10 seconds, unless `connect_timeout` says otherwise).
  ///
  /// - Throws: `PostgresError` of kind `cannotConnect`.
  package init(_ configuration: ConnectionConfiguration) throws(PostgresError) {
    let text = configuration.connectionString
    guard !text.utf8.contains(0), let handle = PQconnectdb(text) else {
      throw PostgresError(.cannotConnect, "the connection's settings hold a zero byte or memory ran out")
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = Self.message(of: handle)
      PQfinish(handle)
      throw PostgresError(.cannotConnect, "\(message) (\(configuration))")
    }
    // The default receiver would print notices to stderr.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    self.handle = handle
  }

  deinit { PQfinish(handle) }

  /// The process id of the server's end, as in `pg_stat_activity`.
  package var backendProcessID: Int { Int(PQbackendPID(handle)) }

  /// What can stop a statement of this connection from another thread.
  package var canceller: Canceller { Canceller(PQgetCancel(handle)) }

  /// What stands in libpq's error buffer, in one line.
  static func message(of handle: OpaquePointer) -> String {
    let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    let line = text.split(separator: "\n").joined(separator: " ")
    return line.isEmpty ? "no message" : line
  }
}

extension Connection {
  /// Where the session stands between statements.
  package enum TransactionStatus: Sendable, Hashable {
    case idle, active, inTransaction, inFailedTransaction, unknown
  }

  package var transactionStatus: TransactionStatus {
    switch PQtransactionStatus(handle) {
    case PQTRANS_IDLE: .idle
    case PQTRANS_ACTIVE: .active
    case PQTRANS_INTRANS: .inTransaction
    case PQTRANS_INERROR: .inFailedTransaction
    default: .unknown
    }
  }

  /// Whether the connection still stands, as far as can be known without asking the server: a close that has arrived is noticed.
  package var isAlive: Bool {
    // A server that ends a session sends a last message and then closes: two reads find out.
    for _ in 0..<4 where !session.isStreaming {
      var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      guard PQstatus(handle) == CONNECTION_OK, poll(&socket, 1, 0) > 0 else { break }
      if PQconsumeInput(handle) == 0 { return false }
      _ = PQisBusy(handle)
    }
    return PQstatus(handle) == CONNECTION_OK
  }
}

/// Stops the statement that a connection is running, from any thread, also after the connection is gone.
package final class Canceller: Sendable {
  // Nothing changes the object after it was made, and PQcancel may be called from any thread.
  private nonisolated(unsafe) let handle: OpaquePointer?

  init(_ handle: OpaquePointer?) { self.handle = handle }

  deinit { PQfreeCancel(handle) }

  /// Asks the server to stop; the statement then fails with SQLSTATE 57014, unless it was done already.
  ///
  /// - Returns: whether the request was delivered.
  @discardableResult
  package func cancel() -> Bool {
    var message = [CChar](repeating: 0, count: 256)
    return PQcancel(handle, &message, Int32(message.count)) == 1
  }
}
