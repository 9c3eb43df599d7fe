internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres

/// The command line: reads the arguments, runs the command, and says how it went by the exit code.
///
/// 0 done, 1 failed, 64 misused; above 128, as from a shell, where a signal or a closed pipe ended it. Errors go to standard error, data to standard output.
@main
struct Pushlift {
  static let version = "0.1.0"

  static let root: Command = Command(
    "pushlift", abstract: "Measure whether rich push notifications get more interaction than text-only ones.",
    version: version,
    subcommands: [
      DemoCommand.command, ServeCommand.command, KeyCommands.group, AggregateCommand.command,
      RatesCommand.command, PartCommands.trend, PartCommands.actions, PartCommands.replies,
      WatchCommand.command, NightlyCommand.command, CompareCommand.command, PowerCommand.command,
      ImportCommand.command, ExportCommand.command, EraseCommand.command, DeadLetterCommands.group,
      CategoryCommands.group, FrameCommands.group, PayloadCommands.group, SimulateCommand.command,
      MigrateCommand.command, VerifyCommand.command, RebuildCommand.command, MaintainCommand.command,
      DoctorCommand.command, ConfigCommand.group,
      CompletionsCommand.command,
    ])

  static func main() async {
    StandardStreams.holdClosed()
    CoreFiles.forbid(ProcessInfo.processInfo.environment)
    // Writing tells it as an error, so that a command still leaves its store in order.
    signal(SIGPIPE, SIG_IGN)
    do {
      let environment = ProcessInfo.processInfo.environment
      let invocation = Invocation(
        root: root, arguments: Array(CommandLine.arguments.dropFirst()), environment: environment,
        settings: { () throws(UsageError) in try Settings.file(environment, for: root) },
        columns: Terminal.columns)
      switch invocation {
      case .output(let text): try Terminal.print(text)
      case .usageError(let error): throw error
      case .run(let command, let arguments): try await command.action?(arguments)
      }
    } catch {
      fail(error)
    }
  }

  private static func fail(_ error: any Error) -> Never {
    switch error {
    case is ClosedPipe: exit(ClosedPipe.exitCode)
    case let error as UsageError:
      Terminal.complain(error.description)
      exit(UsageError.exitCode)
    default:
      Terminal.complain("Error: \(error)" + (remedy(error).map { "\n\($0)" } ?? ""))
      exit(1)
    }
  }

  /// What to do about an error that does not say it itself; nil where nothing is known.
  private static func remedy(_ error: any Error) -> String? {
    switch error {
    case let error as PostgresError: StoreError(error).commandsRemedy
    case let error as StoreError: error.remedy == nil ? error.commandsRemedy : nil
    default: nil
    }
  }
}
