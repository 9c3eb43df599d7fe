import EngagementEvents
import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

/// `erase` and `erase --check`, each a process of its own.
@Suite(.store) struct EraseTests {
  private func write(_ text: String, to name: String, in sandbox: Sandbox) throws {
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/files/logs", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(sandbox.folder)/files/\(name)"))
  }

  @Test func whatIsLeftIsToldUntilNothingIs() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let time = Day.text(daysAgo: 3) + "T10:00:00Z"
    let head = #"{"id":"11111111-1111-4111-8111-11111111111"#
    let tail = #"","notificationId":"n1","deviceId":"d-1","occurredAt":"\#(time)""#
    try write(
      "\(head)1\(tail),\"type\":\"delivered\"}\n"
        + "\(head)2\(tail),\"type\":\"action\",\"actionId\":\"answer\",\"replyText\":\"marked\"}\n",
      to: "in.ndjson", in: sandbox)
    try sandbox.succeed("import", "files/in.ndjson", "--app", "shop")
    try sandbox.succeed("aggregate")
    let check = { try sandbox.run("erase", "--check", "--device", "d-1", "files") }
    let before = try check()
    #expect(before.status == 1)
    #expect(
      before.out
        == "event: 2 rows\nreply: 1 row\nunit_outcome: 1 row\nfiles/in.ndjson: has the device's id or key in it\n"
    )
    #expect(before.err.contains("never erased"))

    #expect(
      try sandbox.succeed("erase", "--device", "d-1").contains(
        "1 reply and 0 dead letters removed, 2 events of 1 notification are nobody's now"))
    let again = try sandbox.run("import", "files/in.ndjson", "--app", "shop")
    #expect((again.out + again.err).contains("0 stored, 2 duplicates, 0 rejected"))
    #expect(try check().out == "files/in.ndjson: has the device's id or key in it\n")
    try write("device d-12 and xd-1", to: "in.ndjson", in: sandbox)
    try write("", to: "logs/empty.log", in: sandbox)
    #expect(try check().out.hasPrefix("nothing is left (erased at 20"))
    try write("device=d-1", to: "logs/serve.log", in: sandbox)
    #expect(try check().out == "files/logs/serve.log: has the device's id or key in it\n")
    #expect(try sandbox.run("verify").status == 0)
  }

  @Test func onlyFilesThatShowWhatIsInThemProveSomething() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    try write("", to: "empty", in: sandbox)
    let check = { try sandbox.run("erase", "--check", "--device", "nobody", "files") }
    try #require(try sandbox.shell("mkfifo files/pipe && ln -s nowhere files/link").status == 0)
    let clear = try check()
    #expect(clear.status == 0 && clear.out.hasPrefix("nothing is left"))
    #expect(clear.err.contains("files/pipe is no file") && clear.err.contains("files/link is no file"))

    try #require(try sandbox.shell("echo nobody | gzip > files/logs/old.gz").status == 0)
    let packed = try check()
    #expect(packed.status == 1)
    #expect(packed.out == "files/logs/old.gz: is packed: look through what is in it\n")
    #expect(packed.err.contains("1 file could not be looked through"))

    // As a page of Postgres has it, letters right beside it.
    var page = Data("x".utf8)
    var bytes: [UInt8] = []
    let secret = try StoreSecret(key: [UInt8](repeating: 0x5A, count: 32))
    try secret.deviceKey(app: AppID(1), device: DeviceID("nobody")).encode(into: &bytes)
    page.append(contentsOf: bytes + Array("x".utf8))
    try page.write(to: URL(fileURLWithPath: sandbox.folder + "/files/page"))
    let traced = try sandbox.run("erase", "--check", "--device", "nobody", "files", "nowhere")
    #expect(traced.status == 1)
    #expect(traced.out.contains("files/page: has the device's id or key in it"))
    #expect(traced.err.contains("nowhere cannot be read: No such file or directory."))
  }

  @Test func whatIsMisusedIsToldWithoutTheID() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let long = String(repeating: "marked", count: 50)
    for arguments in [["--device", long], ["--device", "marked", "files"], []] {
      let output = try sandbox.start(["erase"] + arguments).output(within: .seconds(60))
      #expect(output.status == 64)
      #expect(!output.err.contains("marked"), "\(output.err)")
    }
    let missing = try sandbox.run("erase", "--check", "--device", "d-1", "nowhere")
    #expect(missing.status == 1 && missing.err.contains("nowhere cannot be read"))
  }
}
