internal import HTTPServer

/// `GET /healthz` and `GET /readyz`, for those who restart the process and those who send it traffic.
struct HealthEndpoint: Sendable {
  static let livenessPath = "/healthz"
  static let readinessPath = "/readyz"

  let status: ServiceStatus

  var routes: [Route] {
    [
      // Whether the process lives; says nothing of the database, since a restart would not mend that.
      Route(.get, Self.livenessPath) { _, responder in
        let body: JSONValue = ["alive": true]
        responder.respond(HTTPResponse(status: .ok, contentType: "application/json", body: body.utf8))
      },
      // Whether events can be taken now.
      Route(.get, Self.readinessPath) { _, responder in responder.respond(status.readiness.response) },
    ]
  }
}
