internal import EventStore
internal import Foundation
internal import Projections
internal import Synchronization

/// Aggregates on a thread of its own, again and again, until it is stopped.
final class BackgroundAggregator: Sendable {
  private let store: EventStore
  private let interval: Duration
  private let isStopped = Mutex(false)
  private let wakeUp = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ store: EventStore, interval: Duration = .seconds(2)) {
    self.store = store
    self.interval = interval
  }

  func start() {
    let thread = Thread { [self] in
      run()
      ended.signal()
    }
    thread.name = "pushlift-aggregate"
    thread.start()
  }

  /// Returns when the range that is being read, if any, is done.
  func stop() {
    isStopped.withLock { $0 = true }
    wakeUp.signal()
    ended.wait()
  }

  private func run() {
    var lastComplaint = ""
    while isWanted {
      do {
        let connection = try store.connect(.aggregating)
        while isWanted {
          // Small ranges, so that a stop need not wait long.
          _ = try EngagementProjection(rangeLimit: 50_000).run(on: connection) { _, _ in isWanted }
          lastComplaint = ""
          pause()
        }
      } catch {
        // The database may be away for long: say so once, and keep trying.
        let complaint = "aggregation: \(error)"
        if complaint != lastComplaint { Terminal.complain(complaint) }
        lastComplaint = complaint
        pause()
      }
    }
  }

  private var isWanted: Bool { isStopped.withLock { !$0 } }

  private func pause() { _ = wakeUp.wait(timeout: .now() + (interval / .seconds(1))) }
}
