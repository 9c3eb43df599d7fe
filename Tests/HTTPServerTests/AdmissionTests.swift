import HTTPServer
import Synchronization
import Testing

@Suite struct AdmissionTests {
  /// Lets in those with a key, which becomes the context.
  static func server(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> TestServer {
    let route = Route(
      .post, "/keyed", body: .accept(limit: 200_000, contentTypes: ["application/json"], inflates: true),
      admit: { head in
        switch head.headers["authorization"] {
        case nil:
          .reject(
            HTTPFault(.unauthorized, "unauthorized", "Send a key.", headers: ["WWW-Authenticate": "Bearer"]))
        case "busy": .refuse(HTTPResponse(status: .serviceUnavailable, headers: ["Retry-After": "1"]))
        case let key: .accept(context: key)
        }
      },
      handle: { request, responder in
        let context = request.context as? String ?? "none"
        let text = "\(context) \(request.body.count) \(request.clientAddress) \(request.requestID)"
        responder.respond(HTTPResponse(status: .ok, contentType: "text/plain", body: Array(text.utf8)))
      })
    return try TestServer(configure, routes: [route])
  }

  @Test func theContextTravelsToTheHandler() async throws {
    let server = try Self.server()
    let response = try await server.ask(request("POST", "/keyed", ["Authorization: abc"], body: "{}"))
    #expect(response.text.hasPrefix("abc 2 127.0.0.1 "))
  }

  @Test func aRefusedRequestIsAnsweredBeforeItsBody() async throws {
    let server = try Self.server()
    let client = try server.client()
    await client.send(request("POST", "/keyed", ["Expect: 100-continue", "Content-Length: 5"]))
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 401 "))
    #expect(text.contains("WWW-Authenticate: Bearer\r\n"))
    #expect(last == .end)
  }

  /// A client that is told to come back later should not need another handshake for it.
  @Test func aSmallRefusedRequestKeepsItsConnection() async throws {
    let server = try Self.server()
    let client = try server.client()
    let body = String(repeating: "a", count: 20_000)
    await client.send(request("POST", "/keyed", ["Authorization: busy"], body: body))
    await client.send(request("POST", "/keyed", [], body: body))
    await client.send(request("POST", "/keyed", ["Authorization: abc"], body: "{}"))
    let responses = try await client.responses(3)
    #expect(responses.map(\.status) == [503, 401, 200])
    #expect(responses[0]["Retry-After"] == "1")
    #expect(responses[0]["Connection"] == nil)
  }

  @Test func aLargeRefusedRequestIsAnsweredAndItsConnectionClosed() async throws {
    let server = try Self.server()
    let client = try server.client()
    await client.send(
      request("POST", "/keyed", ["Authorization: busy"], body: String(repeating: "a", count: 150_000)))
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 503 "))
    #expect(text.contains("Connection: close"))
    #expect(last == .end)
  }

  @Test(arguments: [
    ("7f3a-B_.:/+=@", true), (String(repeating: "a", count: 128), true),
    (String(repeating: "a", count: 129), false), ("", false), ("a b", false), ("a\"b", false), ("é", false),
  ])
  func aSafeRequestIDIsKept(_ id: String, _ isKept: Bool) async throws {
    let server = try Self.server()
    let response = try await server.ask(
      request("POST", "/keyed", ["Authorization: abc", "X-Request-Id: \(id)"], body: "{}"))
    let echoed = try #require(response["X-Request-Id"])
    #expect((echoed == id) == isKept)
    #expect(response.text.hasSuffix(" " + echoed))
    if !isKept { #expect(echoed.count == 16 && echoed.allSatisfy(\.isHexDigit)) }
  }

  @Test func everyAnswerHasARequestIDOfItsOwn() async throws {
    let server = try Self.server()
    var ids: Set<String> = []
    for head in [
      request("GET", "/nowhere"), request("GET", "/keyed"), request("POST", "/keyed", ["Content-Length : 1"]),
      request("POST", "/keyed", ["Authorization: a"], body: "{}"),
      request("POST", "/keyed", ["Authorization: a", "Content-Encoding: gzip"], body: "{}"),
    ] {
      ids.insert(try #require(try await server.ask(head)["X-Request-Id"]))
    }
    #expect(ids.count == 5)
  }

  static let forwarded: [(String, String)] = [
    ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ("203.0.113.7, 10.1.2.3", "203.0.113.7"), ("evil, 203.0.113.7,10.1.2.3", "203.0.113.7"),
    ("203.0.113.7:4711", "203.0.113.7"), ("[2001:db8::1]:443", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"),
    ("203.0.113.7, unknown", "127.0.0.1"), ("10.1.2.3", "10.1.2.3"), ("", "127.0.0.1"),
    ("203.0.113.7, unknown, 10.1.2.3", "10.1.2.3"),
  ]

  @Test(arguments: forwarded)
  func aTrustedProxyNamesTheClient(_ header: String, _ client: String) async throws {
    let server = try Self.server {
      $0.trustedProxies = [AddressRange("127.0.0.1")!, AddressRange("10.0.0.0/8")!]
    }
    let response = try await server.ask(
      request("POST", "/keyed", ["Authorization: abc", "X-Forwarded-For: \(header)"], body: "{}"))
    #expect(response.text.hasPrefix("abc 2 \(client) "))
  }

  @Test func nobodyElseDoes() async throws {
    let server = try Self.server { $0.trustedProxies = [AddressRange("10.0.0.0/8")!] }
    let response = try await server.ask(
      request("POST", "/keyed", ["Authorization: abc", "X-Forwarded-For: 203.0.113.7"], body: "{}"))
    #expect(response.text.hasPrefix("abc 2 127.0.0.1 "))
  }

  @Test func addressRangesKnowTheirMembers() throws {
    let network = try #require(AddressRange("192.168.16.0/20"))
    #expect(network.contains("192.168.31.255"))
    #expect(!network.contains("192.168.32.0"))
    #expect(network.contains("::ffff:192.168.16.1"))
    #expect(!network.contains("nonsense"))
    #expect(try #require(AddressRange("2001:db8::/33")).contains("2001:db8:7fff::1"))
    #expect(try !#require(AddressRange("2001:db8::/33")).contains("2001:db8:8000::1"))
    #expect(try #require(AddressRange("0.0.0.0/0")).contains("8.8.8.8"))
    for text in [
      "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/+33", "10.0.0.0/", "10.0.0/8", "10.0.0.0/8/8",
      "::/129",
      "localhost",
    ] {
      #expect(AddressRange(text) == nil, "\(text)")
    }
  }
}
