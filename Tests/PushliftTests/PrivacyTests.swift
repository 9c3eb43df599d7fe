import EventStore
import Foundation
import TestSupport
import Testing

/// A run with marked replies and a marked device, and a search for the marks in everything that comes of it.
@Suite(.store) struct PrivacyTests {
  private static let device = "marked-device-9942"
  /// Of the replies that are stored and of those that are refused.
  private static let stored = "stored words 7731"
  private static let refused = "refused words 5518"

  private static func event(_ number: Int, _ members: String, device: String = device) -> String {
    #"{"id":"00000000-0000-4000-8000-00000000000\#(number)","notificationId":"n-1","deviceId":"\#(device)","#
      + #""occurredAt":"\#(Day.text(daysAgo: 3))T10:00:0\#(number)Z",\#(members)}"#
  }

  private static var good: [String] {
    [
      event(1, #""type":"delivered","category":"chat","actions":["reply"]"#),
      event(2, #""type":"action","category":"chat","actionId":"reply","replyText":"\#(stored)""#),
      event(3, #""type":"delivered","category":"chat""#, device: "another"),
    ]
  }

  /// Each refused for another reason, words and device in each.
  private static var bad: [String] {
    let words = #""replyText":"\#(refused)""#
    return [
      event(4, #""type":"tapped",\#(words)"#), event(5, #""type":"delivered",\#(words)"#),
      event(6, #""type":"action","actionId":7,\#(words)"#),
      event(7, #""type":"action","actionId":"reply","replyText":["\#(refused)"]"#),
      event(8, #""type":"action","actionId":"reply","replyTexts":"\#(refused)","replyText":1"#),
      event(2, #""type":"action","category":"chat","actionId":"other",\#(words)"#),
      event(9, #""type":"action","actionId":"reply","replyText":"\#(refused) \ud800""#),
    ]
  }

  private func post(_ events: [String], _ key: String, _ client: HTTPClient) throws -> HTTPAnswer {
    try client.post(
      "/v1/events", ["Authorization": "Bearer \(key)", "Content-Type": "application/x-ndjson"],
      body: Array(events.joined(separator: "\n").utf8))
  }

  /// The whole database as SQL, and which of the words are in it outside of the vault, in clear or as bytes.
  private func marks(in text: String, _ words: [String]) -> [String] {
    words.filter { text.contains($0) || text.contains(Digest.hexadecimal(Array($0.utf8))) }
  }

  private func dump(_ sandbox: Sandbox) throws -> (vault: String, rest: String) {
    let output = try sandbox.shell("pg_dump --no-owner \"$PUSHLIFT_DATABASE\"")
    try #require(output.status == 0, "\(output.err)")
    let start = try #require(output.out.range(of: "COPY pushlift.reply "))
    let end = try #require(output.out.range(of: "\n\\.\n", range: start.upperBound..<output.out.endIndex))
    return (
      String(output.out[start.lowerBound..<end.lowerBound]),
      String(output.out[..<start.lowerBound] + output.out[end.upperBound...])
    )
  }

  /// Reports of every kind, exports without replies, and what the letters show.
  private func outputs(_ sandbox: Sandbox) throws -> String {
    let commands = [
      ["rates"], ["rates", "--details"], ["rates", "--format", "html"], ["rates", "--format", "csv"],
      ["rates", "--format", "json"], ["export"], ["deadletters", "list"], ["deadletters", "show", "1"],
      ["deadletters", "replay", "--all", "--dry-run"], ["category", "list"], ["doctor"], ["verify"],
      ["nightly", "--output", "out"],
    ]
    let printed = try commands.map { arguments in
      let output = try sandbox.start(arguments).output(within: .seconds(60))
      return output.out + output.err
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/out")
    #expect(files.count >= 6)
    return try
      (printed + files.map { try String(contentsOfFile: "\(sandbox.folder)/out/\($0)", encoding: .utf8) })
      .joined(separator: "\n")
  }

  @Test func marksAreInTheVaultAloneAndAfterErasureNowhere() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let admin = try sandbox.succeed("key", "create", "--app", "shop", "--scope", "admin")
      .trimmingCharacters(in: .newlines)
    let server = try sandbox.start(["serve", "--port", "0", "--log-level", "debug", "--log-format", "json"])
    let client = try server.client()
    let words = [Self.device, Self.stored, Self.refused]
    var answers = ""
    #expect(try post(Self.good, key, client).status == 200)
    for events in [Self.bad, ["{\"replyText\":\"\(Self.refused)"], ["\(Self.refused) \(Self.device)"]] {
      let answer = try post(events, key, client)
      #expect(answer.status == 422)
      answers += answer.text
    }
    answers += try post(Self.good, "pushlift_\(Self.device)", client).text
    answers += try client.get("/nowhere/\(Self.device)?text=\(Self.device)").text
    try sandbox.succeed("aggregate")
    answers += try client.get("/metrics").text

    let before = try dump(sandbox)
    #expect(marks(in: before.vault, words) == [Self.stored])
    #expect(marks(in: before.rest, words) == [])
    #expect(marks(in: try outputs(sandbox) + answers, words) == [])
    let report = try sandbox.succeed("rates", "--format", "json")
    let position = try #require(report.firstMatch(of: /"position" : (\d+)/)).1

    let erased = try client.exchange(
      Array(
        ("DELETE /v1/devices/\(Self.device) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Authorization: Bearer \(admin)\r\n\r\n").utf8))
    #expect(erased.status == 200)
    #expect(
      erased.text.contains(#""replies":1,"deadLetters":7,"events":2,"notifications":1"#), "\(erased.text)")
    _ = try post(Self.good + Self.bad, key, client)
    let file = sandbox.folder + "/in.ndjson"
    try Self.good.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    try sandbox.succeed("import", file, "--app", "shop")
    let after = try dump(sandbox)
    #expect(marks(in: after.vault + after.rest, words) == [])
    #expect(marks(in: try outputs(sandbox) + erased.text, words) == [])
    #expect(try sandbox.succeed("rates", "--as-of", String(position), "--format", "json") == report)
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(20)).status == 0)
    #expect(server.err.contains("request answered") && server.err.contains("events rejected"))
    #expect(marks(in: server.err, words) == [])
    let log = sandbox.folder + "/serve.log"
    try server.err.write(toFile: log, atomically: true, encoding: .utf8)
    let check = try sandbox.run("erase", "--check", "--device", Self.device, "out", log)
    #expect(check.status == 0, "\(check.out)\(check.err)")
  }
}
