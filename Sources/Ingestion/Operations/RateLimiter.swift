internal import Synchronization

/// Bounds how many events a second each key may send, by a bucket of tokens for each.
///
/// A request is let in while its key's bucket is not empty, whatever it holds, and pays once its events are counted; what
/// it takes too much is owed, and the key waits until that is paid. So a request is judged before its body is read, none
/// is too large to pass ever, and the rate holds over time.
final class RateLimiter: Sendable {
  private struct Bucket {
    /// Below zero where the key has taken more than it had.
    var tokens: Double
    /// On the monotonic clock, in microseconds.
    var filledAt: Int64
  }

  private let rate: Double
  private let burst: Double
  private let now: @Sendable () -> Int64
  private let buckets = Mutex<[String: Bucket]>([:])

  /// - Parameters:
  ///   - eventsPerSecond: at least 1.
  ///   - burst: events that a key which was silent may send at once.
  ///   - now: a clock in microseconds that is never set back.
  init(
    eventsPerSecond: Int, burst: Int, now: @escaping @Sendable () -> Int64 = { Clock.monotonicMicroseconds }
  ) {
    rate = Double(max(1, eventsPerSecond))
    self.burst = Double(max(1, burst))
    self.now = now
  }

  /// Whether a key may send now.
  ///
  /// - Returns: nil = yes; otherwise after how many whole seconds it may, at least one.
  func delay(of keyID: String) -> Int? { charge(0, to: keyID) }

  /// Takes the events of a request that was let in, unless others have emptied the bucket meanwhile.
  ///
  /// - Returns: as `delay(of:)`.
  func charge(_ events: Int, to keyID: String) -> Int? {
    buckets.withLock { buckets in
      var bucket = buckets[keyID] ?? Bucket(tokens: burst, filledAt: now())
      fill(&bucket)
      defer { buckets[keyID] = bucket }
      guard bucket.tokens > 0 else { return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up))) }
      bucket.tokens -= Double(events)
      return nil
    }
  }

  private func fill(_ bucket: inout Bucket) {
    let moment = now()
    bucket.tokens = min(burst, bucket.tokens + Double(moment - bucket.filledAt) / 1_000_000 * rate)
    bucket.filledAt = moment
  }
}
