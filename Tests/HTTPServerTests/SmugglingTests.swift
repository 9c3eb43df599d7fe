import Foundation
import HTTPServer
import Testing

/// Requests whose end two readers could see in different places.
@Suite struct SmugglingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let head: String
    var status: [Int] = [400]

    var testDescription: String { name }
  }

  static let host = "Host: localhost\r\n"
  static let post = "POST /echo HTTP/1.1\r\n"

  static let framing: [Case] = [
    Case(
      name: "length beside chunked",
      head: post + host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    Case(
      name: "chunked before length",
      head: post + host + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
    Case(name: "two lengths", head: post + host + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
    Case(name: "one length twice", head: post + host + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
    Case(name: "lengths in a list", head: post + host + "Content-Length: 5, 5\r\n\r\nhello"),
    Case(name: "length with a plus", head: post + host + "Content-Length: +5\r\n\r\nhello"),
    Case(name: "length with a minus", head: post + host + "Content-Length: -5\r\n\r\nhello"),
    Case(name: "length in hex", head: post + host + "Content-Length: 0x5\r\n\r\nhello"),
    Case(name: "length with a blank inside", head: post + host + "Content-Length: 5 5\r\n\r\nhello"),
    Case(name: "empty length", head: post + host + "Content-Length: \r\n\r\nhello"),
    Case(name: "blank behind a length", head: post + host + "Content-Length: 5 \r\n\r\nhello"),
    Case(name: "length of letters", head: post + host + "Content-Length: five\r\n\r\nhello"),
    Case(
      name: "length beyond 64 bits",
      head: post + host + "Content-Length: 99999999999999999999999\r\n\r\nhello", status: [413]),
    Case(
      name: "length beyond 63 bits", head: post + host + "Content-Length: 18446744073709551615\r\n\r\nhello",
      status: [413]),
    Case(name: "blank before the colon", head: post + host + "Content-Length : 5\r\n\r\nhello"),
    Case(name: "tab before the colon", head: post + host + "Content-Length\t: 5\r\n\r\nhello"),
    Case(
      name: "blank before the colon of chunked",
      head: post + host + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
    Case(
      name: "gzip, chunked", head: post + host + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      status: [501]),
    Case(
      name: "chunked, chunked", head: post + host + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      status: [501]),
    Case(
      name: "chunked twice",
      head: post + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    Case(
      name: "chunked and identity",
      head: post + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"),
    Case(
      name: "identity", head: post + host + "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n", status: [501]),
    Case(
      name: "quoted chunked", head: post + host + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
      status: [501]),
    Case(
      name: "xchunked", head: post + host + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", status: [501]),
    Case(
      name: "vertical tab before chunked",
      head: post + host + "Transfer-Encoding: \u{0B}chunked\r\n\r\n0\r\n\r\n"),
    Case(
      name: "blank behind chunked", head: post + host + "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n",
      status: [501]),
    Case(
      name: "chunked in HTTP/1.0",
      head: "POST /echo HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  ]

  static let lines: [Case] = [
    Case(name: "folded header", head: post + host + "X-A: 1\r\n Content-Length: 5\r\n\r\nhello"),
    Case(name: "folded last header", head: post + host + "X-A: 1\r\n\tmore\r\n\r\n"),
    Case(name: "folded first header", head: post + " " + host + "\r\n"),
    Case(name: "lone LF behind a header", head: post + host + "X-A: 1\nContent-Length: 5\r\n\r\nhello"),
    Case(name: "lone LF behind the request line", head: "POST /echo HTTP/1.1\n" + host + "\r\n"),
    Case(name: "lone LF as the blank line", head: post + host + "X-A: 1\r\n\n"),
    Case(name: "two lone LFs", head: post + host + "X-A: 1\n\n"),
    Case(name: "lone CR in a header", head: post + host + "X-A: 1\rContent-Length: 5\r\n\r\nhello"),
    Case(name: "CR CR LF", head: post + host + "X-A: 1\r\r\n\r\n"),
    Case(name: "NUL in a value", head: post + host + "X-A: 1\u{0}2\r\n\r\n"),
    Case(name: "NUL at the end of a value", head: post + host + "X-A: 1\u{0}\r\n\r\n"),
    Case(name: "NUL in a name", head: post + host + "X\u{0}A: 1\r\n\r\n"),
    Case(name: "NUL in the target", head: "POST /echo\u{0}x HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "escape character in a value", head: post + host + "X-A: \u{1B}[2J\r\n\r\n"),
    Case(name: "DEL in a value", head: post + host + "X-A: \u{7F}\r\n\r\n"),
    Case(name: "no colon", head: post + host + "X-A\r\n\r\n"),
    Case(name: "no name", head: post + host + ": 1\r\n\r\n"),
    Case(name: "a name that is no token", head: post + host + "X(A): 1\r\n\r\n"),
    Case(name: "two blanks before the target", head: "POST  /echo HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "two blanks behind the target", head: "POST /echo  HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "a blank in the target", head: "POST /echo x HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "a target that is not ASCII", head: "POST /écho HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "a tab in the target", head: "POST /echo\tx HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "a method that is no token", head: "PO(ST /echo HTTP/1.1\r\n" + host + "\r\n"),
    Case(name: "no Host", head: post + "\r\n"),
    Case(name: "two Hosts", head: post + host + "Host: other\r\n\r\n"),
    Case(name: "empty Host", head: post + "Host: \r\n\r\n"),
    Case(name: "a list for a Host", head: post + "Host: a, b\r\n\r\n"),
    Case(name: "HTTP/1.2", head: "POST /echo HTTP/1.2\r\n" + host + "\r\n", status: [505]),
    Case(name: "HTTP/2.0", head: "POST /echo HTTP/2.0\r\n" + host + "\r\n", status: [505]),
    Case(name: "HTTP/0.9", head: "GET /hello HTTP/0.9\r\n" + host + "\r\n", status: [505]),
    Case(name: "no version", head: "GET /hello\r\n" + host + "\r\n"),
    Case(
      name: "101 headers",
      head: post + host + String(repeating: "X-A: 1\r\n", count: 100) + "\r\n", status: [431]),
  ]

  @Test(arguments: framing + lines)
  func whatIsInDoubtIsRefusedAndNothingBehindItIsAnswered(_ doubtful: Case) async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(doubtful.head + request("GET", "/hello"))
    let (text, last) = await client.receiveAll()
    #expect(last == .end)
    let status = Int(text.dropFirst(9).prefix(3)) ?? 0
    #expect(doubtful.status.contains(status), "\(text.prefix(300))")
    #expect(!text.contains("HTTP/1.1 2"))
    #expect(!text.contains("hello"))
  }

  /// The same without anything behind, which would show a server that waits for more.
  @Test(arguments: framing + lines)
  func whatIsInDoubtIsRefusedAtOnce(_ doubtful: Case) async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(doubtful.head)
    let (text, last) = await client.receiveAll()
    #expect(last == .end)
    #expect(doubtful.status.contains(Int(text.dropFirst(9).prefix(3)) ?? 0), "\(text.prefix(300))")
  }

  /// What the library would answer by itself is answered in the server's form, and once.
  @Test(arguments: ["-5", "99999999999999999999999"]) func aLengthThatIsNoneIsAnsweredOnce(length: String)
    async throws
  {
    let server = try TestServer()
    // Another client on each of the threads is in the midst of its head.
    let others = try (0..<4).map { _ in try server.client() }
    for other in others { await other.send("GET /hello HTTP/1.1\r\nHost: loc") }
    for pieces in [1, 40] {
      let client = try server.client()
      let text = Array(
        ("POST /echo HTTP/1.1\r\n" + Self.host + "Content-Length: \(length)\r\n\r\nhello").utf8)
      for start in stride(from: 0, to: text.count, by: text.count / pieces) {
        await client.send(Array(text[start..<min(start + text.count / pieces, text.count)]))
      }
      let (answer, last) = await client.receiveAll()
      #expect(last == .end)
      #expect(answer.components(separatedBy: "HTTP/1.1 4").count == 2, "\(answer)")
      #expect(answer.contains("X-Request-Id: "))
      #expect(answer.contains(#"{"error":{"code":"#))
    }
    for other in others {
      await other.send("alhost\r\n\r\n")
      #expect(try await other.response().text == "hello")
    }
  }

  @Test func theGuardLetsOrdinaryRequestsThrough() async throws {
    let server = try TestServer()
    let client = try server.client()
    await client.send(
      "\r\nPOST /echo HTTP/1.1\r\nhost:localhost:8080\r\nX-Empty:\r\nX-Tabs: \t a\tb \t\r\ncontent-LENGTH: 005\r\n"
        + "X-Latin: caf\u{E9}\r\nCookie: a=b; c=d\r\n\r\nhello"
        + "POST /echo?a=1&b=2 HTTP/1.1\r\nHost: [::1]:80\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    )
    let responses = try await client.responses(2)
    #expect(responses.map(\.status) == [200, 200])
    #expect(responses.map(\.text) == ["hello", "hi"])
  }

  /// The head arrives a byte at a time, so that the library's buffer grows and moves as it will.
  @Test func aHeadInPiecesIsNoLessPlain() async throws {
    let server = try TestServer()
    let client = try server.client()
    let text = request("POST", "/echo?x=1", ["X-Long: " + String(repeating: "a", count: 200)], body: "hello")
    for byte in text.utf8 { await client.send([byte]) }
    #expect(try await client.response().text == "hello")
  }

  @Test func aHeadOf30KilobytesPassesAndOneOf60DoesNot() async throws {
    let server = try TestServer()
    let field = "X-Long: " + String(repeating: "a", count: 1000)
    let passed = try await server.ask(
      request("POST", "/echo", Array(repeating: field, count: 30), body: "hello"))
    #expect(passed.text == "hello")
    let refused = try await server.ask(
      request("POST", "/echo", Array(repeating: field, count: 65), body: "hello"))
    #expect(refused.status == 431)
  }
}
