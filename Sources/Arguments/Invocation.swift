/// What a command line asks for.
package enum Invocation: Sendable {
  /// Run this command's action with these arguments.
  case run(Command, ParsedArguments)
  /// Help or the version: print the text on standard output and leave with 0. No closing line break.
  case output(String)
  /// Print the error on standard error and leave with `UsageError.exitCode`.
  case usageError(UsageError)

  /// What options fall back on last; asked only for a command that has settings.
  package typealias Settings = () throws(UsageError) -> SettingsFile?

  /// Understands a command line. Nothing is printed and nothing read but the parameters.
  /// - Parameters:
  ///   - root: the tree of commands.
  ///   - arguments: the words after the program's name.
  ///   - environment: the variables that options may fall back on.
  ///   - settings: what they fall back on after that.
  ///   - columns: the width that help is wrapped to.
  package init(
    root: Command, arguments: [String], environment: [String: String] = [:],
    settings: Settings = { () throws(UsageError) -> SettingsFile? in nil }, columns: Int = 90
  ) {
    do {
      self = try Self.resolve(root, arguments, environment, settings, columns)
    } catch {
      self = .usageError(error)
    }
  }

  private static func resolve(
    _ root: Command, _ arguments: [String], _ environment: [String: String],
    _ settings: Settings, _ columns: Int
  ) throws(UsageError) -> Invocation {
    var command = root
    var path = [root.name]
    var words = arguments[...]
    var wantsHelp = false
    while !command.subcommands.isEmpty, let word = words.first {
      if word == "help" {
        wantsHelp = true
      } else if word.hasPrefix("-") {
        break
      } else {
        command = try subcommand(word, of: command, path)
        path.append(command.name)
      }
      words.removeFirst()
    }
    let options = words.prefix { $0 != "--" }
    if wantsHelp || options.contains("--help") || options.contains("-h") {
      return .output(HelpText(command, path: path, version: root.version, columns: columns).text)
    }
    if let version = root.version, options.contains("--version") { return .output(version) }
    if let word = words.first, command.action == nil { throw misplaced(word, in: command, path) }
    guard command.action != nil else {
      return .output(HelpText(command, path: path, version: root.version, columns: columns).text)
    }
    var scanner = ArgumentScanner(command, path: path)
    try scanner.scan(Array(words))
    let file = command.settings.isEmpty ? nil : try settings()
    return .run(command, try scanner.resolve(environment: environment, settings: file))
  }

  private static func subcommand(
    _ word: String, of command: Command, _ path: [String]
  ) throws(UsageError) -> Command {
    if let found = command.subcommands.first(where: { $0.name == word }) { return found }
    let names = command.subcommands.map(\.name)
    let hint =
      Suggestion.nearest(to: word, among: names).map { "did you mean '\($0)'?" }
      ?? "the commands are \(names.joined(separator: ", "))."
    throw UsageError("unknown command '\(word)'; \(hint)", commandPath: path)
  }

  /// An option where a command should stand.
  private static func misplaced(_ word: String, in command: Command, _ path: [String]) -> UsageError {
    UsageError(
      "'\(word)' stands before a command; write '\(path.joined(separator: " ")) <command> \(word)'.",
      commandPath: path)
  }
}
