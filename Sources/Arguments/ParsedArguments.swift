/// The values of one command line, read by the `Option` or `Argument` that declares them.
package struct ParsedArguments: Sendable {
  /// The command's words from the root, `["pushlift", "key", "create"]`.
  package let commandPath: [String]
  let values: [String: any Sendable]
  let sources: [String: Source]

  /// Where an option's value comes from.
  package enum Origin: Sendable, Hashable {
    case commandLine
    /// The name of the variable.
    case environment(String)
    case file(String, line: Int)
    case byDefault
  }

  struct Source: Sendable {
    let origin: Origin
    /// As they were given; none for a default.
    let texts: [String]
  }

  /// The option's value. Asking for an option that the command does not list is a programming error and stops.
  package subscript<Value>(option: Option<Value>) -> Value {
    value(of: option.definition.spelling)
  }

  /// The argument's value. Asking for an argument that the command does not list is a programming error and stops.
  package subscript<Value>(argument: Argument<Value>) -> Value {
    value(of: argument.definition.spelling)
  }

  /// Whether the option was given or set somewhere, rather than left to its default.
  package func isGiven(_ option: some DeclaredOption) -> Bool {
    origin(of: option) != .byDefault
  }

  /// Where the option's value comes from.
  package func origin(of option: some DeclaredOption) -> Origin {
    sources[option.definition.spelling]?.origin ?? .byDefault
  }

  /// The option's values as they were given, or its default; none where it has none.
  package func texts(of option: some DeclaredOption) -> [String] {
    let texts = sources[option.definition.spelling]?.texts ?? []
    return texts.isEmpty ? option.definition.defaultText.map { [$0] } ?? [] : texts
  }

  /// For a command that finds its options at odds with each other: the error to throw.
  package func usageError(_ message: String) -> UsageError {
    UsageError(message, commandPath: commandPath)
  }

  private func value<Value>(of spelling: String) -> Value {
    // Two steps, as casting an absent entry to an optional `Value` would succeed with nil.
    guard let entry = values[spelling], let value = entry as? Value else {
      preconditionFailure(
        "'\(commandPath.joined(separator: " "))' does not declare \(spelling) as \(Value.self)")
    }
    return value
  }
}

extension ParsedArguments.Source {
  /// How an error names it.
  func name(for option: OptionDefinition) -> String {
    switch origin {
    case .commandLine, .byDefault: "'\(option.spelling)'"
    case .environment(let variable): "the environment variable \(variable) (for '\(option.spelling)')"
    case .file(let path, let line): "'\(option.name)' in \(path), line \(line)"
    }
  }
}
