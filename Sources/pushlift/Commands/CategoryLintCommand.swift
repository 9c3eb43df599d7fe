internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Payloads
internal import Postgres
internal import Projections

/// `pushlift category lint`.
enum CategoryLintCommand {
  private enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  private static let files = Argument<[String]>.repeated(
    "file", .path, help: "Files of categories; - is standard input. May be left out with --app.")
  private static let app = Option<String?>.optional(
    "app", .text.named("name"),
    help: "Also compare with what this app's events have named: with one file that file, else its registry.")
  private static let strict = Option<Bool>.flag("strict", help: "Leave with 1 for warnings as well.")
  private static let format = Option<Format>(
    "format", .choice, default: .text, help: "How to print the findings.")

  static let command = Command(
    "lint",
    abstract: "Find what is wrong with files of categories, and what events name that is not in them.",
    discussion: """
      Names what is wrong with each file, with line, column and remedy: identifiers that stand twice or look like another, \
      keys and options that do not exist, titles that lack a locale, more buttons than iOS shows. With --app it names the \
      categories and actions that the app's events have named and the registry has not, and those that look alike. Leaves \
      with 1 if a file cannot be imported.
      """,
    examples: [
      "pushlift category lint categories.json", "pushlift category lint --app shop --strict",
      "pushlift category lint categories.json --app shop --format json",
    ],
    options: SharedOptions.store + [app, strict, format], arguments: [files]
  ) { arguments in
    guard !arguments[files].isEmpty || arguments[app] != nil else {
      throw arguments.usageError("Name a file, or with --app an app whose registry to look at.")
    }
    if arguments[app] != nil, arguments[files].count > 1 {
      throw arguments.usageError("--app compares with one file: name only that.")
    }
    var unread = 0
    var results = try arguments[files].compactMap { path -> LintedCategories? in
      let bytes: [UInt8]
      do { bytes = try InputFile.bytes(of: path) } catch {
        // The others are linted all the same.
        Terminal.complain("\(error)")
        unread += 1
        return nil
      }
      let report = CategoryLint.report(on: bytes)
      if arguments[format] == .text { try Terminal.write(Array(report.text(file: path, bytes: bytes).utf8)) }
      return LintedCategories(path, report, bytes)
    }
    if let name = arguments[app], unread == 0, results.allSatisfy(\.valid) {
      let review = try await review(name, file: arguments[files].first, arguments)
      if arguments[format] == .text {
        try Terminal.print(
          "\(name): \(review.count == 1 ? "1 finding" : "\(review.count) findings") among its events")
        for finding in review {
          try Terminal.print(
            "\(name): \(finding.severity): \(finding.message); \(finding.remedy) [\(finding.code)]")
        }
      }
      results.append(LintedCategories(app: name, review))
    }
    if arguments[format] == .json { try LintedFinding.write(results) }
    let invalid = unread + results.count { !$0.valid }
    if invalid > 0 {
      let count = arguments[files].count
      throw InputFileError(
        count == 1 ? "The file is not valid." : "\(invalid) of \(count) files are not valid.")
    }
    if arguments[strict], results.contains(where: \.hasWarnings) {
      throw InputFileError("There are warnings, and --strict lets none pass.")
    }
  }

  private static func review(
    _ name: String, file: String?, _ arguments: ParsedArguments
  ) async throws -> [LintedFinding] {
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let app = try App.find(name, on: connection)
      let registry =
        try file.map { try InputFile.registry($0).registry }
        ?? CategoryRegistry.current(of: app.id, on: connection)
      if registry == nil {
        Terminal.complain("\(name) has no registry: its events are only compared with each other.")
      }
      return RegistryReview(registry, try SeenCategory.all(of: app, on: connection)).findings
    }
  }
}

/// What was looked at, as JSON: a file, or an app's events.
private struct LintedCategories: Encodable {
  let file: String?
  let app: String?
  let valid: Bool
  let categories: Int?
  let actions: Int?
  let findings: [LintedFinding]

  var hasWarnings: Bool { findings.contains { $0.severity == "warning" } }

  init(_ file: String, _ report: CategoryReport, _ bytes: [UInt8]) {
    self.file = file
    app = nil
    valid = report.isValid
    categories = report.categories
    actions = report.actions
    findings = LintedFinding.all(report.findings, in: bytes)
  }

  init(app: String, _ findings: [LintedFinding]) {
    file = nil
    self.app = app
    valid = true
    categories = nil
    actions = nil
    self.findings = findings
  }
}
