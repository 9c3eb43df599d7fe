import Foundation
import Synchronization
import TestSupport

/// Clients that post a share of the events each, until an answer fails to come.
final class PostingLoad: Sendable {
  private let acknowledged = Mutex<[String]>([])
  private let clients = Mutex<[BackgroundWork<Void>]>([])

  init(_ events: [String], to client: HTTPClient, key: String, clients count: Int = 4, each size: Int = 20) {
    for number in 0..<count {
      let work = BackgroundWork<Void> { [self] in
        for start in stride(from: number * size, to: events.count, by: count * size) {
          let batch = events[start..<min(start + size, events.count)]
          guard try client.post(batch, key: key).status == 200 else { return }
          acknowledged.withLock { $0 += batch }
        }
      }
      clients.withLock { $0.append(work) }
    }
  }

  var count: Int { acknowledged.withLock { $0.count } }

  /// The events whose requests were answered with 200, once no client posts any more.
  func finish() -> [String] {
    // A client whose connection broke has thrown, as it should.
    for client in clients.withLock({ $0 }) { try? client.value() }
    return acknowledged.withLock { $0 }
  }
}
