internal import EngagementEvents
internal import EventStore

extension OpenAPIDocument {
  static let batchExample: JSONValue = [
    "sentAt": "2026-11-28T10:02:03+01:00", "events": .array(eventExamples),
  ]

  /// One of each type.
  static let eventExamples: [JSONValue] = [
    [
      "id": "0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0001", "type": .string(EventType.delivered.rawValue),
      "notificationId": "n-1", "deviceId": "d-1", "category": "social_post",
      "occurredAt": "2026-11-28T10:00:00+01:00", "source": .string(EventSource.serviceExtension.rawValue),
      "intended": [.string(MediaKind.image.rawValue)],
      "attachments": [["kind": .string(MediaKind.image.rawValue), "bytes": 204_800]],
      "actions": ["like", "reply"],
    ],
    [
      "id": "0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0002", "type": .string(EventType.expanded.rawValue),
      "notificationId": "n-1", "deviceId": "d-1", "category": "social_post",
      "occurredAt": "2026-11-28T10:01:00+01:00",
    ],
    [
      "id": "0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0003", "type": .string(EventType.action.rawValue),
      "notificationId": "n-1", "deviceId": "d-1", "category": "social_post",
      "occurredAt": "2026-11-28T10:02:00+01:00", "actionId": "reply", "replyText": "Lovely!",
    ],
  ]

  static let allStored: JSONValue = ["accepted": 3, "duplicates": 0, "rejected": []]

  static let someRejected: JSONValue = [
    "accepted": 2, "duplicates": 0,
    "rejected": [
      rejection(
        2, "type", .unknownValue, "type is “tapped”; send one of delivered, expanded, action")
    ],
  ]

  static let allRejected: JSONValue = [
    "accepted": 0, "duplicates": 0,
    "rejected": [rejection(0, "deviceId", .missingField, EventField.deviceId.missing.message)],
  ]

  private static func rejection(
    _ index: Int, _ field: String, _ code: EventFault.Code, _ message: String
  ) -> JSONValue {
    [
      "index": .integer(index), "id": "0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0003", "field": .string(field),
      "code": .string(code.rawValue), "message": .string(message),
    ]
  }
}
