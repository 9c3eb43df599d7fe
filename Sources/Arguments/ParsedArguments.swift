/// The values of one command line, read by the `Option` or `Argument` that declares them.
package struct ParsedArguments: Sendable {
  /// The command's words from the root, `["pushlift", "key", "create"]`.
  package let commandPath: [String]
  let values: [String: any Sendable]
  let given: Set<String>

  /// The option's value. Asking for an option that the command does not list is a programming error and stops.
  package subscript<Value>(option: Option<Value>) -> Value {
    value(of: option.definition.spelling)
  }

  /// The argument's value. Asking for an argument that the command does not list is a programming error and stops.
  package subscript<Value>(argument: Argument<Value>) -> Value {
    value(of: argument.definition.spelling)
  }

  /// Whether the option was on the command line or in the environment, rather than left to its default.
  package func isGiven(_ option: some DeclaredOption) -> Bool {
    given.contains(option.definition.spelling)
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
