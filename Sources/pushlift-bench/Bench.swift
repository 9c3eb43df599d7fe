internal import Arguments
internal import Foundation

/// Measurements beside a peer or a bare limit, in the same run on the same machine.
@main
struct Bench {
  static let root = Command(
    "pushlift-bench", abstract: "Measure pushlift beside a peer or a bare limit, in the same run.",
    subcommands: [
      IngestBench.command, ImportBench.command, HistoryBench.command, AggregateBench.command,
      ReportBench.command, CoverageBench.command, FuzzBench.command, LintBench.command,
      SoakBench.command,
    ])

  static func main() async {
    let invocation = Invocation(
      root: root, arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment)
    switch invocation {
    case .output(let text): print(text)
    case .usageError(let error): fail("\(error)", code: UsageError.exitCode)
    case .run(let command, let arguments):
      do {
        try await command.action?(arguments)
      } catch {
        fail("Error: \(error)", code: 1)
      }
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(code)
  }
}

/// Why a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Prints a line at once, also into a pipe: a measurement takes long.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
