import Foundation
import TestSupport
import Testing

/// `pushlift serve` and its options.
@Suite(.store) struct ServeTests {
  /// A certificate for a name, and its key, in the sandbox's folder.
  private struct Certificate {
    private let sandbox: Sandbox
    let chain: String
    let key: String
    var options: [String] { ["--tls-certificate", chain, "--tls-key", key] }

    init(_ sandbox: Sandbox, name: String) throws {
      self.sandbox = sandbox
      chain = sandbox.folder + "/chain.pem"
      key = sandbox.folder + "/key.pem"
      try write(name: name)
    }

    func write(name: String) throws {
      _ = try ServeTests.shell(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) "
          + "-keyout \(key) -out \(chain)", sandbox)
    }
  }

  private static func shell(_ command: String, _ sandbox: Sandbox) throws -> String {
    let child = try Child(
      in: sandbox.folder, "/bin/sh", ["-c", command], ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    return try child.output(within: .seconds(30)).out
  }

  private static func presentedName(_ sandbox: Sandbox, port: UInt16) throws -> String {
    let subject = try shell(
      "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -subject",
      sandbox)
    return String((subject.split(separator: "=").last ?? "").filter(\.isLetter))
  }

  @Test func aHangupReadsTheCertificateAnew() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let certificate = try Certificate(sandbox, name: "first")
    let server = try sandbox.start(["serve", "--port", "0"] + certificate.options)
    let port = try server.client().port
    #expect(try Self.presentedName(sandbox, port: port) == "first")
    #expect(try Self.shell("curl -sk https://127.0.0.1:\(port)/healthz", sandbox) == #"{"alive":true}"#)
    try certificate.write(name: "second")
    server.send(SIGHUP)
    poll(upTo: .seconds(20), "the new one is read") { server.err.contains("certificate reloaded") }
    #expect(try Self.presentedName(sandbox, port: port) == "second")
    try "nonsense".write(toFile: certificate.chain, atomically: true, encoding: .utf8)
    server.send(SIGHUP)
    poll(upTo: .seconds(20), "the broken one is told of") { server.err.contains("certificate not reloaded") }
    #expect(try Self.presentedName(sandbox, port: port) == "second")
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(20)).status == 0)
  }

  @Test func filesThatCannotBeUsedAreToldOfAtTheStart() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let certificate = try Certificate(sandbox, name: "first")
    let missing = try sandbox.run(
      "serve", "--port", "0", "--tls-certificate", "/nowhere.pem", "--tls-key", certificate.key)
    #expect(missing.status == 1)
    #expect(missing.err.contains("/nowhere.pem: No such file"))
    let mixed = try sandbox.run(
      "serve", "--port", "0", "--tls-certificate", certificate.key, "--tls-key", certificate.chain)
    #expect(mixed.status == 1)
    #expect(mixed.err.contains("No certificate found in \(certificate.key)"))
    let keyless = try sandbox.run(
      "serve", "--port", "0", "--tls-certificate", certificate.chain, "--tls-key", certificate.chain)
    #expect(keyless.err.contains("No private key found in \(certificate.chain)"))
    #expect(try sandbox.run("serve", "--tls-key", certificate.key).status == 64)
    #expect(try sandbox.run("serve", "--tls-certificate", certificate.chain).status == 64)
    #expect(try sandbox.run("serve", "--trusted-proxy", "everybody").status == 64)
    #expect(try sandbox.run("serve", "--request-timeout", "0s").status == 64)
  }

  @Test func theLogIsJSONUnlessToldOtherwise() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let server = try sandbox.start(["serve", "--port", "0", "--host", "0.0.0.0"])
    poll(upTo: .seconds(60), "it warns") { server.err.contains("keys and events travel unencrypted") }
    server.send(SIGTERM)
    let output = try server.output(within: .seconds(20))
    #expect(output.status == 0)
    #expect(output.out.isEmpty)
    let messages = try output.err.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["message"]
        as? String
    }
    #expect(messages == ["listening", "keys and events travel unencrypted", "stopping", "stopped"])
    let text = try sandbox.start(["serve", "--port", "0", "--log-format", "text", "--log-level", "warning"])
    poll(upTo: .seconds(60), "it serves") { text.err.isEmpty && text.isRunning }
    text.send(SIGTERM)
    #expect(try text.output(within: .seconds(20)).err.isEmpty)
  }

  /// The options reach the server: one connection at a time, and events that are too many.
  @Test func limitsAreTaken() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let server = try sandbox.start([
      "serve", "--port", "0", "--connections-per-address", "1", "--rate-limit", "1", "--request-timeout",
      "1s",
    ])
    let client = try server.client()
    // Whoever asks below may be there first, and then this one is turned away.
    let slow = BackgroundWork { () -> Int in
      for _ in 0..<100 {
        let head = Array("POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n".utf8)
        if let answer = try? client.exchange(head) { return answer.status }
      }
      return 0
    }
    poll(upTo: .seconds(20), "the next one is turned away") {
      (try? client.get("/healthz")) == nil && server.err.contains("connection turned away")
    }
    #expect(try slow.value() == 408)
    poll(upTo: .seconds(20), "the time-out is told of") { server.err.contains("request timed out") }
    let events = try sandbox.events(notifications: 3_000, until: Day.text(daysAgo: 1))
    poll(upTo: .seconds(60), "the key is refused") {
      (try? client.post(events.prefix(2_500), key: key).status) == 429
    }
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(20)).status == 0)
  }

  /// As in `KEY=$(pushlift key create …)` with the key used in the next line, whenever in between the server reads its keys.
  @Test func aKeyIsKnownWhenItsCommandEnds() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let server = try sandbox.start(["serve", "--port", "0"])
    let client = try server.client()
    for round in 1...3 {
      let key = try sandbox.makeKey(app: "app-\(round)")
      #expect(try client.post([], key: key).status == 200, "round \(round)")
    }
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(20)).status == 0)
  }

  /// Every process of Postgres is stopped, as if its disk did not answer.
  @Test func aPostgresThatHangsDoesNotKeepIt() throws {
    let sandbox = try Sandbox()
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 20, until: Day.text(daysAgo: 1))
    let server = try sandbox.start(["serve", "--port", "0"])
    let client = try server.client()
    #expect(try client.post(events, key: key).status == 200)
    let postmaster = try #require(sandbox.postmaster)
    let processes = try Self.shell("echo \(postmaster); pgrep -P \(postmaster)", sandbox).split(
      separator: "\n"
    )
    .compactMap { pid_t($0) }
    for process in processes { kill(process, SIGSTOP) }
    defer { for process in processes { kill(process, SIGCONT) } }
    let answer = BackgroundWork { try client.post(events, key: key) }
    poll(upTo: .seconds(20), "it is not ready") { (try? client.get("/readyz").status) == 503 }
    let start = ContinuousClock.now
    server.send(SIGTERM)
    let output = try server.output(within: .seconds(30))
    #expect(output.status == 1)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(try answer.value().status == 503)
    #expect(output.err.contains("stopped without Postgres"))
  }
}
