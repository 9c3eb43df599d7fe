internal import Arguments
internal import EventStore
internal import Foundation

/// The command line: reads the arguments, runs the command, and says how it went by the exit code.
///
/// 0 done, 1 failed, 64 misused. Errors go to standard error, data to standard output.
@main
struct Pushlift {
  static let version = "0.1.0"

  static let root = Command(
    "pushlift", abstract: "Measure whether rich push notifications get more interaction than text-only ones.",
    version: version,
    subcommands: [
      DemoCommand.command, ServeCommand.command, KeyCommands.group, AggregateCommand.command,
      RatesCommand.command, NightlyCommand.command, CompareCommand.command, PowerCommand.command,
      ImportCommand.command, ExportCommand.command, DeadLetterCommands.group, SimulateCommand.command,
      MigrateCommand.command, VerifyCommand.command, RebuildCommand.command, MaintainCommand.command,
    ])

  static func main() async {
    // A reader that has seen enough, such as `head`, ends a command quietly.
    signal(SIGPIPE, SIG_DFL)
    let invocation = Invocation(
      root: root, arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment,
      columns: Terminal.columns)
    switch invocation {
    case .output(let text): Terminal.print(text)
    case .usageError(let error): fail(error)
    case .run(let command, let arguments):
      do {
        try await command.action?(arguments)
      } catch {
        fail(error)
      }
    }
  }

  private static func fail(_ error: any Error) -> Never {
    switch error {
    case let error as UsageError:
      Terminal.complain(error.description)
      exit(UsageError.exitCode)
    default:
      Terminal.complain("Error: \(error)")
      exit(1)
    }
  }
}
