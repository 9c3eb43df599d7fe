import Dispatch
import HTTPServer
import Synchronization
import Testing

@Suite struct ResponderTests {
  /// Holds responders until a test lets go of them.
  final class Held: Sendable {
    private let responders = Mutex<[Responder]>([])

    var count: Int { responders.withLock { $0.count } }
    func add(_ responder: Responder) { responders.withLock { $0.append(responder) } }
    func takeAll() -> [Responder] {
      responders.withLock { responders in
        defer { responders = [] }
        return responders
      }
    }
  }

  static func text(_ text: String) -> HTTPResponse {
    HTTPResponse(status: .ok, contentType: "text/plain", body: Array(text.utf8))
  }

  private func server(_ handle: @escaping @Sendable (HTTPRequest, Responder) -> Void) throws -> TestServer {
    try TestServer(routes: [Route(.get, "/r", handle: handle)])
  }

  @Test func anotherThreadMayAnswerLater() async throws {
    let held = Held()
    let server = try server { _, responder in held.add(responder) }
    let client = try server.client()
    await client.send(request("GET", "/r"))
    #expect(await eventually { held.count == 1 })
    #expect(await client.receive(within: 50) == .silence)
    for responder in held.takeAll() { responder.respond(Self.text("later")) }
    #expect(try await client.response().text == "later")
  }

  @Test func onlyTheFirstAnswerCounts() async throws {
    let server = try server { _, responder in
      responder.respond(Self.text("first"))
      responder.respond(Self.text("second"))
      DispatchQueue.global().async { responder.respond(Self.text("third")) }
    }
    let client = try server.client()
    await client.send(request("GET", "/r") + request("GET", "/r"))
    #expect(try await client.responses(2).map(\.text) == ["first", "first"])
    #expect(await client.receive(within: 50) == .silence)
  }

  @Test func noAnswerAtAllIsA500() async throws {
    let server = try server { _, _ in }
    let response = try await server.ask(request("GET", "/r"))
    #expect(response.status == 500)
    #expect(response.text.contains("no_answer"))
  }

  @Test func aResponderDroppedLaterIsA500() async throws {
    let held = Held()
    let server = try server { _, responder in held.add(responder) }
    let client = try server.client()
    await client.send(request("GET", "/r"))
    #expect(await eventually { held.count == 1 })
    _ = held.takeAll()
    #expect(try await client.response().status == 500)
  }

  @Test func aFaultIsAnsweredLikeTheServersOwn() async throws {
    let server = try server { _, responder in
      responder.respond(HTTPFault(.tooManyRequests, "slow_down", "Later.", headers: ["Retry-After": "3"]))
    }
    let response = try await server.ask(request("GET", "/r"))
    #expect(response.status == 429)
    #expect(response["Retry-After"] == "3")
    #expect(response.text == #"{"error":{"code":"slow_down","message":"Later."}}"#)
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    let queues = (0..<4).map { DispatchQueue(label: "answer.\($0)") }
    let server = try server { request, responder in
      let number = Int(request.query["n"] ?? "") ?? 0
      queues[number % 4].async { responder.respond(Self.text("\(number)")) }
    }
    let client = try server.client()
    let count = 2000
    let all = (0..<count).map { request("GET", "/r?n=\($0)") }.joined()
    async let sent = client.send(all)
    let responses = try await client.responses(count)
    #expect(await sent == all.utf8.count)
    #expect(responses.map(\.text) == (0..<count).map(String.init))
  }

  @Test func aClientThatLeavesWhileWaitingHarmsNobody() async throws {
    let held = Held()
    let server = try server { request, responder in
      if request.query["wait"] != nil { held.add(responder) } else { responder.respond(Self.text("ok")) }
    }
    for _ in 0..<20 {
      let client = try server.client()
      await client.send(request("GET", "/r?wait"))
    }
    #expect(await eventually { held.count == 20 })
    for responder in held.takeAll() { responder.respond(Self.text("too late")) }
    #expect(try await server.ask(request("GET", "/r")).text == "ok")
  }

  /// A responder and what its handler keeps are let go of with the request.
  @Test func nothingIsKeptOfAnAnsweredRequest() async throws {
    final class Token: Sendable {}
    let kept = Mutex<[WeakToken]>([])
    struct WeakToken: Sendable {
      weak let token: Token?
    }
    let server = try TestServer(routes: [
      Route(
        .get, "/r",
        admit: { _ in
          let token = Token()
          kept.withLock { $0.append(WeakToken(token: token)) }
          return .accept(context: token)
        },
        handle: { _, responder in DispatchQueue.global().async { responder.respond(Self.text("ok")) } })
    ])
    let client = try server.client()
    for _ in 0..<10 {
      await client.send(request("GET", "/r"))
      #expect(try await client.response().text == "ok")
    }
    #expect(kept.withLock { $0.count } == 10)
    #expect(await eventually { kept.withLock { $0.allSatisfy { $0.token == nil } } })
  }

  @Test(arguments: [
    ("X-A", "1\r\nSet-Cookie: a=b"), ("X-A", "1\nX-B: 2"), ("X-A", "\u{0}"), ("X A", "1"), ("X-A:", "1"),
    ("", "1"), ("Content-Length", "3"), ("transfer-encoding", "chunked"), ("Connection", "keep-alive"),
  ])
  func aHeaderThatCouldForgeTheAnswerIsNotSent(_ name: String, _ value: String) async throws {
    let server = try server { _, responder in
      responder.respond(HTTPResponse(status: .ok, headers: [name: value], body: Array("x".utf8)))
    }
    let client = try server.client()
    await client.send(request("GET", "/r", ["Connection: close"]))
    let (text, _) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 500 "))
    #expect(text.contains("unsendable_answer"))
    #expect(!text.contains("Set-Cookie") && !text.contains("X-B"))
  }

  @Test(arguments: [0, 99, 100, 101, 600, 1000, -1])
  func aStatusThatIsNoneIsNotSent(_ code: Int) async throws {
    let server = try server { _, responder in
      responder.respond(HTTPResponse(status: HTTPStatus(rawValue: code)))
    }
    #expect(try await server.ask(request("GET", "/r")).status == 500)
  }

  @Test func aSeveralMegabyteAnswerArrivesWhole() async throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try server { _, responder in responder.respond(HTTPResponse(status: .ok, body: body)) }
    let response = try await server.ask(request("GET", "/r"))
    #expect(response.body == body)
  }
}
