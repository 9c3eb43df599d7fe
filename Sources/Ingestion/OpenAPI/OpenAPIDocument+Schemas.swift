internal import EngagementEvents
internal import EventStore

extension OpenAPIDocument {
  static let schemas = ownSchemas.merging(segmentSchemas)

  private static let ownSchemas: JSONValue = [
    "Batch": [
      "anyOf": [
        [
          "type": "object", "required": ["events"],
          "properties": ["sentAt": sentAt, "events": events],
        ],
        events,
      ]
    ],
    "Event": ["anyOf": .array(EventType.allCases.map { reference(name(of: $0)) })],
    name(of: .delivered): EventSchema.schema(of: .delivered),
    name(of: .expanded): EventSchema.schema(of: .expanded),
    name(of: .action): EventSchema.schema(of: .action),
    "Verdicts": verdicts,
    "Erasure": [
      "type": "object",
      "required": .strings(DeviceEndpoint.answer(.example).members.map(\.name)),
      "properties": .object(DeviceEndpoint.answer(.example).members.map { ($0.name, count) }),
    ],
    "Health": ["type": "object", "required": ["alive"], "properties": ["alive": ["const": true]]],
    "Readiness": [
      "type": "object", "required": ["ready", "reasons"],
      "properties": [
        "ready": ["type": "boolean"],
        "reasons": remarks(["code": choice(Readiness.Obstacle.allCases.map(\.rawValue)), "message": text]),
      ],
    ],
  ]

  static func name(of type: EventType) -> String {
    switch type {
    case .delivered: "DeliveredEvent"
    case .expanded: "ExpandedEvent"
    case .action: "ActionEvent"
    }
  }

  private static let sentAt: JSONValue = [
    "type": ["string", "null"],
    "description":
      "When the device sends the request, by its own clock, in RFC 3339. A text that is no such time corrects nothing, with a warning.",
  ]

  private static let events: JSONValue = [
    "type": "array", "items": reference("Event"), "maxItems": .integer(EventLimits.eventsPerRequest),
  ]

  /// The codes that a rejected event may bear.
  static let rejectionCodes =
    EventFault.Code.allCases.map(\.rawValue) + [AppendOutcome.conflictCode, AppendOutcome.refusedCode]

  private static let text: JSONValue = ["type": "string"]
  private static let count: JSONValue = ["type": "integer", "minimum": 0]

  private static func choice(_ names: [String]) -> JSONValue { ["enum": .strings(names)] }

  private static let verdicts: JSONValue = [
    "type": "object", "required": ["accepted", "duplicates", "rejected"],
    "properties": verdictMembers.merging([
      "warnings": remarks([
        "index": ["type": ["integer", "null"], "minimum": 0], "field": text,
        "code": choice(EventWarning.Code.allCases.map(\.rawValue)), "message": text,
      ]),
      "unknownFields": count,
    ]),
    "additionalProperties": false,
  ]

  static let verdictMembers: JSONValue = [
    "accepted": count, "duplicates": count,
    "rejected": remarks([
      "index": count, "id": ["type": ["string", "null"]], "field": text, "code": choice(rejectionCodes),
      "message": text,
    ]),
  ]

  /// A list of objects that have all of these members and no others.
  private static func remarks(_ properties: JSONValue) -> JSONValue {
    [
      "type": "array",
      "items": [
        "type": "object", "properties": properties, "required": .strings(properties.members.map(\.name)),
        "additionalProperties": false,
      ],
    ]
  }
}
