package import EventStore
internal import Foundation
internal import Postgres
internal import Synchronization

/// The valid keys of a store, read again twice a second, so that a revoked key ends within a second.
///
/// While they cannot be read the last known keys stay, and the log says why: where the database is away, requests fail for a
/// better reason.
package final class KeyRing: Sendable {
  private let store: EventStore
  private let log: ServiceLog
  private let keys: Mutex<[String: ApiKey]>
  private let isStopped = Mutex(false)

  private static let interval = Duration.milliseconds(500)
  /// How long it takes at most until rings know of a change: a pause, and time to read.
  package static let settlingTime = interval * 2

  /// Reads the keys once before it returns.
  ///
  /// - Throws: `StoreError` where they cannot be read.
  package init(
    _ store: EventStore, interval: Duration = KeyRing.interval, log: ServiceLog = .silent
  ) throws {
    self.store = store
    self.log = log
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

  /// How long it waits at most to look again after it could not read them, in seconds.
  private static let longestPause = 2.0

  /// Ends when the ring is stopped or gone; holds it only while it reads.
  private static func refresh(every interval: TimeInterval, _ ring: () -> KeyRing?) {
    var pause = Backoff(longest: longestPause)
    var failure = LastingFailure()
    while ring()?.isRunning == true {
      do {
        guard let connection = try ring()?.store.connect(.ingesting) else { return }
        while let current = ring(), current.isRunning {
          let keys = try read(connection)
          current.keys.withLock { $0 = keys }
          pause.reset()
          failure.end()
          Thread.sleep(forTimeInterval: interval)
        }
      } catch {
        if let log = ring()?.log { failure.tell(error, as: "keys not read", code: "keys", in: log) }
        Thread.sleep(forTimeInterval: pause.next())
      }
    }
  }

  private var isRunning: Bool { isStopped.withLock { !$0 } }
}
