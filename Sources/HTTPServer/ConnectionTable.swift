import CMicroHTTPD
import Synchronization

/// The open connections of a server, and those it is done with but whose clients are still talking.
final class ConnectionTable: Sendable {
  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    var countByPeer: [String: Int] = [:]
    var lingering: [(descriptor: Int32, until: Int64)] = []
  }

  private let state = Mutex(State())
  private let limit: Int
  private let perPeerLimit: Int
  private let exempt: [AddressRange]

  /// - Parameter exempt: peers that stand for many clients, and so have no limit of their own.
  init(limit: Int, perPeerLimit: Int, exempt: [AddressRange]) {
    self.limit = limit
    self.perPeerLimit = perPeerLimit
    self.exempt = exempt
  }

  /// Whether one more connection from this peer may open. Threads that ask at the same time may pass the limit by one each.
  func hasRoom(for peer: String) -> Bool {
    let (all, own) = state.withLock { ($0.connections.count, $0.countByPeer[peer, default: 0]) }
    guard all < limit else { return false }
    guard perPeerLimit > 0, own >= perPeerLimit else { return true }
    return exempt.contains { $0.contains(peer) }
  }

  func insert(_ connection: Connection) {
    state.withLock {
      $0.connections[ObjectIdentifier(connection)] = connection
      $0.countByPeer[connection.peer, default: 0] += 1
    }
  }

  /// Called before the library closes the descriptor, so that one found in the table is always the connection's own.
  func remove(_ connection: Connection, now: Int64) {
    let lingers = connection.lingers
    state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = nil
      let count = state.countByPeer[connection.peer, default: 1] - 1
      state.countByPeer[connection.peer] = count > 0 ? count : nil
      guard lingers, state.lingering.count < Self.lingeringLimit else { return }
      let descriptor = cmhd_linger(connection.descriptor)
      if descriptor >= 0 { state.lingering.append((descriptor, now + Self.lingeringTime)) }
    }
  }

  private static let lingeringLimit = 256
  private static let lingeringTime: Int64 = 2_000_000

  /// The connection whose head the calling thread has read and not handed over yet; nil where there is none.
  func beingOpenedHere() -> (connection: Connection, mhd: OpaquePointer)? {
    for connection in state.withLock({ $0.connections.values }) {
      if let mhd = connection.isBeingOpenedHere { return (connection, mhd) }
    }
    return nil
  }

  var replies: [Reply] { state.withLock { $0.connections.values.compactMap(\.awaitedReply) } }

  /// Cuts off those whose time has run out, and gives those that linger their moment.
  ///
  /// - Parameter lastWords: given what the request goes by in logs.
  /// - Returns: the peers cut off, with the same.
  func sweep(now: Int64, lastWords: (String) -> [UInt8]) -> [(peer: String, requestID: String)] {
    state.withLock { state in
      state.lingering.removeAll { drainOrClose($0.descriptor, force: $0.until <= now) }
      return state.connections.values.compactMap { connection in
        connection.expire(at: now, lastWords: lastWords).map { (connection.peer, $0) }
      }
    }
  }

  /// Ends the lingering, once no connection is left.
  func closeLingering() {
    state.withLock { state in
      for entry in state.lingering { cmhd_close(entry.descriptor) }
      state.lingering = []
    }
  }
}

/// Whether the descriptor is closed now: its peer is done, or has had its time.
private func drainOrClose(_ descriptor: Int32, force: Bool) -> Bool {
  guard cmhd_drain(descriptor) != 0 || force else { return false }
  cmhd_close(descriptor)
  return true
}
