import HTTPServer
import Synchronization
import TestSupport
import Testing

/// What slow, idle and numerous clients may cost.
@Suite struct PatienceTests {
  /// Trickles a text, a byte every 20 ms, until the peer closes.
  private func trickle(_ text: String, to client: RawClient) async -> (received: String, sent: Int) {
    var received: [UInt8] = []
    var sent = 0
    for byte in text.utf8 {
      sent += await client.send([byte])
      switch await client.receive(within: 20) {
      case .silence: continue
      case .bytes(let bytes): received += bytes
      case .end, .reset: return (String(decoding: received, as: UTF8.self), sent)
      }
    }
    let rest = await client.receiveAll().text
    return (String(decoding: received, as: UTF8.self) + rest, sent)
  }

  struct Slowness: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let atOnce: String
    let slowly: String
  }

  static let slow = [
    Slowness(testDescription: "request line", atOnce: "", slowly: String(repeating: "G", count: 500)),
    Slowness(
      testDescription: "head", atOnce: "GET /hello HTTP/1.1\r\n",
      slowly: "X: " + String(repeating: "x", count: 500)),
    Slowness(
      testDescription: "body", atOnce: request("POST", "/echo", ["Content-Length: 500"]),
      slowly: String(repeating: "x", count: 499)),
    Slowness(
      testDescription: "chunks", atOnce: request("POST", "/echo", ["Transfer-Encoding: chunked"]),
      slowly: String(repeating: "1\r\nx\r\n", count: 80)),
    Slowness(
      testDescription: "refused body", atOnce: request("POST", "/nowhere", ["Content-Length: 500"]),
      slowly: String(repeating: "x", count: 499)),
  ]

  @Test(arguments: slow)
  func aSenderOfAByteNowAndThenIsCutOff(_ slow: Slowness) async throws {
    let timedOut = Mutex<[String]>([])
    let server = try TestServer({
      $0.requestTimeout = .milliseconds(400)
      $0.log = { if case .timedOut(_, let id) = $0 { timedOut.withLock { $0.append(id) } } }
    })
    let client = try server.client()
    await client.send(slow.atOnce)
    let (received, sent) = await trickle(slow.slowly, to: client)
    #expect(sent < slow.slowly.utf8.count / 2)
    poll(upTo: .seconds(2), "the log tells of it") { timedOut.withLock { $0.count } == 1 }
    let id = try #require(timedOut.withLock { $0.first })
    if !slow.atOnce.isEmpty {
      #expect(received.hasPrefix("HTTP/1.1 408 "), "\(received)")
      #expect(received.contains("request_timeout"))
      #expect(received.contains("\r\nX-Request-Id: \(id)\r\n"), "\(received)")
    }
  }

  /// The next one of the same connection is another.
  @Test func aRequestThatIsCutOffGoesByItsOwnName() async throws {
    let server = try TestServer({ $0.requestTimeout = .milliseconds(400) })
    let first = request("GET", "/hello", ["X-Request-Id: first"])
    let slow = request("POST", "/echo", ["Content-Length: 500", "X-Request-Id: mine"])
    for (sent, count) in [(slow, 1), (first + slow, 2), (first + "GET /hello HTTP/1.1\r\nX", 2)] {
      let client = try server.client()
      await client.send(sent)
      let (text, _) = await client.receiveAll()
      #expect(text.contains("HTTP/1.1 408 "))
      let names = text.split(separator: "\r\n").filter { $0.hasPrefix("X-Request-Id: ") }.map {
        $0.dropFirst(14)
      }
      try #require(names.count == count, "\(text)")
      #expect(sent.hasSuffix(slow) ? names[count - 1] == "mine" : names[1] != "first")
    }
  }

  @Test func slowSendersCostOthersNothing() async throws {
    let server = try TestServer({ $0.requestTimeout = .seconds(20) })
    var slow: [RawClient] = []
    for index in 0..<200 {
      let client = try server.client()
      await client.send(
        index.isMultiple(of: 2) ? "GET /hello HTT" : request("POST", "/echo", ["Content-Length: 100"]) + "x")
      slow.append(client)
    }
    for _ in 0..<50 { #expect(try await server.ask(request("GET", "/hello")).status == 200) }
    #expect(slow.count == 200)
  }

  @Test func aStillConnectionIsClosed() async throws {
    let server = try TestServer({ $0.idleTimeout = .seconds(1) })
    let client = try server.client()
    await client.send(request("GET", "/hello"))
    #expect(try await client.response().status == 200)
    #expect(await client.receive(within: 8000) == .end)
  }

  @Test func waitingForTheHandlerIsNotCounted() async throws {
    let held = ResponderTests.Held()
    let server = try TestServer(
      {
        $0.requestTimeout = .milliseconds(200)
        $0.idleTimeout = .seconds(1)
      }, routes: [Route(.get, "/r") { _, responder in held.add(responder) }])
    let client = try server.client()
    await client.send(request("GET", "/r"))
    #expect(await client.receive(within: 1500) == .silence)
    for responder in held.takeAll() { responder.respond(ResponderTests.text("at last")) }
    #expect(try await client.response().text == "at last")
  }

  @Test func connectionsBeyondTheLimitAreClosedAtOnce() async throws {
    let turnedAway = Mutex(0)
    let server = try TestServer({
      $0.connectionLimit = 10
      $0.log = { if case .turnedAway = $0 { turnedAway.withLock { $0 += 1 } } }
    })
    var open: [RawClient] = []
    for _ in 0..<10 {
      let client = try server.client()
      await client.send(request("GET", "/hello"))
      #expect(try await client.response().status == 200)
      open.append(client)
    }
    for _ in 0..<5 {
      let client = try server.client()
      await client.send(request("GET", "/hello"))
      let (text, last) = await client.receiveAll(within: 2000)
      #expect(text == "")
      #expect(last != .silence)
    }
    #expect(turnedAway.withLock { $0 } == 5)
    open.removeLast(5)
    let returned = try await retry { try await server.ask(request("GET", "/hello")).status }
    #expect(returned == 200)
  }

  @Test func oneAddressCannotTakeAllConnections() async throws {
    let server = try TestServer({ $0.perAddressConnectionLimit = 2 })
    let first = try server.client()
    let second = try server.client()
    for client in [first, second] {
      await client.send(request("GET", "/hello"))
      #expect(try await client.response().status == 200)
    }
    let third = try server.client()
    await third.send(request("GET", "/hello"))
    #expect(await third.receiveAll(within: 2000).text == "")
  }

  @Test func aTrustedProxyHasNoLimitOfItsOwn() async throws {
    let server = try TestServer({
      $0.perAddressConnectionLimit = 2
      $0.trustedProxies = [AddressRange("127.0.0.0/8")!]
    })
    var open: [RawClient] = []
    for _ in 0..<5 {
      let client = try server.client()
      await client.send(request("GET", "/hello"))
      #expect(try await client.response().status == 200)
      open.append(client)
    }
    #expect(open.count == 5)
  }

  @Test func keepAliveServesManyRequests() async throws {
    let server = try TestServer()
    let client = try server.client()
    for _ in 0..<50 {
      await client.send(request(body: "hello"))
      #expect(try await client.response().text == "hello")
    }
    await client.send("GET /hello HTTP/1.0\r\n\r\n")
    let (text, last) = await client.receiveAll()
    #expect(text.hasSuffix("hello"))
    #expect(last == .end)
  }

  private func retry<Value>(_ work: () async throws -> Value) async throws -> Value {
    for _ in 0..<50 {
      if let value = try? await work() { return value }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await work()
  }
}
