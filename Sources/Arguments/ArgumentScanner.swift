/// Sorts the words after a command into options and arguments, then turns them into values.
struct ArgumentScanner {
  private let command: Command
  private let path: [String]
  private var texts: [String: [String]] = [:]
  private var positionals: [String] = []
  private var words: ArraySlice<String> = []

  init(_ command: Command, path: [String]) {
    self.command = command
    self.path = path
  }

  mutating func scan(_ arguments: [String]) throws(UsageError) {
    words = arguments[...]
    while let word = words.popFirst() {
      if word == "--" {
        positionals += words
        break
      }
      if word.hasPrefix("--") {
        try scanLong(word)
      } else if Self.isOption(word) {
        try scanShort(word)
      } else {
        positionals.append(word)
      }
    }
  }

  /// `--name value`, `--name=value` or a flag.
  private mutating func scanLong(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = command.options.first(where: { $0.spelling == parts[0] }) else {
      throw unknown(parts[0])
    }
    let attached = parts.count == 2 ? parts[1] : nil
    try take(option, spelled: parts[0], attached: attached)
  }

  /// `-o value`, `-ovalue`, `-o=value`, or several flags in one word, `-vq`.
  private mutating func scanShort(_ word: String) throws(UsageError) {
    var letters = word.dropFirst()
    // `-category=news` would otherwise quietly be `-c` with the value "ategory=news".
    let name = letters.prefix { $0 != "=" }
    if name.count > 1, let option = command.options.first(where: { $0.name == name }) {
      throw error("unknown option '-\(name)'; did you mean '\(option.spelling)'?")
    }
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.short == letter }) else {
        throw unknown(word.count > 2 ? word : "-\(letter)")
      }
      if option.valueName == nil, letters.first != "=" {
        try take(option, spelled: "-\(letter)", attached: nil)
        continue
      }
      let rest = letters.first == "=" ? letters.dropFirst() : letters
      let attached = letters.isEmpty ? nil : String(rest)
      return try take(option, spelled: "-\(letter)", attached: attached)
    }
  }

  private mutating func take(
    _ option: OptionDefinition, spelled spelling: String, attached: String?
  ) throws(UsageError) {
    if texts[option.spelling] != nil, !option.isRepeatable {
      throw error("'\(spelling)' is given twice; it may be given once.")
    }
    guard let valueName = option.valueName else {
      if let attached { throw error("'\(spelling)' takes no value, but '\(attached)' is attached to it.") }
      texts[option.spelling] = [OptionDefinition.flagGiven]
      return
    }
    if let attached {
      texts[option.spelling, default: []].append(attached)
    } else if let next = words.first {
      guard !Self.isOption(next) else {
        throw error(
          "'\(spelling)' needs a value, but '\(next)' follows; if that is the value, write '\(option.spelling)=\(next)'."
        )
      }
      texts[option.spelling, default: []].append(next)
      words.removeFirst()
    } else {
      throw error("'\(spelling)' needs a value: \(option.spelling) <\(valueName)>.")
    }
  }

  /// Whether the word is an option rather than a value: `-` alone is a value, and so is a negative number.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !(second.isNumber || second == "." && Double(word) != nil)
  }

  private func unknown(_ word: String) -> UsageError {
    let known = command.options.map(\.spelling) + ["--help"]
    let hint = Suggestion.nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? "."
    return error("unknown option '\(word)'\(hint)")
  }

  private func error(_ message: String) -> UsageError {
    UsageError(message, commandPath: path)
  }
}

extension ArgumentScanner {
  /// The values, with those from the environment, the file of settings and the defaults for what was not given.
  func resolve(
    environment: [String: String], settings: SettingsFile? = nil
  ) throws(UsageError) -> ParsedArguments {
    var values: [String: any Sendable] = [:]
    var sources: [String: ParsedArguments.Source] = [:]
    for option in command.options {
      let source = source(of: option, environment, settings)
      if source.texts.isEmpty, option.isRequired { throw missing(option) }
      sources[option.spelling] = source
      do {
        values[option.spelling] = try option.resolve(source.texts)
      } catch {
        throw invalid(error, of: source.name(for: option), option.isSecret)
      }
    }
    var rest = positionals[...]
    for argument in command.arguments {
      let texts = Array(rest.prefix(argument.count.upperBound))
      rest = rest.dropFirst(texts.count)
      if texts.count < argument.count.lowerBound { throw error("missing argument '\(argument.spelling)'.") }
      do {
        values[argument.spelling] = try argument.resolve(texts)
      } catch {
        throw invalid(error, of: "'\(argument.spelling)'", false)
      }
    }
    if let word = rest.first { throw error("unexpected argument '\(word)'.") }
    return ParsedArguments(commandPath: path, values: values, sources: sources)
  }

  private func source(
    of option: OptionDefinition, _ environment: [String: String], _ settings: SettingsFile?
  ) -> ParsedArguments.Source {
    if let given = texts[option.spelling] { return .init(origin: .commandLine, texts: given) }
    guard let variable = option.environment else { return .init(origin: .byDefault, texts: []) }
    if let text = environment[variable], !text.isEmpty {
      let texts = option.isRepeatable ? text.split(separator: ",").map(String.init) : [text]
      return .init(origin: .environment(variable), texts: texts)
    }
    if let settings, let found = settings.texts(for: option) {
      return .init(origin: .file(settings.path, line: found.line), texts: found.texts)
    }
    return .init(origin: .byDefault, texts: [])
  }

  private func missing(_ option: OptionDefinition) -> UsageError {
    let orVariable = option.environment.map { ", or set \($0)" } ?? ""
    return error(
      "missing option '\(option.spelling)': give \(option.spelling) <\(option.valueName ?? "")>\(orVariable)."
    )
  }

  private func invalid(_ invalid: InvalidText, of source: String, _ isSecret: Bool) -> UsageError {
    // What may hold a password is not repeated.
    let complaint = isSecret ? "\(source) is not valid" : "'\(invalid.text)' is no value for \(source)"
    return error("\(complaint); expected \(invalid.expectation).")
  }
}
