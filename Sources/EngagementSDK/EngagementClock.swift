public import EngagementEvents
internal import Foundation

/// What time it is, and a way to wait: the system's, or a test's.
public protocol EngagementClock: Sendable {
  /// Now, by the device's clock, which may be wrong.
  var now: Timestamp { get }

  /// Waits.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// The device's own clock.
public struct SystemClock: EngagementClock {
  /// The one there is.
  public init() {}

  /// Now, to the microsecond.
  public var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  /// Waits; time in which the device sleeps counts too.
  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration, clock: .continuous)
  }
}

extension Timestamp {
  /// Exact to the microsecond; stays within what can be told.
  func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflows) = microseconds.addingReportingOverflow(
      overflow ? 0 : product + attoseconds / 1_000_000_000_000)
    if overflow || overflows { return Timestamp(microseconds: duration < .zero ? .min : .max) }
    return Timestamp(microseconds: sum)
  }
}
