package import EngagementEvents
internal import ForeignEvents

/// What a request body holds: the events and the faults, in the order of the body.
package struct DecodedBatch: Sendable, Hashable {
  /// When the device sent the request, by its own clock; nil if not told.
  package var sentAt: Timestamp?
  /// What is odd about the body itself.
  package var warning: EventWarning?
  /// One for each event of the body, in order, so that the position here is the index there.
  package var results: [DecodedEvent] = []
  /// Fields that the contract does not know, in all accepted events and around them; they were ignored.
  package var unknownFieldCount = 0
  /// Records of a foreign body that are about something else, by what that is. Own events are never ignored.
  package var ignored: [String: Int] = [:]
  /// Where the ignored ones stood in the body, ascending.
  var ignoredPlaces: [Int] = []
  /// What foreign deliveries do not tell, by their place in the body.
  var lacks: [Int: LimitSet] = [:]
  /// The key of a body that brings its own.
  var writeKey: String?

  /// Counts the next record as one about something else.
  mutating func ignore(_ what: String) {
    ignoredPlaces.append(count)
    ignored[what, default: 0] += 1
  }

  /// Records of the body, ignored ones among them.
  var count: Int { results.count + ignoredPlaces.count }

  /// The place in the body of each result.
  var places: [Int] {
    if ignoredPlaces.isEmpty { return Array(results.indices) }
    let ignored = Set(ignoredPlaces)
    return (0..<count).filter { !ignored.contains($0) }
  }
}

/// One event of a body: accepted with what is odd about it, or rejected.
package enum DecodedEvent: Sendable, Hashable {
  /// An event that satisfies every rule; the warnings are almost always none.
  case event(EngagementEvent, warnings: [EventWarning])
  /// An event that breaks a rule.
  case rejected(RejectedEvent)
}
