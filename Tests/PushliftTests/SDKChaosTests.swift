import Foundation
import TestSupport
import Testing

/// Apps that are killed again and again, a network that does whatever networks do, and a server that is the real one.
struct SDKChaosTests {
  private static let events = 10_000
  private static let kills = 20
  /// An app and its two extensions share the storage.
  private static let processes = 3

  @Test(.timeLimit(.minutes(3))) func eachEventIsStoredExactlyOnce() throws {
    let sandbox = try Sandbox()
    let key = try sandbox.makeKey()
    let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
    let proxy = try UnreliableProxy(to: try server.client())
    let folder = sandbox.folder + "/container"

    func start(_ process: Int) throws -> Child {
      let first = process * Self.events / Self.processes
      let end = (process + 1) * Self.events / Self.processes
      return try sandbox.start(
        program: "sdk-probe", ["http://127.0.0.1:\(proxy.port)", key, folder, "\(first)", "\(end - first)"])
    }
    var probes = try (0..<Self.processes).map(start)
    for round in 0..<Self.kills {
      // How long a process lives is what the test is about.
      usleep(.random(in: 20_000...300_000))
      let victim = round % Self.processes
      probes[victim].send(SIGKILL)
      #expect(try probes[victim].output(within: .seconds(10)).status == 128 + SIGKILL)
      probes[victim] = try start(victim)
    }
    for probe in probes {
      let output = try probe.output(within: .seconds(60))
      #expect(output.status == 0, "\(output.err.suffix(1_500))")
    }

    let lines = try sandbox.succeed("export", "--app", "shop", "--with-replies").split(separator: "\n")
    #expect(lines.count == Self.events)
    // Whole, and as they were recorded.
    let numbers = lines.compactMap { line -> Int? in
      guard let number = line.firstMatch(of: /"notificationId":"n-(\d+)"/).flatMap({ Int($0.1) }) else {
        return nil
      }
      let marks = [
        "\"bytes\": \(number)}", "\"type\":\"expanded\"", "\"replyText\":\"Number \(number) 👋\"",
      ]
      return line.contains(marks[number % 3]) ? number : nil
    }
    #expect(Set(numbers).count == Self.events)
    #expect(try sandbox.succeed("deadletters", "list").contains("n-") == false)
    for fate in UnreliableProxy.Fate.allCases { #expect(proxy.counts[fate, default: 0] > 0, "\(fate)") }
    // Nothing is left on the device.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/journals").isEmpty)
  }
}
