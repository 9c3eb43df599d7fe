internal import EngagementEvents

/// The events of one request.
struct EventBatch {
  private(set) var ids: [EventID] = []
  private var events: [UInt8] = []

  /// Room for the frame around the events.
  private static let frameSize = 64

  /// Takes as many of the events, from the first on, as fit; at least one.
  init(_ candidates: [(id: EventID, json: [UInt8])], bytes limit: Int) {
    for (id, json) in candidates {
      if !ids.isEmpty, events.count + json.count + Self.frameSize > limit { break }
      if !ids.isEmpty { events.append(UInt8(ascii: ",")) }
      events += json
      ids.append(id)
    }
  }

  /// The body, which tells when it is sent.
  func body(sentAt: Timestamp) -> [UInt8] {
    var body = Array(#"{"sentAt":""#.utf8)
    sentAt.appendRFC3339(to: &body)
    body += #"","events":["#.utf8
    body += events
    body += "]}".utf8
    return body
  }
}
