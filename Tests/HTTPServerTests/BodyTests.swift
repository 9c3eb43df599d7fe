import HTTPServer
import Testing

@Suite struct BodyTests {
  @Test func aLengthBeyondTheLimitIsRefusedUnread() async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(request("POST", "/echo", ["Content-Length: \(TestServer.limit + 1)"]))
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 413 "))
    #expect(text.contains("Connection: close"))
    #expect(text.contains("body_too_large"))
    #expect(last == .end)
  }

  @Test func aBodyAtTheLimitIsTaken() async throws {
    let server = try TestServer()
    let body = String(repeating: "a", count: TestServer.limit)
    #expect(try await server.ask(request(body: body)).text == body)
    #expect(try await server.ask(chunked([body])).text == body)
  }

  /// The sender goes on and on; its answer must not be lost to a reset.
  @Test func chunksBeyondTheLimitAreRefusedThere() async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(request("POST", "/echo", ["Transfer-Encoding: chunked"]))
    let chunk = Array("4000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x4000) + Array("\r\n".utf8)
    var sent = 0
    for _ in 0..<200 { sent += await client.send(chunk) }
    #expect(sent == 200 * chunk.count)
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 413 "))
    #expect(text.contains("body_too_large"))
    #expect(last == .end)
  }

  @Test func aLargeBodyRefusedByItsLengthStillGetsItsAnswer() async throws {
    let server = try TestServer()
    let client = try server.client()
    let body = String(repeating: "a", count: 3_000_000)
    let bytes = Array(request(body: body).utf8)
    #expect(await client.send(bytes) == bytes.count)
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 413 "))
    #expect(last == .end)
  }

  @Test func aRouteWithoutABodyTakesNone() async throws {
    let server = try TestServer()
    #expect(try await server.ask(request("GET", "/hello", body: "x")).status == 413)
    #expect(try await server.ask(request("GET", "/hello", ["Content-Length: 0"])).status == 200)
  }

  @Test func chunksReadAsALengthDoes() async throws {
    let server = try TestServer()
    let text = #"{"replyText":"日本 👩‍👩‍👧"}"#
    let bytes = Array(text.utf8)
    // The second cut lies within 日.
    let pieces = [bytes[..<5], bytes[5..<15], bytes[15...]].map(Array.init)
    let client = try server.client()
    await client.send(request("POST", "/echo", ["Transfer-Encoding: chunked"]))
    for piece in pieces {
      await client.send(Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + Array("\r\n".utf8))
    }
    await client.send("0\r\nX-Trailer: 1\r\n\r\n")
    #expect(try await client.response().text == text)
    #expect(try await server.ask(request(body: text)).text == text)
  }

  @Test func nothingBehindAChunkedBodyIsTakenForARequest() async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(chunked(["hi"]) + request("GET", "/hello"))
    let (text, last) = await client.receiveAll()
    #expect(text.contains("Connection: close"))
    #expect(text.hasSuffix("\r\n\r\nhi"))
    #expect(last == .end)
  }

  @Test(arguments: [
    "x\r\nhi\r\n0\r\n\r\n", "-2\r\nhi\r\n0\r\n\r\n", "2\r\nhixx\r\n0\r\n\r\n",
    "ffffffffffffffffff\r\nhi\r\n0\r\n\r\n",
  ])
  func malformedChunksAreRefused(_ chunks: String) async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(request("POST", "/echo", ["Transfer-Encoding: chunked"]) + chunks)
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 400 ") || text.hasPrefix("HTTP/1.1 413 "), "\(text)")
    #expect(last == .end)
  }

  @Test(arguments: ["100-continue", "100-Continue"])
  func aBodyThatWillBeTakenIsCalledFor(_ expectation: String) async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(request("POST", "/echo", ["Expect: \(expectation)", "Content-Length: 5"]))
    #expect(try await client.response().status == 100)
    await client.send("hello")
    #expect(try await client.response().text == "hello")
  }

  @Test(arguments: [
    (["Expect: 100-continue", "Content-Length: 1000000"], 413),
    (["Expect: 100-continue", "Content-Length: 5", "Content-Type: text/plain"], 415),
    (["Expect: 100-continue", "Content-Length: 5", "Content-Encoding: br"], 415),
    (["Expect: 200-ok", "Content-Length: 5"], 417),
  ])
  func aBodyThatWillNotBeTakenIsNotCalledFor(_ fields: [String], _ status: Int) async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(request("POST", "/echo", fields))
    let (text, last) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    #expect(last == .end)
  }

  static let types: [(String, Int)] = [
    ("application/json", 200), ("Application/JSON", 200), ("application/json; charset=utf-8", 200),
    ("application/json;charset=\"UTF-8\" ; x=\"a;b\"", 200), ("application/x-ndjson", 200),
    ("application/json;", 200), ("application/json; charset=latin1", 415),
    ("application/json; charset=utf-16", 415), ("text/plain", 415), ("application/jsonx", 415), ("json", 415),
    ("", 415), ("application/json, text/plain", 415), ("application/json; charset", 415),
    ("application/json; charset=\"utf-8", 415),
  ]

  @Test(arguments: types)
  func theContentTypeDecides(_ type: String, _ status: Int) async throws {
    let server = try TestServer()
    let response = try await server.ask(request("POST", "/echo", ["Content-Type: \(type)"], body: "{}"))
    #expect(response.status == status)
  }

  @Test func aBodyWithoutATypeIsOfTheFirst() async throws {
    let server = try TestServer()
    #expect(try await server.ask(request(body: "{}"))["Content-Type"] == "application/json")
    let lines = try await server.ask(
      request("POST", "/echo", ["Content-Type: Application/X-NDJSON"], body: "{}"))
    #expect(lines["Content-Type"] == "application/x-ndjson")
    let two = ["Content-Type: application/json", "Content-Type: application/x-ndjson"]
    #expect(try await server.ask(request("POST", "/echo", two, body: "{}")).status == 400)
  }
}

/// A request in chunks.
func chunked(_ chunks: [String], _ fields: [String] = []) -> String {
  let parts = chunks.map { String($0.utf8.count, radix: 16) + "\r\n" + $0 + "\r\n" }
  return request("POST", "/echo", ["Transfer-Encoding: chunked"] + fields) + parts.joined() + "0\r\n\r\n"
}
