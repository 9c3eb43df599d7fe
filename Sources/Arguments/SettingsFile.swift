/// Settings from a file: a line each, `name = value`.
///
/// The names are those of the options that a variable of the environment can set, too. What is on the command line goes
/// before the environment, and that before the file.
package struct SettingsFile: Sendable {
  package let path: String
  private let entries: [Entry]

  private struct Entry {
    let name: String
    let text: String
    let line: Int
  }

  /// Reads the text of a file. A line that begins with `#` is a remark, and a value may stand in double quotes.
  ///
  /// - Parameter root: the commands whose options are known.
  /// - Throws: `UsageError` for a line that is no setting, a name that no option has, or one that is set twice.
  package init(path: String, text: String, for root: Command) throws(UsageError) {
    let known = root.settings
    var entries: [Entry] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let place = "\(path), line \(index + 1)"
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else {
        throw UsageError("\(place): '\(line)' is no setting; write name = value.", commandPath: [root.name])
      }
      let name = String(Self.trimmed(line[..<equals]))
      guard let option = known[name] else {
        let hint = Suggestion.nearest(to: name, among: known.keys.sorted()).map { "did you mean '\($0)'?" }
        throw UsageError(
          "\(place): there is no setting '\(name)'; \(hint ?? "pushlift config show lists them.")",
          commandPath: [root.name])
      }
      if !option.isRepeatable, let former = entries.first(where: { $0.name == name }) {
        throw UsageError(
          "\(place): '\(name)' is set in line \(former.line) already; it may be set once.",
          commandPath: [root.name])
      }
      entries.append(
        Entry(name: name, text: Self.unquoted(line[line.index(after: equals)...]), line: index + 1))
    }
    self.path = path
    self.entries = entries
  }

  /// What the file says of an option, and in which line it begins to; nil where it says nothing.
  func texts(for option: OptionDefinition) -> (texts: [String], line: Int)? {
    let found = entries.filter { $0.name == option.name && !$0.text.isEmpty }
    return found.first.map { (found.map(\.text), $0.line) }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private static func unquoted(_ text: Substring) -> String {
    let text = trimmed(text)
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    return String(text.dropFirst().dropLast())
  }
}

extension Command {
  /// The options of this command and all below it that can be set beside the command line, by name.
  var settings: [String: OptionDefinition] {
    var settings: [String: OptionDefinition] = [:]
    for option in options where option.environment != nil { settings[option.name] = option }
    for command in subcommands { settings.merge(command.settings) { first, _ in first } }
    return settings
  }
}
