import HTTPServer
import Synchronization

/// A server for one test, with the routes that most of them want.
final class TestServer: Sendable {
  let server: HTTPServer
  let port: UInt16

  init(
    _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }, routes: [Route] = TestServer.routes
  ) throws {
    var configuration = HTTPServerConfiguration()
    configure(&configuration)
    server = HTTPServer(configuration: configuration, routes: routes)
    port = try server.start()
  }

  deinit { server.stop(gracePeriod: .zero) }

  func client() throws -> RawClient { try RawClient(port: port) }

  /// Sends on a connection of its own.
  func ask(_ request: String) async throws -> RawResponse {
    let client = try client()
    await client.send(request)
    return try await client.response()
  }

  static let limit = 100_000

  static var routes: [Route] {
    [
      Route(.get, "/hello") { _, responder in
        responder.respond(HTTPResponse(status: .ok, contentType: "text/plain", body: Array("hello".utf8)))
      },
      Route(
        .post, "/echo",
        body: .accept(
          limit: limit, contentTypes: ["application/json", "application/x-ndjson"], inflates: true)
      ) { request, responder in
        responder.respond(HTTPResponse(status: .ok, contentType: request.contentType, body: request.body))
      },
    ]
  }
}

/// The text of a request; `Content-Length` is written where there is a body and `fields` do not frame it.
func request(
  _ method: String = "POST", _ target: String = "/echo", _ fields: [String] = [], body: String = ""
) -> String {
  var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
  let isFramed = fields.contains { $0.hasPrefix("Content-Length") || $0.hasPrefix("Transfer-Encoding") }
  if !body.isEmpty, !isFramed { lines.append("Content-Length: \(body.utf8.count)") }
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// Waits until something holds, at most five seconds.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<500 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return condition()
}
