package import EventStore
internal import Foundation
internal import Postgres
internal import Synchronization

/// The valid keys of a store, read again twice a second, so that a revoked key ends within a second.
///
/// While the database is away the last known keys stay: requests then fail for a better reason.
package final class KeyRing: Sendable {
  private let store: EventStore
  private let keys: Mutex<[String: ApiKey]>
  private let isStopped = Mutex(false)

  /// Reads the keys once before it returns.
  ///
  /// - Throws: `StoreError` where they cannot be read.
  package init(_ store: EventStore, interval: Duration = .milliseconds(500)) throws {
    self.store = store
    keys = Mutex(try Self.read(try store.connect(.ingesting)))
    let thread = Thread { [weak self] in Self.refresh(every: interval / .seconds(1)) { self } }
    thread.name = "pushlift-keys"
    thread.start()
  }

  /// The key that was presented, if it is valid.
  package func find(_ presented: String) -> ApiKey? {
    guard let id = ApiKey.id(of: presented) else { return nil }
    let key = keys.withLock { $0[id] }
    guard let key, key.matches(presented) else { return nil }
    return key
  }

  /// The valid key with this public half.
  func key(_ id: String) -> ApiKey? { keys.withLock { $0[id] } }

  package func stop() { isStopped.withLock { $0 = true } }

  private static func read(_ connection: borrowing Connection) throws -> [String: ApiKey] {
    Dictionary(try ApiKey.allValid(on: connection).map { ($0.id, $0) }) { first, _ in first }
  }

  /// Ends when the ring is stopped or gone; holds it only while it reads.
  private static func refresh(every interval: TimeInterval, _ ring: () -> KeyRing?) {
    while true {
      guard let connection = try? ring()?.store.connect(.ingesting) else {
        guard ring()?.isRunning == true else { return }
        Thread.sleep(forTimeInterval: interval)
        continue
      }
      while let current = ring(), current.isRunning {
        guard let keys = try? read(connection) else { break }
        current.keys.withLock { $0 = keys }
        Thread.sleep(forTimeInterval: interval)
      }
      guard ring()?.isRunning == true else { return }
    }
  }

  private var isRunning: Bool { isStopped.withLock { !$0 } }
}
