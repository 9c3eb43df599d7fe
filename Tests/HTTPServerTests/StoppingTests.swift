import Dispatch
import HTTPServer
import Synchronization
import Testing

@Suite struct StoppingTests {
  private let held = ResponderTests.Held()

  private func server(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> TestServer {
    let held = held
    return try TestServer(
      configure, routes: TestServer.routes + [Route(.get, "/wait") { _, responder in held.add(responder) }])
  }

  /// Stops off the cooperative threads, and tells how long it took.
  private func stop(_ server: TestServer, _ grace: Duration) async -> Duration {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let clock = ContinuousClock()
        continuation.resume(returning: clock.measure { server.server.stop(gracePeriod: grace) })
      }
    }
  }

  @Test func requestsInHandAreAnsweredWithinTheGracePeriod() async throws {
    let server = try server()
    let client = try server.client()
    await client.send(request("GET", "/wait"))
    #expect(await eventually { held.count == 1 })
    async let duration = stop(server, .seconds(10))
    #expect(await eventually { (try? RawClient(port: server.port)) == nil })
    for responder in held.takeAll() { responder.respond(ResponderTests.text("done")) }
    let response = try await client.response()
    #expect(response.text == "done")
    #expect(response["Connection"] == "close")
    #expect(await duration < .seconds(8))
  }

  @Test func whatIsLeftAfterwardsIsAnswered503() async throws {
    let server = try server()
    var clients: [RawClient] = []
    for _ in 0..<10 {
      let client = try server.client()
      await client.send(request("GET", "/wait"))
      clients.append(client)
    }
    #expect(await eventually { held.count == 10 })
    #expect(await stop(server, .milliseconds(100)) < .seconds(5))
    for client in clients {
      let response = try await client.response()
      #expect(response.status == 503)
      #expect(response["Retry-After"] != nil)
    }
    // Too late, and harmless.
    for responder in held.takeAll() { responder.respond(ResponderTests.text("late")) }
  }

  @Test func newRequestsOnOldConnectionsAreTurnedDown() async throws {
    let server = try server()
    let waiting = try server.client()
    let idle = try server.client()
    await idle.send(request("GET", "/hello"))
    #expect(try await idle.response().status == 200)
    await waiting.send(request("GET", "/wait"))
    #expect(await eventually { held.count == 1 })
    async let duration = stop(server, .seconds(10))
    #expect(await eventually { (try? RawClient(port: server.port)) == nil })
    await idle.send(request("GET", "/hello"))
    #expect(try await idle.response().status == 503)
    for responder in held.takeAll() { responder.respond(ResponderTests.text("done")) }
    #expect(try await waiting.response().text == "done")
    #expect(await duration < .seconds(8))
  }

  @Test func idleAndHalfSentConnectionsDoNotHoldItUp() async throws {
    let server = try server()
    var clients: [RawClient] = []
    for text in [
      "", "GET /hel", request("POST", "/echo", ["Content-Length: 10"]) + "x", request("GET", "/hello"),
    ] {
      let client = try server.client()
      await client.send(text)
      clients.append(client)
    }
    #expect(try await clients[3].response().status == 200)
    #expect(await stop(server, .milliseconds(100)) < .seconds(5))
    for client in clients { #expect(await client.receiveAll(within: 2000).last != .silence) }
  }

  @Test func startingAndStoppingManyTimes() async throws {
    for round in 0..<20 {
      let server = try server()
      let client = try server.client()
      let other = try server.client()
      await client.send(request("GET", "/wait") + request("GET", "/hello"))
      await other.send(request("GET", "/hello"))
      #expect(try await other.response().status == 200)
      #expect(await eventually { held.count == round + 1 })
      #expect(await stop(server, .zero) < .seconds(5))
      #expect(try await client.response().status == 503)
    }
    _ = held.takeAll()
  }

  @Test func stoppingUnderLoadLosesNobodyAndHangsNowhere() async throws {
    let queue = DispatchQueue(label: "answers", attributes: .concurrent)
    let server = try TestServer(routes: [
      Route(.get, "/r") { _, responder in queue.async { responder.respond(ResponderTests.text("ok")) } }
    ])
    let answers = Answers()
    let port = server.port
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { await answers.gather(from: port) } }
      #expect(await eventually { answers.statuses.count > 200 })
      #expect(await stop(server, .seconds(1)) < .seconds(5))
    }
    #expect(answers.statuses.allSatisfy { $0 == 200 || $0 == 503 })
  }

  /// Asks one request after another until the server is gone.
  private final class Answers: Sendable {
    private let list = Mutex<[Int]>([])

    var statuses: [Int] { list.withLock { $0 } }

    func gather(from port: UInt16) async {
      guard let client = try? RawClient(port: port) else { return }
      while true {
        await client.send(request("GET", "/r"))
        guard let response = try? await client.response() else { return }
        list.withLock { $0.append(response.status) }
      }
    }
  }

  @Test func itStartsOnce() async throws {
    let server = try server()
    #expect(throws: HTTPServerError.self) { try server.server.start() }
    #expect(await stop(server, .zero) < .seconds(5))
    #expect(await stop(server, .zero) < .seconds(1))
    let error = #expect(throws: HTTPServerError.self) { try server.server.start() }
    #expect(error?.code == .alreadyStarted)
  }

  @Test func aTakenPortAndAFalseAddressAreNamed() async throws {
    let server = try server()
    let taken = #expect(throws: HTTPServerError.self) { try TestServer({ $0.port = server.port }) }
    #expect(taken?.code == .addressUnavailable)
    #expect(taken?.message.contains("\(server.port)") == true)
    let named = #expect(throws: HTTPServerError.self) { try TestServer({ $0.host = "localhost" }) }
    #expect(named?.code == .invalidConfiguration)
  }

  @Test func itListensOnIPv6Too() async throws {
    #expect(try TestServer({ $0.host = "::1" }).port > 0)
  }
}
