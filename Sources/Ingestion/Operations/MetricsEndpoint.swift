internal import EventStore
internal import HTTPServer

/// `GET /metrics`: for whoever is on this machine, and from elsewhere for an admin key, which sees its own app's events.
struct MetricsEndpoint: Sendable {
  static let path = "/metrics"

  let keys: KeyRing
  let metrics: ServiceMetrics
  let gauges: @Sendable () -> ServiceMetrics.Gauges

  var route: Route {
    Route(.get, Self.path, admit: admit) { request, responder in
      let key = request.context as? ApiKey
      responder.respond(
        HTTPResponse(
          status: .ok, contentType: MetricsText.contentType, body: metrics.text(gauges(), only: key?.app)))
    }
  }

  private func admit(_ head: HTTPRequestHead) -> Admission {
    head.isLocal ? .accept() : keys.admit(head, for: .admin)
  }
}

/// The addresses that only this machine reaches.
package enum Loopback {
  private static let ranges = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

  package static func contains(_ address: String) -> Bool { ranges.contains { $0.contains(address) } }
}
