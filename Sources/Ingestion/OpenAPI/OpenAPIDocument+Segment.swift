internal import EngagementEvents
internal import HTTPServer

extension OpenAPIDocument {
  /// The paths of Segment-compatible clients.
  static var segmentPaths: [JSONValue.Member] {
    let batches = SegmentEndpoint.batchPaths.enumerated().map { number, path in
      JSONValue.Member(
        name: path,
        value: [
          "post": segmentOperation(
            "postBatch\(number + 1)", "Store the calls of a Segment-compatible client.",
            body: json("SegmentBatch", segmentBatchExample))
        ])
    }
    let calls = SegmentEndpoint.calls.map { call in
      JSONValue.Member(
        name: "/v1/" + call,
        value: [
          "post": segmentOperation(
            "post" + call.prefix(1).uppercased() + call.dropFirst(),
            call == "track"
              ? "Store one event of a Segment-compatible client." : "Taken, counted and ignored.",
            body: json("SegmentCall", call == "track" ? segmentCallExample : ["userId": "u-1"]))
        ])
    }
    return batches + calls
  }

  private static func json(_ component: String, _ example: JSONValue) -> JSONValue {
    let content: JSONValue = ["schema": reference(component), "example": example]
    return [
      "required": true,
      "content": .object(SegmentEndpoint.types.map { JSONValue.Member(name: $0, value: content) }),
    ]
  }

  private static func segmentOperation(_ id: String, _ summary: String, body: JSONValue) -> JSONValue {
    var answers: [Int: JSONValue] = [
      200: json(
        "Everything is stored, was already, is about something else, or will not do later either.",
        "SegmentVerdicts", ["success": true, "accepted": 1, "duplicates": 0, "rejected": [], "ignored": 1])
    ]
    let codes = ErrorCatalogue.merged([ErrorCatalogue.general, ErrorCatalogue.events, ErrorCatalogue.keys])
    for (status, codes) in codes where ErrorCatalogue.ofHandlers.contains(status) {
      answers[status] = segmentError(status, codes)
    }
    return operation(
      id, summary, answers, errors: ErrorCatalogue.events, ErrorCatalogue.keys, needsKey: .asWriteKey,
      description: """
        As Segment's and RudderStack's libraries post it: \(segmentNames). Limits are those of \(EventEndpoint.path). A client \
        sends again what is answered 429 or 5xx.
        """, body: body)
  }

  static let segmentNames = """
    track calls named Push Notification Received, Tapped, Expanded, Dismissed and Replied become events; all other calls are \
    taken, counted and ignored
    """

  /// Answers of the handler have their code at the top; those that the server gives before it is asked, under `error`.
  private static func segmentError(_ status: Int, _ codes: [String]) -> JSONValue {
    let fault: JSONValue = [
      "type": "object", "required": ["success", "code", "message"],
      "properties": [
        "success": ["const": false], "code": ["enum": .strings(codes)], "message": ["type": "string"],
      ],
    ]
    var schemas = [fault, error([codes])]
    if status == 400 { schemas.append(reference("SegmentVerdicts")) }
    var answer = json(
      ErrorCatalogue.meaning(of: status), ["anyOf": .array(schemas)],
      example: [
        "success": false, "code": .string(codes.first ?? ""),
        "message": .string(ErrorCatalogue.meaning(of: status)),
      ])
    if ErrorCatalogue.unreadable.contains(status) {
      answer = page(ErrorCatalogue.meaning(of: status), beside: answer["content"] ?? [:])
    }
    switch status {
    case 401: return answer.merging(headers("WWW-Authenticate", "Bearer"))
    case 429, 503: return answer.merging(headers("Retry-After", "Seconds to wait."))
    default: return answer
    }
  }

  static let segmentSchemas: JSONValue = [
    "SegmentBatch": [
      "type": "object", "required": ["batch"],
      "properties": [
        "batch": [
          "type": "array", "maxItems": .integer(EventLimits.eventsPerRequest),
          "description": "Calls; one that is at fault is rejected alone.",
        ]
      ],
    ],
    "SegmentCall": ["type": "object"],
    "SegmentVerdicts": [
      "type": "object", "required": ["success", "accepted", "duplicates", "rejected", "ignored"],
      "properties": .object(
        [
          JSONValue.Member(name: "success", value: ["type": "boolean"]),
          JSONValue.Member(name: "code", value: ["enum": .strings(rejectionCodes)]),
          JSONValue.Member(name: "message", value: ["type": "string"]),
          JSONValue.Member(name: "ignored", value: ["type": "integer", "minimum": 0]),
        ] + verdictMembers.members),
      "additionalProperties": false,
    ],
  ]

  static let segmentCallExample: JSONValue = [
    "type": "track", "event": "Push Notification Received",
    "messageId": "0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0011",
    "anonymousId": "d-1", "timestamp": "2026-11-28T10:00:00+01:00",
    "context": ["device": ["id": "d-1"], "app": ["version": "7.1"], "locale": "de-DE"],
    "properties": [
      "notificationId": "n-1", "category": "social_post", "attachments": [["kind": "image"]],
      "campaign": ["name": "spring"],
    ],
  ]

  static let segmentBatchExample: JSONValue = [
    "writeKey": "pushlift_…", "sentAt": "2026-11-28T10:02:03+01:00",
    "batch": [segmentCallExample, ["type": "identify", "userId": "u-1"]],
  ]
}
