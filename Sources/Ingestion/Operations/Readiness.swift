internal import HTTPServer

/// Whether events can be taken now, and if not, why.
struct Readiness: Sendable {
  /// What keeps the service from taking events.
  enum Obstacle: String, Sendable, CaseIterable {
    case storeAway = "store_away"
    case commitsFail = "commits_fail"
    case queueFull = "queue_full"
    case schemaOutdated = "schema_outdated"
    case stopping

    var message: String {
      switch self {
      case .storeAway: "Postgres does not answer."
      case .commitsFail: "Postgres answers, but does not store events; the log says why."
      case .queueFull: "There is no room for another full request; Postgres does not keep up."
      case .schemaOutdated: "The schema is not the one of this pushlift: run pushlift migrate, or update."
      case .stopping: "The service is stopping."
      }
    }
  }

  let obstacles: [Obstacle]

  var isReady: Bool { obstacles.isEmpty }

  var response: HTTPResponse {
    let reasons = obstacles.map { obstacle -> JSONValue in
      ["code": .string(obstacle.rawValue), "message": .string(obstacle.message)]
    }
    let body: JSONValue = ["ready": .bool(isReady), "reasons": .array(reasons)]
    return HTTPResponse(
      status: isReady ? .ok : .serviceUnavailable, contentType: "application/json", body: body.utf8)
  }
}
