import HTTPServer
import Synchronization
import Testing

@Suite struct RoutingTests {
  @Test func anUnknownPathIsNotFound() async throws {
    let server = try TestServer()
    let response = try await server.ask(request("GET", "/nowhere"))
    #expect(response.status == 404)
    #expect(response["Content-Type"] == "application/json")
    #expect(response.text.hasPrefix(#"{"error":{"code":"not_found","message":""#))
  }

  @Test(arguments: [
    ("GET", "/echo", "OPTIONS, POST"), ("DELETE", "/hello", "GET, HEAD, OPTIONS"),
    ("get", "/hello", "GET, HEAD, OPTIONS"), ("TRACE", "/hello", "GET, HEAD, OPTIONS"),
    ("CONNECT", "/hello", "GET, HEAD, OPTIONS"),
  ])
  func aWrongMethodIsToldWhichAreRight(_ method: String, _ path: String, _ allow: String) async throws {
    let server = try TestServer()
    let response = try await server.ask(request(method, path))
    #expect(response.status == 405)
    #expect(response["Allow"] == allow)
  }

  @Test func headIsGetWithoutItsBody() async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(request("HEAD", "/hello", ["Connection: close"]))
    let (text, _) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 200 "))
    #expect(text.contains("Content-Length: 5\r\n"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: [("/echo", "OPTIONS, POST"), ("*", "GET, HEAD, OPTIONS, POST")])
  func optionsTellsTheMethods(_ target: String, _ allow: String) async throws {
    let server = try TestServer()
    let response = try await server.ask(request("OPTIONS", target))
    #expect(response.status == 204)
    #expect(response["Allow"] == allow)
  }

  @Test(arguments: [
    "/hello", "/%68ello", "/hell%6F", "/hello?x=1", "http://localhost/hello", "HTTP://x/hello?a",
  ])
  func anEscapedPathIsThePathItself(_ target: String) async throws {
    let server = try TestServer()
    #expect(try await server.ask(request("GET", target)).status == 200)
  }

  @Test(arguments: [
    ("//hello", 404), ("/hello/", 404), ("/./hello", 404), ("/x/../hello", 404), ("/%2e/hello", 404),
    ("/x/%2e%2e/hello", 404), ("/Hello", 404), ("/hello%20", 404), ("/hello;a=1", 404), ("/", 404),
    ("/%2Fhello", 400), ("%2Fhello", 400), ("/hello%00", 400), ("/hello%0d%0a", 400), ("/hello%", 400),
    ("/hello%2", 400), ("/hello%zz", 400), ("/%ff", 400), ("/%c0%af", 400), ("/hello#x", 400), ("hello", 400),
    ("*", 404), ("?", 400), ("/hello?%", 400), ("/hello?a=%ff", 400), ("http:/hello", 400),
    ("http://localhost", 404), ("http://localhost?x", 404),
  ])
  func noTrickReachesARoute(_ target: String, _ status: Int) async throws {
    let server = try TestServer()
    #expect(try await server.ask(request("GET", target)).status == status)
  }

  @Test func queriesAreDecoded() async throws {
    let seen = Mutex<Query?>(nil)
    let server = try TestServer(routes: [
      Route(.get, "/q") { request, responder in
        seen.withLock { $0 = request.query }
        responder.respond(HTTPResponse(status: .noContent))
      }
    ])
    #expect(try await server.ask(request("GET", "/q?a=1&b=x+y%26z&a=2&c&=d&&e=%E6%97%A5=")).status == 204)
    let query = try #require(seen.withLock { $0 })
    #expect(query["a"] == "1")
    #expect(query.values(of: "a") == ["1", "2"])
    #expect(query["b"] == "x y&z")
    #expect(query["c"] == "")
    #expect(query[""] == "d")
    #expect(query["e"] == "日=")
    #expect(query["f"] == nil)
    #expect(query.items.count == 6)
  }

  @Test func theErrorBodyCanBeOnesOwn() async throws {
    let server = try TestServer({
      $0.errorBody = { ErrorBody(contentType: "text/plain", bytes: Array("\($0.status) \($0.code)".utf8)) }
    })
    let response = try await server.ask(request("GET", "/nowhere"))
    #expect(response["Content-Type"] == "text/plain")
    #expect(response.text == "404 not_found")
  }

  @Test func errorMessagesAreValidJSON() {
    let fault = HTTPFault(.badRequest, "x", "a \"quoted\\\" line\nand \u{1F}")
    let body = String(decoding: ErrorBody(json: fault).bytes, as: UTF8.self)
    #expect(body == #"{"error":{"code":"x","message":"a \"quoted\\\" line\u000aand \u001f"}}"#)
  }
}
