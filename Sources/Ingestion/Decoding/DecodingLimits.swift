import EngagementEvents

/// How much a decoder takes at once.
package struct DecodingLimits: Sendable, Hashable {
  /// Bytes of one event; a larger one is rejected alone.
  package var eventBytes: Int
  /// Events of one body; with more the whole body is refused.
  package var events: Int

  /// Makes limits; the contract's unless told.
  package init(eventBytes: Int = EventLimits.eventBytes, events: Int = EventLimits.eventsPerRequest) {
    self.eventBytes = eventBytes
    self.events = events
  }
}
