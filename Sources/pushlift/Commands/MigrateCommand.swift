internal import Arguments
internal import EventStore

/// `pushlift migrate`.
enum MigrateCommand {
  static let command = Command(
    "migrate", abstract: "Bring the database's schema up to date.",
    discussion: """
      Applies the migrations that are missing, each once and in a transaction of its own, and makes partitions ahead. \
      The login needs the right to create roles and schemas the first time. Other commands do the same as they start.
      """,
    options: SharedOptions.store
  ) { arguments in
    try await SharedOptions.withStore(arguments, makes: true, prepares: false) { opened in
      let applied = try opened.store.prepare()
      for name in applied { try Terminal.print("applied \(name)") }
      if applied.isEmpty { try Terminal.print("The schema is up to date.") }
    }
  }
}
