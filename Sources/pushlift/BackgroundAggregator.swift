internal import EventStore
internal import Foundation
internal import Ingestion
internal import Projections
internal import Synchronization

/// Aggregates on a thread of its own, again and again, until it is stopped, and makes the log's partitions ahead of time.
final class BackgroundAggregator: Sendable {
  private let store: EventStore
  private let interval: Duration
  private let aggregates: Bool
  /// How long between two looks at the partitions.
  private let upkeepInterval: Duration
  /// How long until a failure that lasts is told again.
  private let complaintInterval: Duration
  private let log: ServiceLog
  private let isStopped = Mutex(false)
  private let wakeUp = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameter aggregates: false where another process aggregates, and only partitions are made here.
  init(
    _ store: EventStore, interval: Duration = .seconds(2), aggregates: Bool = true,
    upkeepInterval: Duration = .seconds(3_600), complaintInterval: Duration = .seconds(60), log: ServiceLog
  ) {
    self.store = store
    self.log = log
    self.interval = interval
    self.aggregates = aggregates
    self.upkeepInterval = upkeepInterval
    self.complaintInterval = complaintInterval
  }

  func start() {
    let thread = Thread { [self] in
      run()
      ended.signal()
    }
    thread.name = "pushlift-aggregate"
    thread.start()
  }

  /// Ends it once the range that is being read, if any, is done.
  func beginStopping() {
    isStopped.withLock { $0 = true }
    wakeUp.signal()
  }

  /// - Returns: whether it has ended by then.
  func waitUntilStopped(for patience: Duration) -> Bool {
    ended.wait(timeout: .now() + (patience / .seconds(1))) == .success
  }

  private func run() {
    var failure = LastingFailure(interval: complaintInterval)
    // Whoever opened the store has just made them.
    var lastUpkeep = ContinuousClock.now
    var isUpkeepDue: Bool { ContinuousClock.now - lastUpkeep >= upkeepInterval }
    while isWanted {
      do {
        let connection = try store.connect(aggregates ? .aggregating : .ingesting)
        while isWanted {
          if isUpkeepDue {
            try EventPartitions.prepare(on: connection)
            lastUpkeep = .now
          }
          if aggregates {
            // Small ranges, so that a stop need not wait long.
            _ = try EngagementProjection(rangeLimit: 50_000).run(on: connection) { _, _ in isWanted }
          }
          failure.end()
          pause()
        }
      } catch {
        // The database may be away for long: keep trying, and tell it now and then.
        failure.tell(error, as: "aggregation failed", code: "aggregation", in: log)
        pause()
      }
    }
  }

  private var isWanted: Bool { isStopped.withLock { !$0 } }

  private func pause() { _ = wakeUp.wait(timeout: .now() + (interval / .seconds(1))) }
}
