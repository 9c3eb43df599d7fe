internal import EngagementEvents
internal import EventStore
internal import HTTPServer

/// `GET /openapi.json`: what the service takes and answers, in OpenAPI 3.1, made from what it goes by itself.
enum OpenAPIDocument {
  static let path = "/openapi.json"

  static var route: Route {
    let body = document.utf8
    return Route(.get, path) { _, responder in
      responder.respond(HTTPResponse(status: .ok, contentType: "application/json", body: body))
    }
  }

  static let document: JSONValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "pushlift", "version": "1",
      "description": """
      Takes engagement events of push notifications. Every path answers HEAD where it answers GET, and OPTIONS with 204 \
      and Allow; an unknown path is answered 404 with the code not_found.
      """,
    ],
    "servers": [["url": "/"]],
    "paths": .object(ownPaths + segmentPaths),
    "components": ["schemas": schemas, "securitySchemes": securitySchemes],
  ]

  private static let securitySchemes: JSONValue = [
    "key": ["type": "http", "scheme": "bearer"],
    "writeKey": [
      "type": "http", "scheme": "basic",
      "description": "The key as the user, no password; or else as writeKey in the body.",
    ],
  ]

  private static let ownPaths: [JSONValue.Member] =
    ([
      EventEndpoint.path: ["post": eventsOperation],
      DeviceEndpoint.path: ["delete": erasureOperation],
      HealthEndpoint.livenessPath: [
        "get": operation(
          "getHealth", "Whether the process lives.", [200: json("It lives.", "Health", ["alive": true])])
      ],
      HealthEndpoint.readinessPath: ["get": readinessOperation],
      MetricsEndpoint.path: ["get": metricsOperation],
      path: [
        "get": operation(
          "getDescription", "This document.", [200: json("The document.", ["type": "object"])])
      ],
    ] as JSONValue).members

  private static let readinessOperation = operation(
    "getReadiness", "Whether events can be taken now.",
    [
      200: json("They can.", "Readiness", ["ready": true, "reasons": []]),
      503: json(
        "They cannot, and why; or the server is stopping.",
        ["anyOf": [reference("Readiness"), error([ErrorCatalogue.general[503] ?? []])]]),
    ])

  private static let metricsOperation = operation(
    "getMetrics", "Figures for Prometheus.",
    [
      200: [
        "description": "Prometheus' text format, version 0.0.4.",
        "content": ["text/plain": ["schema": ["type": "string"]]],
      ]
    ], errors: ErrorCatalogue.keys, needsKey: .onlyFromElsewhere,
    description: """
      Open to clients on the server's own machine. From elsewhere an admin key is asked for, which sees the events of its \
      own app.
      """)

  private static let deviceParameter: JSONValue = [
    "name": "id", "in": "path", "required": true, "schema": ["type": "string", "minLength": 1],
    "description": "The device's id as apps send it, percent-encoded. One with a slash cannot stand here.",
  ]

  private static let erasureOperation = operation(
    "eraseDevice", "Forget a device.",
    [200: json("It is forgotten.", "Erasure", DeviceEndpoint.answer(.example))],
    errors: ErrorCatalogue.devices, ErrorCatalogue.away, ErrorCatalogue.keys, needsKey: .always,
    description: """
      Takes an admin key, and forgets the device in that key's app: the texts of its replies and its dead letters go, its events \
      are nobody's from then on. Figures stay. To do it again does no harm.
      """
  ).merging(["parameters": [deviceParameter]])

  private static let eventsOperation = operation(
    "postEvents", "Store events.",
    [
      200: json("Every event is stored, or was already.", "Verdicts", allStored),
      207: json(
        "Some are stored, some rejected; a rejected one will not do later either.", "Verdicts", someRejected),
      422: json("All are rejected.", "Verdicts", allRejected),
    ], errors: ErrorCatalogue.events, ErrorCatalogue.keys, needsKey: .always,
    description: """
      The key decides the app. 200 and 207 are sent once the events are on disk. A body has at most \
      \(EventLimits.eventsPerRequest) events and \(EventLimits.bodyBytes) bytes, as sent and after inflating; an event at \
      most \(EventLimits.eventBytes) bytes and \(EventLimits.nestingDepth) levels. Content-Encoding: gzip is taken.
      """,
    body: [
      "required": true,
      "content": [
        "application/json": ["schema": reference("Batch"), "example": batchExample],
        "application/x-ndjson": [
          "schema": ["type": "string", "description": "An event a line."],
          "example": .string(eventExamples.map { String(decoding: $0.utf8, as: UTF8.self) + "\n" }.joined()),
        ],
      ],
    ])
}
