internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections

/// `pushlift key …`.
enum KeyCommands {
  static let group = Command(
    "key", abstract: "Make the keys that apps post with.", subcommands: [create])

  private static let newApp = Option<String>.required(
    "app", .text.named("name"), help: "The app; one of a new name is made.")
  private static let scope = Option<KeyScope>(
    "scope", .choice, default: .write, help: "What the key may do: write posts events.")
  private static let label = Option<String>("label", .text, default: "", help: "A note, shown in lists.")
  private static let zone = Option<String>(
    "zone", .text.named("zone"), default: "UTC",
    help: "For a new app: the IANA time zone that its days are kept in.")

  private static let create = Command(
    "create", abstract: "Make a key, and its app if that is new, and print the key.",
    discussion: "The key is shown this once: the store keeps only a hash of it.",
    examples: ["pushlift key create --app shop"],
    options: SharedOptions.store + [newApp, scope, label, zone]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      try TimeZones.require(arguments[zone], on: connection)
      let app = try App.findOrCreate(arguments[newApp], zone: arguments[zone], on: connection)
      if arguments.isGiven(zone), app.zone != arguments[zone] {
        throw StoreError(
          .invalidValue, "The app '\(app.name)' keeps its days in \(app.zone) already.",
          remedy: "Leave --zone out.")
      }
      let key = try ApiKey.create(
        app: app.id, scope: arguments[scope], label: arguments[label], on: connection)
      Terminal.print(key)
    }
  }
}
