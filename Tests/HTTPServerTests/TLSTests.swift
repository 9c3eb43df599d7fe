import Dispatch
import HTTPServer
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct TLSTests {
  /// A directory with a certificate and its key, made by openssl.
  final class Files: Sendable {
    let directory: String
    var certificate: String { directory + "/certificate.pem" }
    var key: String { directory + "/key.pem" }
    var configuration: TLSConfiguration { TLSConfiguration(certificatePath: certificate, keyPath: key) }

    init(named name: String) async throws {
      var template = Array("/tmp/http-tls-XXXXXX".utf8CString)
      directory = try #require(mkdtemp(&template).map { String(cString: $0) })
      await make(name: name)
    }

    deinit {
      for name in ["certificate.pem", "key.pem", "large", "conversation"] { unlink(directory + "/" + name) }
      rmdir(directory)
    }

    func make(name: String) async {
      _ = await run(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) "
          + "-addext subjectAltName=IP:127.0.0.1 -keyout \(key) -out \(certificate)")
    }
  }

  private func curl(_ server: TestServer, _ arguments: String) async -> String {
    await run(
      "curl -sS -k --max-time 10 -H 'Content-Type: application/json' \(arguments) https://127.0.0.1:\(server.port)/echo"
    )
  }

  /// The name in the certificate that a new connection is shown.
  private func presentedName(_ server: TestServer) async -> String {
    let shown = await run(
      "openssl s_client -connect 127.0.0.1:\(server.port) </dev/null | openssl x509 -noout -subject")
    return String((shown.split(separator: "=").last ?? "").filter(\.isLetter))
  }

  @Test func requestsAreServedOverTLS() async throws {
    let files = try await Files(named: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    #expect(await curl(server, "--data-binary '{}'") == "{}")
    #expect(await presentedName(server) == "first")
  }

  @Test(arguments: [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1", false), ("-tls1", false)])
  func oldVersionsAreRefused(_ version: String, _ isTaken: Bool) async throws {
    let files = try await Files(named: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let shown = await run(
      "openssl s_client -connect 127.0.0.1:\(server.port) \(version) -cipher DEFAULT@SECLEVEL=0 </dev/null")
    #expect(shown.contains("BEGIN CERTIFICATE") == isTaken)
  }

  /// Past the library, in the midst of a body, the answer must be encrypted too.
  @Test func aChunkedBodyBeyondTheLimitIsAnsweredOverTLS() async throws {
    let files = try await Files(named: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let large = files.directory + "/large"
    _ = await run("head -c 300000 /dev/zero > \(large)")
    let answer = await curl(
      server, "-H 'Transfer-Encoding: chunked' -H Expect: --data-binary @\(large) -w ' %{http_code}'")
    #expect(answer.contains("body_too_large"))
    #expect(answer.hasSuffix(" 413"))
  }

  @Test func newConnectionsGetTheNewCertificateAndOldOnesStay() async throws {
    let files = try await Files(named: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let old = try Conversation(port: server.port, output: files.directory + "/conversation")
    old.ask("/hello")
    #expect(await eventually { old.answerCount == 1 })
    await files.make(name: "second")
    #expect(await presentedName(server) == "first")
    try server.server.reloadTLS()
    #expect(await presentedName(server) == "second")
    old.ask("/hello")
    #expect(await eventually { old.answerCount == 2 })
  }

  @Test func filesThatDoNotFitChangeNothing() async throws {
    let files = try await Files(named: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let other = try await Files(named: "other")
    #expect(rename(other.key, files.key) == 0)
    let error = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
    #expect(error?.code == .certificateUnusable)
    #expect(unlink(files.key) == 0)
    let missing = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
    #expect(missing?.message.contains(files.key) == true)
    #expect(await presentedName(server) == "first")
    #expect(throws: HTTPServerError.self) { try TestServer({ $0.tls = files.configuration }) }
  }

  @Test func aPlainServerHasNothingToReload() throws {
    let server = try TestServer()
    let error = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
    #expect(error?.code == .notStarted)
  }

  /// Clients that never finish their handshake are cut off like any slow sender.
  @Test func anUnfinishedHandshakeIsCutOff() async throws {
    let files = try await Files(named: "first")
    let server = try TestServer({
      $0.tls = files.configuration
      $0.requestTimeout = .milliseconds(300)
    })
    let client = try server.client()
    await client.send([0x16, 0x03, 0x01])
    #expect(await client.receiveAll().last != .silence)
  }
}

/// One TLS connection kept open, by way of `openssl s_client`.
private final class Conversation {
  private let program: UnsafeMutablePointer<FILE>
  private let output: String

  init(port: UInt16, output: String) throws {
    self.output = output
    program = try #require(
      popen(
        "timeout 20 openssl s_client -quiet -no_ign_eof -connect 127.0.0.1:\(port) >\(output) 2>/dev/null",
        "w"))
  }

  deinit { pclose(program) }

  func ask(_ path: String) {
    fputs(request("GET", path), program)
    fflush(program)
  }

  /// How many answers have come, each a 200 with its body.
  var answerCount: Int {
    let text = contents(of: output)
    return min(text.ranges(of: "HTTP/1.1 200 ").count, text.ranges(of: "\r\n\r\nhello").count)
  }
}

private func contents(of path: String) -> String {
  guard let file = fopen(path, "r") else { return "" }
  defer { fclose(file) }
  return text(from: file)
}

private func text(from file: UnsafeMutablePointer<FILE>) -> String {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65536)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

/// What a shell command writes, which must end by itself.
///
/// Not through Foundation's `Process`, which reads past a directory entry when it starts a program on Linux.
private func run(_ command: String) async -> String {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      guard let program = popen("exec 2>/dev/null; " + command, "r") else {
        return continuation.resume(returning: "")
      }
      let output = text(from: program)
      pclose(program)
      continuation.resume(returning: output)
    }
  }
}
