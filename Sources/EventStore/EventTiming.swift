package import EngagementEvents

/// How far the time of an event can be believed.
package enum TimeQuality: Int16, Sendable, Hashable, CaseIterable {
  /// The device's clock, as it was.
  case client = 0
  /// Moved by the skew between the device's clock and ours.
  case corrected = 1
  /// Over 24 hours in the future or over 400 days in the past: kept, never counted, always reported.
  case implausible = 2
}

/// The corrected time of an event, and how it came about.
package struct EventTiming: Sendable, Hashable {
  package let corrected: Timestamp
  package let quality: TimeQuality

  /// Skews up to this long are taken for delay on the network: correcting by them would reorder one device's events.
  package static let toleratedSkew: Int64 = 55 * 60 * 1_000_000
  package static let furthestFuture: Int64 = 24 * 3_600 * 1_000_000
  package static let furthestPast: Int64 = 400 * 86_400 * 1_000_000

  /// - Parameters:
  ///   - occurredAt: by the device's clock.
  ///   - sentAt: the same clock when the request was sent; nil where the request did not tell.
  ///   - receivedAt: by the server's clock, when the request arrived.
  ///   - earliest: where what can be believed begins, for an import of history; nil for 400 days before the arrival.
  package init(
    occurredAt: Timestamp, sentAt: Timestamp?, receivedAt: Timestamp, earliest: Timestamp? = nil
  ) {
    let skew = sentAt.map { receivedAt.microseconds - $0.microseconds } ?? 0
    let isSkewed = skew.magnitude > Self.toleratedSkew.magnitude
    let time = isSkewed ? occurredAt.microseconds + skew : occurredAt.microseconds
    let age = receivedAt.microseconds - time
    let oldest = earliest.map { receivedAt.microseconds - $0.microseconds } ?? Self.furthestPast
    corrected = Timestamp(microseconds: time)
    if age < -Self.furthestFuture || age > oldest {
      quality = .implausible
    } else {
      quality = isSkewed ? .corrected : .client
    }
  }
}
