/// Why a whole request is not acceptable; nothing of it is stored.
package struct RequestFault: Error, Sendable, Hashable {
  /// The kind of fault, for programs.
  package var code: Code
  /// The fault and its remedy in a sentence, for people; repeats nothing of the events.
  package var message: String
  /// The offset of the fault in the body, in bytes; nil if it has no one place.
  package var offset: Int?

  /// The kinds of fault; the raw values are what the server answers with.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    case emptyBody = "empty_body"
    case unsupportedEncoding = "unsupported_encoding"
    case invalidJSON = "invalid_json"
    case unknownShape = "unknown_shape"
    case duplicateKey = "duplicate_key"
    case invalidSentAt = "invalid_sent_at"
    case tooManyEvents = "too_many_events"
    case outOfMemory = "out_of_memory"
  }

  /// The HTTP status that the fault asks for: 400, 413, or 503 where the fault is the server's.
  package var status: Int {
    switch code {
    case .tooManyEvents: 413
    case .outOfMemory: 503
    default: 400
    }
  }
}

extension RequestFault {
  static let outOfMemory = RequestFault(
    code: .outOfMemory, message: "the server has no memory left for this body; send it again later")

  static func invalidJSON(_ reason: String, at offset: Int) -> RequestFault {
    RequestFault(
      code: .invalidJSON, message: "the body is not JSON at byte \(offset): \(reason)", offset: offset)
  }

  static func unknownShape(_ found: String, at offset: Int? = nil) -> RequestFault {
    RequestFault(
      code: .unknownShape,
      message: "\(found); send {\"sentAt\": TIME, \"events\": [EVENT, …]}, or an array of events",
      offset: offset)
  }

  static func tooManyEvents(_ limit: Int) -> RequestFault {
    RequestFault(
      code: .tooManyEvents, message: "the body holds more than \(limit) events; send them in several requests"
    )
  }
}
