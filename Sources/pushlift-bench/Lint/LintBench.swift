internal import Arguments
internal import Foundation

/// `pushlift-bench lint`.
enum LintBench {
  private static let count = Option<Int>(
    "files", .integer(in: 1...20_000), default: 1_000, help: "How many payloads are linted in one call.")
  private static let rounds = Option<Int>(
    "rounds", .integer(in: 1...100), default: 5, help: "How often it is run; the median counts.")

  static let command = Command(
    "lint", abstract: "How long `pushlift payload lint` takes over many files.",
    discussion: """
      Writes payloads as senders make them, each another one, good ones and bad ones, and lints all in one call. The time is \
      that of the whole process, from its start to its end, which reads the files and prints the findings.
      """,
    examples: ["pushlift-bench lint --files 1000"],
    options: [count, rounds]
  ) { arguments in
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "pushlift-lint-\(UInt32.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var bytes = 0
    let names = try (0..<arguments[count]).map { number in
      let seed = LintSeeds.payloads[number % LintSeeds.payloads.count]
      // No two alike, as far as texts go.
      let payload = Data(String(decoding: seed, as: UTF8.self).replacing("Anna", with: "Anna \(number)").utf8)
      let name = "\(number).apns"
      try payload.write(to: folder.appendingPathComponent(name))
      bytes += payload.count
      return name
    }
    for format in ["text", "json"] {
      let times = try (0..<arguments[rounds]).map { _ in try lint(names, in: folder, format) }
      let middle = Int((median(times) * 1_000).rounded())
      say(
        "pushlift payload lint --format \(format), \(names.count) files of \(bytes / names.count) bytes: \(middle) ms"
      )
    }
  }

  /// The seconds that the process takes.
  private static func lint(_ names: [String], in folder: URL, _ format: String) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.bundlePath + "/pushlift")
    process.arguments = ["payload", "lint", "--format", format] + names
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Some of them are meant to be invalid.
    guard process.terminationStatus <= 1 else { throw BenchError("pushlift payload lint failed") }
    return seconds
  }
}
