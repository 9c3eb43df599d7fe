package import EventStore
package import HTTPServer

/// The HTTP face of a store: the endpoint for events, and what tells an operator that it is well.
package final class IngestionServer: Sendable {
  private let committer: GroupCommitter
  private let keys: KeyRing
  private let server: HTTPServer

  /// Connects to the store; listens only from `start()` on.
  package init(_ store: EventStore, configuration: HTTPServerConfiguration) throws {
    let committer = try GroupCommitter(store)
    let keys: KeyRing
    do {
      keys = try KeyRing(store)
    } catch {
      committer.stop()
      throw error
    }
    self.committer = committer
    self.keys = keys
    let events = EventEndpoint(keys: keys, committer: committer, secret: store.secret)
    server = HTTPServer(configuration: configuration, routes: [events.route] + Self.healthRoutes(committer))
  }

  /// - Returns: the port, which the system chose if the configuration's is 0.
  package func start() throws -> UInt16 { try server.start() }

  /// Stops listening, answers what was taken, and commits it.
  package func stop(gracePeriod: Duration) {
    server.stop(gracePeriod: gracePeriod)
    committer.stop()
    keys.stop()
  }

  private static func healthRoutes(_ committer: GroupCommitter) -> [Route] {
    [
      // Whether the process lives; says nothing of the database, since a restart would not mend that.
      Route(.get, "/healthz") { _, responder in
        responder.respond(
          HTTPResponse(status: .ok, contentType: "text/plain; charset=utf-8", body: Array("ok\n".utf8)))
      },
      // Whether events can be taken now.
      Route(.get, "/readyz") { _, responder in
        let isReady = committer.isReady
        responder.respond(
          HTTPResponse(
            status: isReady ? .ok : .serviceUnavailable, contentType: "text/plain; charset=utf-8",
            body: Array((isReady ? "ready\n" : "the store is away\n").utf8)))
      },
    ]
  }
}
