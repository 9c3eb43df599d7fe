import Foundation
import Synchronization
import TestSupport

/// A bad network between clients and a server on this machine.
final class UnreliableProxy: Sendable {
  enum Fate: CaseIterable {
    case passed
    case delayed
    /// Closed before anything got through.
    case dropped
    case reset
    /// Part of the request got through, and no answer came.
    case requestCut
    /// The server did what was asked, and its answer was lost, or came in part.
    case answerLost
    case answerCut
    case tooManyRequests
    case serverError
    case unavailable
    /// For what is not small already: a single event has to get through some day.
    case tooLarge
  }

  private struct State {
    var deck: [Fate] = []
    var counts: [Fate: Int] = [:]
  }

  private final class Deck: Sendable {
    private let state = Mutex(State())

    /// Each fate comes up, and half of what is sent gets through, in an order that nobody knows.
    func draw(size: Int) -> Fate {
      state.withLock { state in
        if state.deck.isEmpty {
          state.deck = (Fate.allCases + Array(repeating: .passed, count: 6)).shuffled()
        }
        var fate = state.deck.removeLast()
        if fate == .tooLarge, size < 2_000 { fate = .passed }
        state.counts[fate, default: 0] += 1
        return fate
      }
    }

    var counts: [Fate: Int] { state.withLock { $0.counts } }
  }

  private let deck: Deck
  private let server: SocketServer
  var port: UInt16 { server.port }
  var counts: [Fate: Int] { deck.counts }

  init(to target: HTTPClient) throws {
    let deck = Deck()
    self.deck = deck
    server = try SocketServer { connection in
      while let request = connection.readRequest() {
        guard Self.pass(request, from: connection, to: target, deck.draw(size: request.count)) else { return }
      }
    }
  }

  /// - Returns: whether the connection can be used again.
  private static func pass(
    _ request: [UInt8], from connection: SocketConnection, to target: HTTPClient, _ fate: Fate
  ) -> Bool {
    switch fate {
    case .dropped: return false
    case .reset:
      connection.reset()
      return false
    case .requestCut:
      (try? SocketConnection(connectingTo: target.port))?.write(request.dropLast(20))
      return false
    case .tooManyRequests: return connection.write(answer(429, "Retry-After: 0"))
    case .serverError: return connection.write(answer(500))
    case .unavailable: return connection.write(answer(503))
    case .tooLarge: return connection.write(answer(413))
    case .delayed: usleep(.random(in: 1_000...100_000))
    case .passed, .answerLost, .answerCut: break
    }
    guard let answered = try? target.exchange(request) else { return false }
    let bytes = answer(answered.status, "Content-Type: application/json", body: answered.body)
    switch fate {
    case .answerLost:
      connection.reset()
      return false
    case .answerCut:
      // In the body: Foundation on Linux traps where an answer ends within its head.
      connection.write(bytes.dropLast(.random(in: 1..<max(2, answered.body.count))))
      return false
    default: return connection.write(bytes)
    }
  }

  private static func answer(_ status: Int, _ header: String = "X: y", body: [UInt8] = []) -> [UInt8] {
    Array("HTTP/1.1 \(status) Said\r\n\(header)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
