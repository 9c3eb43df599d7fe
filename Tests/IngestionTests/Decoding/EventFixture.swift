import EngagementEvents
import Testing

@testable import Ingestion

/// Events to take apart, as JSON.
enum EventFixture {
  static let secretReply = "See you at Grandmother's 🙂"
  static let secretDevice = "D-4f1c-secret-device"

  /// An event of a type with the fields it needs; `fields` are JSON values that replace these, or nil to leave one out.
  static func json(_ type: String = "expanded", _ fields: KeyValuePairs<String, String?> = [:]) -> String {
    var members: [(String, String)] = [
      ("id", "\"7c42ca9b-9eab-4d04-80b3-40f10b0c54aa\""), ("type", "\"\(type)\""),
      ("notificationId", "\"N1\""),
      ("deviceId", "\"\(secretDevice)\""), ("occurredAt", "\"2026-03-01T08:00:00Z\""),
    ]
    if type == "action" { members.append(("actionId", "\"reply\"")) }
    for (name, value) in fields {
      if let position = members.firstIndex(where: { $0.0 == name }) {
        if let value { members[position].1 = value } else { members.remove(at: position) }
      } else if let value {
        members.append((name, value))
      }
    }
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Decodes one event on its own.
  static func decode(_ json: String) throws -> DecodedEvent {
    let batch = try EventBatchDecoder().decode(Array("[\(json)]".utf8), format: .json)
    try #require(batch.results.count == 1)
    return batch.results[0]
  }

  static func event(_ json: String, _ location: SourceLocation = #_sourceLocation) throws -> EngagementEvent {
    let result = try decode(json)
    guard case .event(let event, _) = result else {
      throw Unexpected(what: "\(result)")
    }
    return event
  }

  static func rejection(_ json: String) throws -> RejectedEvent {
    let result = try decode(json)
    guard case .rejected(let rejection) = result else { throw Unexpected(what: "accepted") }
    return rejection
  }

  static func fault(_ json: String) throws -> EventFault { try rejection(json).fault }

  struct Unexpected: Error { var what: String }
}

extension DecodedEvent {
  var rejection: RejectedEvent? {
    if case .rejected(let rejection) = self { rejection } else { nil }
  }

  var accepted: EngagementEvent? {
    if case .event(let event, _) = self { event } else { nil }
  }
}
