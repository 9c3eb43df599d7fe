import Foundation
import HTTPServer
import Testing

@Suite struct TLSTests {
  /// A directory with a certificate and its key, made by openssl.
  final class Files {
    let directory: URL
    var certificate: String { directory.appending(path: "certificate.pem").path }
    var key: String { directory.appending(path: "key.pem").path }

    init() throws {
      directory = FileManager.default.temporaryDirectory.appending(path: "http-tls-\(UUID())")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func make(name: String) async throws {
      _ = try await run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
          "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
          certificate,
        ])
    }

    var configuration: TLSConfiguration { TLSConfiguration(certificatePath: certificate, keyPath: key) }
  }

  private func curl(_ server: TestServer, _ arguments: [String]) async throws -> String {
    try await run(
      "curl", ["-sS", "-k", "--max-time", "10"] + arguments + ["https://127.0.0.1:\(server.port)/echo"])
  }

  /// The name in the certificate that a new connection is shown.
  private func presentedName(_ server: TestServer) async throws -> String {
    let shown = try await run(
      "sh",
      [
        "-c",
        "openssl s_client -connect 127.0.0.1:\(server.port) </dev/null 2>/dev/null | openssl x509 -noout -subject",
      ])
    return String(shown.split(separator: "=").last ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func requestsAreServedOverTLS() async throws {
    let files = try Files()
    try await files.make(name: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    #expect(try await curl(server, ["--data-binary", "{}", "-H", "Content-Type: application/json"]) == "{}")
    #expect(try await presentedName(server) == "first")
  }

  @Test(arguments: [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1", false), ("-tls1", false)])
  func oldVersionsAreRefused(_ version: String, _ isTaken: Bool) async throws {
    let files = try Files()
    try await files.make(name: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let shown = try await run(
      "openssl",
      ["s_client", "-connect", "127.0.0.1:\(server.port)", version, "-cipher", "DEFAULT@SECLEVEL=0"])
    #expect(shown.contains("BEGIN CERTIFICATE") == isTaken)
  }

  /// Past the library, in the midst of a body, the answer must be encrypted too.
  @Test func aChunkedBodyBeyondTheLimitIsAnsweredOverTLS() async throws {
    let files = try Files()
    try await files.make(name: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let large = files.directory.appending(path: "large")
    try Data(repeating: 0x61, count: 300_000).write(to: large)
    let answer = try await curl(
      server,
      [
        "-H", "Transfer-Encoding: chunked", "-H", "Content-Type: application/json", "-H", "Expect:",
        "--data-binary", "@\(large.path)", "-w", " %{http_code}",
      ])
    #expect(answer.contains("body_too_large"))
    #expect(answer.hasSuffix(" 413"))
  }

  @Test func newConnectionsGetTheNewCertificateAndOldOnesStay() async throws {
    let files = try Files()
    try await files.make(name: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let old = try Conversation(port: server.port)
    #expect(await old.ask("/hello", endingWith: "hello").hasPrefix("HTTP/1.1 200"))
    try await files.make(name: "second")
    #expect(try await presentedName(server) == "first")
    try server.server.reloadTLS()
    #expect(try await presentedName(server) == "second")
    #expect(await old.ask("/hello", endingWith: "hello").hasPrefix("HTTP/1.1 200"))
    old.end()
  }

  @Test func filesThatDoNotFitChangeNothing() async throws {
    let files = try Files()
    try await files.make(name: "first")
    let server = try TestServer({ $0.tls = files.configuration })
    let other = try Files()
    try await other.make(name: "other")
    try FileManager.default.removeItem(atPath: files.key)
    try FileManager.default.copyItem(atPath: other.key, toPath: files.key)
    let error = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
    #expect(error?.code == .certificateUnusable)
    try FileManager.default.removeItem(atPath: files.key)
    let missing = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
    #expect(missing?.message.contains(files.key) == true)
    #expect(try await presentedName(server) == "first")
    #expect(throws: HTTPServerError.self) { try TestServer({ $0.tls = files.configuration }) }
  }

  @Test func aPlainServerHasNothingToReload() throws {
    let server = try TestServer()
    let error = #expect(throws: HTTPServerError.self) { try server.server.reloadTLS() }
    #expect(error?.code == .notStarted)
  }

  /// Clients that never finish their handshake are cut off like any slow sender.
  @Test func anUnfinishedHandshakeIsCutOff() async throws {
    let files = try Files()
    try await files.make(name: "first")
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
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(port: UInt16) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "20", "openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(port)"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// The answer to a GET, up to an end that is known to come; what has come so far if the connection ends before.
  func ask(_ path: String, endingWith end: String) async -> String {
    input.fileHandleForWriting.write(Data(request("GET", path).utf8))
    let handle = output.fileHandleForReading
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var text = ""
        while !text.hasSuffix(end) {
          let data = handle.availableData
          if data.isEmpty { break }
          text += String(decoding: data, as: UTF8.self)
        }
        continuation.resume(returning: text)
      }
    }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.terminate()
  }
}

/// What a program writes, at most for as long as it limits itself.
private func run(_ program: String, _ arguments: [String]) async throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  return await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      let data = output.fileHandleForReading.readDataToEndOfFile()
      continuation.resume(returning: String(decoding: data, as: UTF8.self))
    }
  }
}
