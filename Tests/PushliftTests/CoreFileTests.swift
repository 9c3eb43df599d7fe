import Foundation
import TestSupport
import Testing

/// Memory holds what nobody shall read, and a crash must not leave it in a file.
@Suite(.database) struct CoreFileTests {
  private static let mark = "marked words 4411"

  private struct Crash {
    let output: Output
    let cores: [String]
    /// Files with the mark in them.
    let marked: String
  }

  /// Lets a server that has taken a marked reply crash where nothing else keeps it from leaving its memory.
  private func crash(_ options: String) throws -> Crash {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let server = try sandbox.start(shell: "ulimit -c unlimited; exec $PUSHLIFT serve --port 0 \(options)")
    let event =
      #"{"id":"0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0001","type":"action","notificationId":"n","deviceId":"d","#
      + #""occurredAt":"\#(Day.text(daysAgo: 1))T10:00:00Z","actionId":"reply","replyText":"\#(Self.mark)"}"#
    #expect(try server.client().post([event], key: key).status == 200)
    // Swift's report of a crash would take it, and the server go on.
    server.send(SIGSEGV)
    let output = try server.output(within: .seconds(60))
    let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
    return Crash(
      output: output, cores: files.filter { $0.hasPrefix("core") },
      marked: try sandbox.shell("grep -rl '\(Self.mark)' .").out)
  }

  @Test func aCrashLeavesNoMemoryBehindUnlessAskedTo() throws {
    let usual = try crash("")
    #expect(usual.output.status == 128 + SIGSEGV)
    #expect(!usual.output.leftCore && usual.cores.isEmpty && usual.marked.isEmpty)
    #expect(!usual.output.err.contains("Registers"))
    // Shows that the system would have, where this one keeps core files.
    let pattern = (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) ?? ""
    guard pattern.hasPrefix("core") else { return }
    let asked = try crash("--core-dumps")
    #expect(asked.output.leftCore && asked.cores.count == 1)
  }
}
