internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Payloads
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift category`.
enum CategoryCommands {
  static let group = Command(
    "category", abstract: "Register an app's categories and actions, and look for those that are not.",
    subcommands: [importing, list, CategoryLintCommand.command])

  // MARK: import

  private static let file = Argument<String>(
    "file", .path, help: "The categories, as JSON; - is standard input.")
  private static let dryRun = Option<Bool>.flag("dry-run", help: "Only tell what would change.")
  private static let strict = Option<Bool>.flag(
    "strict", help: "Refuse a file with warnings, such as a misspelt key, and one without categories.")

  private static let importing = Command(
    "import", abstract: "Make a file of categories the app's registry.",
    discussion: """
      The file is the one from which the app makes its UNNotificationCategory objects. It takes the place of the former one as \
      a whole, and the same file again changes nothing. From then on, answers to posted events warn of categories and actions \
      that are not in it, reports show its titles, and expansions and dismissals are measurable where it says so. Running \
      servers know it within two seconds. A file without categories takes the registry back.
      """,
    examples: ["pushlift category import categories.json --app shop --dry-run"],
    options: SharedOptions.store + [SharedOptions.app, dryRun, strict], arguments: [file]
  ) { arguments in
    let (registry, findings) = try InputFile.registry(arguments[file])
    for line in findings { Terminal.complain(line) }
    if arguments[strict], !findings.isEmpty || registry.categories.isEmpty {
      throw InputFileError(
        findings.isEmpty
          ? "The file has no categories; nothing was imported."
          : "The file has warnings; nothing was imported.")
    }
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.administering)
      let app = try App.find(arguments[SharedOptions.app], on: connection)
      let difference = try registry.import(into: app.id, isDry: arguments[dryRun], on: connection)
      for line in lines(difference) { try Terminal.print(line) }
      try Terminal.print(summary(difference, of: app, isDry: arguments[dryRun]))
    }
  }

  private static func lines(_ difference: RegistryDifference) -> [String] {
    difference.added.map { "+ \(TextTable.visible($0))" }
      + difference.changed.map { change in
        "~ \(TextTable.visible(change.identifier)): "
          + change.parts.map(TextTable.visible).joined(separator: ", ")
      } + difference.removed.map { "- \(TextTable.visible($0))" }
  }

  private static func summary(_ difference: RegistryDifference, of app: App, isDry: Bool) -> String {
    let name = TextTable.visible(app.name)
    guard !difference.isEmpty else { return "\(name): nothing changed" }
    let counts =
      "\(difference.added.count) added, \(difference.changed.count) changed, \(difference.removed.count) removed"
      + (difference.hasOtherLocale ? ", another default locale" : "")
      + (difference.hasOtherReplyText ? ", another replyText" : "")
    return "\(name): \(counts)" + (isDry ? "; nothing was written" : "")
  }

  // MARK: list

  private static let list = Command(
    "list", abstract: "List an app's categories: the registered ones, and those that events have named.",
    examples: ["pushlift category list --app shop", "pushlift category list --format json"],
    options: SharedOptions.store + [SharedOptions.app, SharedOptions.listFormat]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let app = try App.find(arguments[SharedOptions.app], on: connection)
      let registry = try CategoryRegistry.current(of: app.id, on: connection)
      let seen = try SeenCategory.all(of: app, on: connection)
      var listing = Listing([
        "category", "title", "registered", "delivered", "actions", "content extension", "dismissals",
        "reply text",
      ])
      for category in registry?.categories ?? [] {
        let delivered = seen.first { $0.name.isExactly(category.category.text) }?.delivered ?? 0
        listing.append([
          .text(category.category.text), Listing.Cell(registry?.shown(category.title)), .text("yes"),
          .number(delivered), .text(category.actions.map(\.id.text).joined(separator: ", ")),
          .text(category.hasContentExtension ? "yes" : "no"), .text(category.reportsDismissal ? "yes" : "no"),
          .text((category.replyText ?? registry?.replyText ?? .full).rawValue),
        ])
      }
      for category in seen where registry?[category.name] == nil {
        listing.append([
          .text(Format.name(category.name)), .none, .text("no"),
          .number(category.delivered),
          .text(category.actions.keys.sorted().map(\.string).joined(separator: ", ")), .none,
          .none, .none,
        ])
      }
      try listing.print(
        arguments[SharedOptions.listFormat],
        empty: "\(app.name) has no registry, and no event has named a category: pushlift category import FILE"
      )
    }
  }
}
