/// A command line that cannot be understood. Print `description` on standard error and leave with `exitCode`.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  /// `EX_USAGE` of sysexits.h, as swift-argument-parser uses it.
  package static let exitCode: Int32 = 64

  /// What is wrong with which word, and what may have been meant.
  package let message: String
  /// The command that was asked for, `["pushlift", "rates"]`.
  package let commandPath: [String]

  package init(_ message: String, commandPath: [String]) {
    self.message = message
    self.commandPath = commandPath
  }

  /// The message and where to read on, without a closing line break.
  package var description: String {
    "Error: \(message)\nSee '\(commandPath.joined(separator: " ")) --help'."
  }
}
