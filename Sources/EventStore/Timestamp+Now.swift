package import EngagementEvents
internal import Foundation

extension Timestamp {
  /// By this machine's clock.
  package static var now: Timestamp {
    Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
  }
}
