/// The help of one command, laid out as swift-argument-parser does.
struct HelpText {
  private let command: Command
  private let path: [String]
  private let version: String?
  private let columns: Int

  /// - Parameter version: the root's version; an option `--version` is listed where it is not nil.
  init(_ command: Command, path: [String], version: String?, columns: Int) {
    self.command = command
    self.path = path
    self.version = version
    self.columns = max(columns, 40)
  }

  /// Sections with a blank line between, without a closing line break.
  var text: String {
    let abstract = Self.wrap("OVERVIEW: " + command.abstract, columns: columns)
    let discussion = (command.discussion ?? "").paragraphs.map { Self.wrap($0, columns: columns) }
    let examples = command.examples.map { "  " + $0 }.joined(separator: "\n")
    let closing =
      command.subcommands.isEmpty
      ? "" : Self.wrap("See '\(path[0]) help\(inner) <command>' for detailed help.", columns: columns)
    let sections =
      [abstract] + discussion + [
        usage, table("ARGUMENTS", command.arguments.map(row)), table("OPTIONS", optionRows),
        table("COMMANDS", command.subcommands.map { ($0.name, $0.abstract) }),
        examples.isEmpty ? "" : "EXAMPLES:\n" + examples, closing,
      ]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The words between the root's name and the end of the path, each after a space.
  private var inner: String {
    path.dropFirst().map { " " + $0 }.joined()
  }

  private var usage: String {
    let head = "USAGE: " + path.joined(separator: " ")
    var words = command.options.map { option in
      let value = option.valueName.map { " <\($0)>" } ?? ""
      let word = option.spelling + value + (option.isRepeatable ? " ..." : "")
      return option.isRequired ? word : "[\(word)]"
    }
    words += command.arguments.map { argument in
      let word = argument.spelling + (argument.count.upperBound > 1 ? " ..." : "")
      return argument.count.lowerBound > 0 ? word : "[\(word)]"
    }
    if !command.subcommands.isEmpty { words = ["<command>"] }
    return Self.fill([head] + words, columns: columns, indent: 8)
  }

  private var optionRows: [(String, String)] {
    var rows = command.options.map(row)
    if version != nil { rows.append(("    --version", "Show the version.")) }
    rows.append(("-h, --help", "Show this help."))
    return rows
  }

  private func row(_ option: OptionDefinition) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    let value = option.valueName.map { " <\($0)>" } ?? ""
    var notes: [String] = []
    if option.isRequired { notes.append("required") }
    if option.isRepeatable { notes.append("may be repeated") }
    if let text = option.defaultText { notes.append("default: \(text.isEmpty ? "\"\"" : text)") }
    if let variable = option.environment { notes.append("environment: \(variable)") }
    let suffix = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    return (short + option.spelling + value, option.help + suffix)
  }

  private func row(_ argument: ArgumentDefinition) -> (String, String) {
    (argument.spelling, argument.help)
  }
}

extension HelpText {
  /// A heading and two aligned columns; a label too wide for the first has its help start on the next line.
  private func table(_ heading: String, _ rows: [(label: String, help: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let margin = min(rows.map(\.label.count).max() ?? 0, 26) + 4
    var lines = [heading + ":"]
    for (label, help) in rows {
      let start = "  " + label
      let body = Self.wrap(help, columns: columns, indent: margin)
      let indented = String(repeating: " ", count: margin) + body
      if start.count + 2 > margin {
        lines += [start, indented]
      } else {
        lines.append(start + indented.dropFirst(start.count))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Breaks a text at spaces; lines after the first are indented, and the first is taken to start at the indent.
  private static func wrap(_ text: String, columns: Int, indent: Int = 0) -> String {
    fill(
      text.split(whereSeparator: \.isWhitespace).map(String.init), columns: columns, indent: indent,
      at: indent)
  }

  /// Joins words with spaces into lines of at most `columns`; a longer word has a line of its own.
  private static func fill(_ words: [String], columns: Int, indent: Int, at start: Int = 0) -> String {
    var lines = [""]
    var width = start
    for word in words {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = word
        width += word.count
      } else if width + 1 + word.count <= columns {
        lines[lines.count - 1] += " " + word
        width += 1 + word.count
      } else {
        lines.append(word)
        width = indent + word.count
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}

extension String {
  /// The parts between blank lines.
  fileprivate var paragraphs: [String] {
    var paragraphs: [[Substring]] = [[]]
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy(\.isWhitespace) {
        paragraphs.append([])
      } else {
        paragraphs[paragraphs.count - 1].append(line)
      }
    }
    return paragraphs.map { $0.joined(separator: " ") }.filter { !$0.isEmpty }
  }
}
