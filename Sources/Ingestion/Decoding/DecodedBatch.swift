package import EngagementEvents

/// What a request body holds: the events and the faults, in the order of the body.
package struct DecodedBatch: Sendable, Hashable {
  /// When the device sent the request, by its own clock; nil if not told.
  package var sentAt: Timestamp?
  /// One for each event of the body, in order, so that the position here is the index there.
  package var results: [DecodedEvent] = []
  /// Fields that the contract does not know, in all accepted events and around them; they were ignored.
  package var unknownFieldCount = 0
}

/// One event of a body: accepted with what is odd about it, or rejected.
package enum DecodedEvent: Sendable, Hashable {
  /// An event that satisfies every rule; the warnings are almost always none.
  case event(EngagementEvent, warnings: [EventWarning])
  /// An event that breaks a rule.
  case rejected(RejectedEvent)
}
