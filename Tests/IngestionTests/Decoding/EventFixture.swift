import EngagementEvents
import Testing

@testable import Ingestion

/// Events to take apart, as JSON.
enum EventFixture {
  /// Both begin and end in a letter that nothing else holds, so that a leak of either end shows.
  static let secretReply = "ꙮ See you at Grandmother's 🙂 ꙮ"
  static let secretDevice = "ꙮ-4f1c-device-ꙮ"

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

  /// Whether text holds an end of the reply or the device id.
  static func leaks(_ text: some Sequence<UInt8>) -> Bool {
    var window: UInt32 = 0
    for byte in text {
      window = window << 8 & 0xFF_FFFF | UInt32(byte)
      if window == 0xEA_99AE { return true }
    }
    return false
  }

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
