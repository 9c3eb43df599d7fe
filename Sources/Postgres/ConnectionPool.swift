internal import Dispatch
internal import Synchronization

/// A bounded set of connections that are opened when they are first needed and lent to closures.
package final class ConnectionPool: Sendable {
  package let configuration: ConnectionConfiguration
  package let size: Int
  private let patience: Duration
  /// One permit for each connection that may be out at a time.
  private let permits: DispatchSemaphore
  private let state = Mutex(State())

  private struct State {
    var idle: [Lease] = []
    var isClosed = false
  }

  // A lease is either in the idle list or with the one thread that took it out.
  private final class Lease: @unchecked Sendable {
    let connection: Connection

    init(_ configuration: ConnectionConfiguration) throws(PostgresError) {
      connection = try Connection(configuration)
    }
  }

  /// - Parameters:
  ///   - size: the most connections at a time, at least 1.
  ///   - patience: how long `withConnection` waits for one to come free.
  package init(
    _ configuration: ConnectionConfiguration, size: Int, waitingUpTo patience: Duration = .seconds(30)
  ) {
    precondition(size > 0, "a pool holds at least one connection")
    self.configuration = configuration
    self.size = size
    self.patience = patience
    permits = DispatchSemaphore(value: size)
  }

  /// Lends a connection to `body`, blocking the thread until one is free.
  ///
  /// A connection that is broken, or comes back inside a transaction, is closed; settings that `body` changes stay with the connection.
  ///
  /// - Throws: what `body` throws; `PostgresError` of kind `poolExhausted` if none came free in time, `cannotConnect`, or `usage` after
  ///   `close()`.
  @discardableResult
  package func withConnection<Value: ~Copyable>(_ body: (borrowing Connection) throws -> Value) throws
    -> Value
  {
    guard permits.wait(timeout: .now() + Self.interval(patience)) == .success else {
      throw PostgresError(
        .poolExhausted, "all \(size) connections were busy for \(patience); ask for more or for less work")
    }
    defer { permits.signal() }
    let lease = try takeLease()
    defer { giveBack(lease) }
    return try body(lease.connection)
  }

  /// Closes the idle connections now, and the lent ones as they come back; who still waits gets an error.
  package func close() {
    let closing = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    // One who waits wakes up, finds the pool closed, and wakes the next.
    permits.signal()
    // Closing takes a message to the server: not under the lock.
    _ = consume closing
  }

  private func takeLease() throws(PostgresError) -> Lease {
    while true {
      let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
      guard !isClosed else { throw PostgresError(.usage, "the pool of connections is closed") }
      guard let idle else { return try Lease(configuration) }
      if idle.connection.isAlive { return idle }
    }
  }

  private func giveBack(_ lease: Lease) {
    guard lease.connection.isAlive, lease.connection.transactionStatus == .idle else { return }
    state.withLock { state in
      if !state.isClosed { state.idle.append(lease) }
    }
  }

  private static func interval(_ duration: Duration) -> DispatchTimeInterval {
    let (seconds, attoseconds) = duration.components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
