/// A command: either one that runs, with its options and arguments, or a group of subcommands.
package struct Command: Sendable {
  /// What the command does. Synchronous closures fit as well.
  package typealias Action = @Sendable (ParsedArguments) async throws -> Void

  /// The word that is typed.
  package let name: String
  /// One sentence, shown in lists and at the head of help.
  package let abstract: String
  /// Further paragraphs for help, separated by blank lines; nil where the abstract says it all.
  package let discussion: String?
  /// Whole command lines, shown as they are.
  package let examples: [String]
  /// What `--version` prints; set on the root only, where nil means that there is no `--version`.
  package let version: String?
  package let options: [OptionDefinition]
  package let arguments: [ArgumentDefinition]
  package let subcommands: [Command]
  /// Nil for a group, which shows its help instead.
  package let action: Action?

  /// A command that runs.
  ///
  /// It is a programming error, found at once, to list two options of one name, to use the names `help` and
  /// `version` or the letter `h`, or to let an argument follow one that takes all the rest or may be left out.
  package init(
    _ name: String, abstract: String, discussion: String? = nil, examples: [String] = [],
    version: String? = nil, options: [any DeclaredOption] = [], arguments: [any DeclaredArgument] = [],
    action: @escaping Action
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.examples = examples
    self.version = version
    self.options = options.map(\.definition)
    self.arguments = arguments.map(\.definition)
    self.subcommands = []
    self.action = action
    checkDeclarations()
  }

  /// A group of commands.
  package init(
    _ name: String, abstract: String, discussion: String? = nil, examples: [String] = [],
    version: String? = nil, subcommands: [Command]
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.examples = examples
    self.version = version
    self.options = []
    self.arguments = []
    self.subcommands = subcommands
    self.action = nil
    let names = Set(subcommands.map(\.name))
    precondition(
      names.count == subcommands.count && !names.contains("help"), "the subcommands of '\(name)' clash")
  }

  private func checkDeclarations() {
    let names = options.map(\.name) + ["help", "version"]
    precondition(Set(names).count == names.count, "two options of '\(name)' have the same name")
    let letters = options.compactMap(\.short) + ["h"]
    precondition(
      Set(letters).count == letters.count && letters.allSatisfy(\.isLetter),
      "the short options of '\(name)' clash or are not letters")
    let keys = arguments.map(\.name)
    precondition(
      Set(keys).count == keys.count && arguments.dropLast().allSatisfy { $0.count == 1...1 },
      "only the last argument of '\(name)' may be optional or repeated")
  }
}
