import Foundation
import TestSupport
import Testing

/// Memory holds what nobody shall read, and a crash must not leave it in a file.
@Suite(.database) struct CoreFileTests {
  private func crash(_ options: String) throws -> (output: Output, cores: [String]) {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let server = try sandbox.start(shell: "ulimit -c unlimited; exec $PUSHLIFT serve --port 0 \(options)")
    _ = try server.client()
    // Where Swift reports on crashes, it takes the first one for that, and this is none that comes again by itself.
    poll(upTo: .seconds(30), "it has crashed") {
      server.send(SIGSEGV)
      return !server.isRunning
    }
    let output = try server.output(within: .seconds(60))
    let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
    return (output, files.filter { $0.hasPrefix("core") })
  }

  @Test func aCrashLeavesNoMemoryBehindUnlessAskedTo() throws {
    let usual = try crash("")
    #expect(usual.output.status == 128 + SIGSEGV)
    #expect(!usual.output.leftCore && usual.cores.isEmpty)
    #expect(!usual.output.err.contains("Registers"))
    // Shows that the system would have, where this one keeps core files.
    let pattern = (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) ?? ""
    guard pattern.hasPrefix("core") else { return }
    let asked = try crash("--core-dumps")
    #expect(asked.output.leftCore && asked.cores.count == 1)
  }
}
