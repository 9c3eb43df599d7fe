import Foundation
import TestSupport
import Testing

/// Output that cannot be written.
@Suite(.store) struct OutputTests {
  @Test func aFullStandardOutputIsAnErrorInOneLine() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    for command in [
      "help", "--version", "key list", "deadletters list --format csv", "rates --format json",
      "compare 1/2 1/3",
      "migrate", "simulate --notifications 10 --output -", "export",
    ] {
      // An export of nothing writes nothing.
      let status: Int32 = command == "export" ? 0 : 1
      let output = try sandbox.shell("\"$PUSHLIFT\" \(command) > /dev/full")
      #expect(output.status == status, "\(command)")
      guard status == 1 else { continue }
      #expect(
        output.err == "Error: standard output cannot be written: No space left on device.\n", "\(command)")
    }
  }

  @Test(arguments: ["> /dev/full", "| true"]) func aKeyThatNobodySawIsNotMade(redirection: String) throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.succeed("migrate")
    // The pipe's reader is gone before the command writes.
    _ = try sandbox.shell("(sleep 0.2; \"$PUSHLIFT\" key create --app unseen) \(redirection)")
    let list = try sandbox.run("key", "list")
    #expect(list.status == 0)
    #expect(list.out.isEmpty)
    #expect(try sandbox.run("key", "list", "--app", "unseen").err.contains("There is no app"))
  }

  @Test func aClosedPipeEndsACommandQuietlyAndInOrder() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.makeKey()
    let output = try sandbox.shell(
      "{ (sleep 0.2; \"$PUSHLIFT\" key list; echo \"status $?\" >&2) | true; }")
    #expect(output.err == "status 141\n")
    #expect(sandbox.postmaster == nil)
  }

  /// Path and reason, and nothing left behind.
  @Test func filesAndFoldersThatCannotBeWrittenAreNamed() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let events = sandbox.folder + "/events.ndjson"
    let day = Day.text(daysAgo: 9)
    try sandbox.succeed("simulate", "--notifications", "200", "--until", day, "--output", events)
    try sandbox.succeed("import", events, "--app", "shop")
    let full = try sandbox.run("export", "--output", "/dev/full")
    #expect(full.status == 1)
    #expect(full.err == "Error: /dev/full cannot be written: No space left on device.\n")
    let folder = try sandbox.run("export", "--output", sandbox.folder)
    #expect(folder.err == "Error: \(sandbox.folder) cannot be written: Is a directory.\n")
    let file = try sandbox.run("nightly", "--output", events)
    #expect(file.status == 1)
    #expect(file.err == "Error: The folder \(events) cannot be written: Not a directory.\n")
    let proc = try sandbox.run("nightly", "--output", "/proc/reports")
    #expect(proc.status == 1)
    #expect(proc.err.hasPrefix("Error: The folder /proc/reports cannot be written: "))
    let deep = sandbox.folder + "/a/b/"
    #expect(try sandbox.run("nightly", "--output", deep).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: deep).allSatisfy { !$0.hasSuffix(".part") })
    let limited = try sandbox.shell(
      "ulimit -f 1; trap '' XFSZ; \"$PUSHLIFT\" export --output cut.ndjson")
    #expect(limited.status == 1)
    #expect(limited.err == "Error: cut.ndjson cannot be written: File too large.\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).allSatisfy { !$0.hasPrefix("cut") })
  }
}
