/// How long to wait before the next try: exponential, with full jitter, so that devices do not come back all at once.
public struct Backoff: Sendable, Hashable {
  /// The span of the first wait.
  public var base: Duration
  /// The longest span.
  public var limit: Duration
  /// The longest wait that a server is believed to mean.
  public var longestRetryAfter: Duration
  private var attempt = 0

  /// Makes a backoff.
  public init(
    base: Duration = .seconds(2), limit: Duration = .seconds(600),
    longestRetryAfter: Duration = .seconds(86_400)
  ) {
    self.base = base
    self.limit = limit
    self.longestRetryAfter = longestRetryAfter
  }

  /// Counts a failure, and gives the wait: anything from nothing to a span that doubles each time.
  ///
  /// - Parameters:
  ///   - retryAfter: what the server asked for, which is waited for in any case; nil if it did not.
  ///   - jitter: a number drawn evenly from 0 up to 1.
  mutating func next(after retryAfter: Duration?, jitter: Double) -> Duration {
    let span = attempt < 30 ? min(limit, base * (1 << attempt)) : limit
    attempt += 1
    let spread = span * max(0, min(1, jitter))
    guard let retryAfter else { return spread }
    // All who were sent away at the same time would come back at the same time.
    return max(.zero, min(retryAfter, longestRetryAfter)) + min(spread, base)
  }

  /// Forgets the failures.
  mutating func reset() { attempt = 0 }
}
