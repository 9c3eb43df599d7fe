internal import EngagementEvents

/// JSON Schemas of the event contract, made from the names, limits and enumerations that the decoder goes by.
enum EventSchema {
  /// The schema of the events of a type: its own fields, and none that belongs to another type.
  static func schema(of type: EventType) -> JSONValue {
    let properties = EventField.allCases.map { field -> (String, JSONValue) in
      if field == .type { return (field.rawValue, ["const": .string(type.rawValue)]) }
      // A null is taken for an absent field, on any event.
      guard field.owner == nil || field.owner == type else { return (field.rawValue, ["type": "null"]) }
      return (field.rawValue, isRequired(field) ? schema(of: field) : nullable(schema(of: field)))
    }
    let required = EventField.allCases.filter { isRequired($0) && ($0.owner == nil || $0.owner == type) }
    return [
      "type": "object", "properties": .object(properties), "required": .strings(required.map(\.rawValue)),
    ]
  }

  /// The fields without which an event of their type is rejected.
  static func isRequired(_ field: EventField) -> Bool {
    switch field {
    case .id, .type, .notificationId, .deviceId, .occurredAt, .actionId: true
    default: false
    }
  }

  private static func schema(of field: EventField) -> JSONValue {
    switch field {
    case .id: ["type": "string", "format": "uuid"]
    case .type: choice(EventType.self)
    case .notificationId: text(EventLimits.notificationIDBytes)
    case .deviceId: text(EventLimits.deviceIDBytes)
    case .category: text(EventLimits.categoryBytes)
    case .occurredAt: time
    case .sequence: natural
    case .source: choice(EventSource.self)
    case .experiment: experiment
    case .attachments: ["type": "array", "items": attachment]
    case .intended: ["type": "array", "items": choice(MediaKind.self)]
    case .fallback: choice(FallbackReason.self)
    case .customInterface: ["type": "boolean"]
    case .actions: ["type": "array", "items": text(EventLimits.actionIDBytes)]
    case .interruptionLevel: choice(InterruptionLevel.self)
    case .relevanceScore: ["type": "number", "minimum": 0, "maximum": 1]
    case .threadId: text(EventLimits.threadIDBytes)
    case .appVersion: text(EventLimits.appVersionBytes)
    case .locale: text(EventLimits.localeBytes)
    case .actionId: text(EventLimits.actionIDBytes)
    case .replyText: text(0...EventLimits.replyTextBytes)
    }
  }

  static let time: JSONValue = [
    "type": "string", "format": "date-time",
    "description":
      "RFC 3339, years \(EventLimits.years.lowerBound) to \(EventLimits.years.upperBound) in UTC.",
  ]

  private static let natural: JSONValue = ["type": "integer", "minimum": 0, "maximum": .integer(.max)]

  private static let experiment: JSONValue = [
    "type": "object",
    "properties": ["name": text(EventLimits.experimentBytes), "arm": text(EventLimits.experimentBytes)],
    "required": ["name", "arm"],
  ]

  private static let attachment: JSONValue = [
    "type": "object",
    "properties": [
      "kind": choice(MediaKind.self), "bytes": nullable(natural), "width": nullable(natural),
      "height": nullable(natural), "seconds": nullable(["type": "number", "minimum": 0]),
    ],
    "required": ["kind"],
  ]

  /// The contract limits bytes of UTF-8, of which a character has at least one.
  private static func text(_ bytes: ClosedRange<Int>) -> JSONValue {
    [
      "type": "string", "minLength": .integer(bytes.lowerBound), "maxLength": .integer(bytes.upperBound),
      "description": "\(bytes.lowerBound) to \(bytes.upperBound) bytes of UTF-8, without U+0000.",
    ]
  }

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type)
    -> JSONValue
  {
    ["type": "string", "enum": .strings(type.allCases.map(\.rawValue))]
  }

  /// The schema with null beside its type and its choices.
  static func nullable(_ schema: JSONValue) -> JSONValue {
    .object(
      schema.members.map { keyword in
        switch (keyword.name, keyword.value) {
        case ("type", let type): (keyword.name, [type, "null"])
        case ("enum", .array(let choices)): (keyword.name, .array(choices + [.null]))
        default: (keyword.name, keyword.value)
        }
      })
  }
}
