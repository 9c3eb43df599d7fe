internal import EventStore
internal import Synchronization

/// Whether Postgres takes events, by how their transactions went.
///
/// A Postgres whose disk is full answers every question and commits nothing. So a failed commit counts until another one
/// succeeds; and since no more may come, where a load balancer heeds `/readyz`, until a write of the probe's own does.
final class CommitHealth: Sendable {
  /// When the last transaction failed, on the monotonic clock; nil where it was committed.
  private let failedAt = Mutex<Int64?>(nil)
  private let now: @Sendable () -> Int64

  /// So many microseconds without a further failure, and the probe tries to write.
  private static let patience: Int64 = 5_000_000

  /// - Parameter now: a clock in microseconds that is never set back.
  init(now: @escaping @Sendable () -> Int64 = { Clock.monotonicMicroseconds }) { self.now = now }

  var isGood: Bool { failedAt.withLock { $0 == nil } }

  /// Whether it is time for the probe to find out.
  var wantsTrial: Bool { failedAt.withLock { $0.map { now() - $0 >= Self.patience } ?? false } }

  /// A transaction has ended. One whose connection was lost tells nothing of the next.
  func note(_ commit: GroupCommitter.Commit) {
    guard let error = commit.error else { return noteSuccess() }
    if error.code != .unavailable { failedAt.withLock { $0 = now() } }
  }

  func noteSuccess() { failedAt.withLock { $0 = nil } }
}
