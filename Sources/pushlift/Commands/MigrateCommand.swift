internal import Arguments
internal import EventStore

/// `pushlift migrate`.
enum MigrateCommand {
  private static let distributed = Option<Bool>.flag(
    "distributed", help: "Then spread the big tables over the machines of a Citus cluster.")

  static let command = Command(
    "migrate", abstract: "Bring the database's schema up to date.",
    discussion: """
      Applies the migrations that are missing, each once and in a transaction of its own, and makes partitions ahead. \
      The login needs the right to create roles and schemas the first time. Other commands do the same as they start.

      With --distributed the tables that grow with the events are then distributed by unit, if the database has the extension \
      citus; if not, it says what is missing and leaves with 1. The schema is the same either way.
      """,
    options: SharedOptions.store + [distributed]
  ) { arguments in
    try await SharedOptions.withStore(arguments, makes: true, prepares: false) { opened in
      let applied = try opened.applied + opened.store.prepare()
      for name in applied { try Terminal.print("applied \(name)") }
      if applied.isEmpty { try Terminal.print("The schema is up to date.") }
      guard arguments[distributed] else { return }
      let tables = try Distribution.apply(on: opened.store.connect(.owning))
      for table in tables { try Terminal.print("distributed \(table) by unit_id") }
      if tables.isEmpty { try Terminal.print("All big tables are distributed.") }
    }
  }
}
