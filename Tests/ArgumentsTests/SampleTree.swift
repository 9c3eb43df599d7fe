import Arguments

/// A small tree that uses every kind of option and argument.
enum SampleTree {
  enum Format: String, CaseIterable, Sendable { case table, csv, json }

  static let database = Option.required(
    "database", .url(schemes: ["postgres", "postgresql"], example: "postgres://host/name"),
    environment: "PUSHLIFT_DATABASE",
    help: "The database.")
  static let category = Option.repeated(
    "category", short: "c", .text.named("category"), help: "Count only this category.")
  static let window = Option(
    "window", .duration, default: .seconds(86400), environment: "PUSHLIFT_WINDOW",
    help: "How long after its delivery an interaction still counts for a notification.")
  static let from = Option.optional("from", .date, help: "The first day of deliveries.")
  static let format = Option("format", .choice as ValueParser<Format>, default: .table, help: "The layout.")
  static let offset = Option("offset", .integer(in: -10...10), default: 0, help: "Hours to shift by.")
  static let confidence = Option("confidence", .number(in: 0.5...0.9999), default: 0.95, help: "Coverage.")
  static let output = Option.optional("output", short: "o", .path, help: "The file to write.")
  static let quiet = Option.flag(
    "quiet", short: "q", environment: "PUSHLIFT_QUIET", help: "Print nothing but errors.")
  static let verbose = Option.flag("verbose", short: "v", help: "Print more.")

  static let name = Argument("name", .text, help: "The key's name.")
  static let note = Argument.optional("note", .text, help: "A remark.")
  static let files = Argument.repeated(
    "file", .path, minimum: 1, help: "Files of events; - for standard input.")

  static let rates = Command(
    "rates", abstract: "Compare rich with text-only notifications, per category.",
    discussion:
      "Each notification on each device counts once.\n\nA category without interactions is shown too.",
    examples: ["pushlift rates --category news --window 24h"],
    options: [database, category, window, from, format, offset, confidence, output, quiet, verbose]
  ) { _ in }

  static let days = Argument.repeated("day", .date, help: "Days to show.")

  static let key = Command(
    "key", abstract: "Manage write keys.",
    subcommands: [
      Command("create", abstract: "Create a key.", arguments: [name, note]) { _ in },
      Command("list", abstract: "List the keys.") { _ in },
    ])

  static let root = Command(
    "pushlift", abstract: "Measure what rich notifications do.", version: "1.2.3",
    subcommands: [
      rates, key, Command("days", abstract: "Show days.", arguments: [days]) { _ in },
      Command(
        "import", abstract: "Read events from files.", options: [quiet], arguments: [files]
      ) { _ in },
    ])

  static func invocation(_ line: String, environment: [String: String] = [:]) -> Invocation {
    invocation(line.split(separator: " ").map(String.init), environment: environment)
  }

  static func invocation(_ words: [String], environment: [String: String] = [:]) -> Invocation {
    Invocation(root: root, arguments: words, environment: environment, columns: 80)
  }

  /// Runs `rates` with a database from the environment.
  static func rates(_ line: String, environment: [String: String] = [:]) -> Invocation {
    invocation(
      "rates " + line, environment: environment.merging(["PUSHLIFT_DATABASE": "postgres://h"]) { $1 })
  }
}

extension Invocation {
  var parsed: ParsedArguments? {
    if case .run(_, let parsed) = self { parsed } else { nil }
  }
  var error: String? {
    if case .usageError(let error) = self { error.description } else { nil }
  }
  var output: String? {
    if case .output(let text) = self { text } else { nil }
  }
}
