internal import Foundation
internal import Synchronization

/// Batches on their way from the posters to the eraser.
final class SoakQueue: Sendable {
  private let batches = Mutex<[SoakBatch]>([])

  /// An erasure goes through the whole log, so few are under way.
  var hasRoom: Bool { batches.withLock { $0.count < 4 } }

  func put(_ batch: SoakBatch) { batches.withLock { $0.append(batch) } }

  func take() -> SoakBatch? { batches.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// Sleeps on the caller's thread.
func pause(_ duration: Duration) { Thread.sleep(forTimeInterval: duration / .seconds(1)) }

/// Work on threads of their own, since most of it waits.
struct Crew {
  private let group = DispatchGroup()

  func add(_ work: @escaping @Sendable () -> Void) {
    group.enter()
    Thread {
      work()
      group.leave()
    }.start()
  }

  func wait() { group.wait() }
}
