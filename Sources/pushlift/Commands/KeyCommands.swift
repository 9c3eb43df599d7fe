internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Ingestion
internal import Postgres

/// `pushlift key …`.
enum KeyCommands {
  static let group = Command(
    "key", abstract: "Make, list and revoke the keys of apps.", subcommands: [create, list, revoke])

  private static let newApp = Option<String>.required(
    "app", .appName, help: "The app; one of a new name is made.")
  private static let scope = Option<KeyScope>(
    "scope", .choice, default: .write,
    help: "What the key may do: write posts events, read reads reports, admin does everything.")
  private static let label = Option<String>("label", .text, default: "", help: "A note, shown in lists.")
  private static let zone = Option<String>(
    "zone", .text.named("zone"), default: "UTC",
    help: "For a new app: the IANA time zone that its days are kept in.")

  private static let create = Command(
    "create", abstract: "Make a key, and its app if that is new, and print the key.",
    discussion: """
      The key is shown this once: the store keeps only a hash of it. Running servers know it when the command ends, which \
      waits a second where something is connected that may be one.
      """,
    examples: ["pushlift key create --app shop"],
    options: SharedOptions.store + [newApp, scope, label, zone]
  ) { arguments in
    try await SharedOptions.withStore(arguments, makes: true) { opened in
      let connection = try opened.store.connect(.administering)
      try arguments.requireZone(arguments[zone], on: connection)
      var others: [App]?
      // A key that could not be shown never was: whoever reads it has it before it is committed.
      try connection.withTransaction { (connection: borrowing Connection) in
        let app = try App.findOrCreate(arguments[newApp], zone: arguments[zone], on: connection) {
          others = $0
        }
        if arguments.isGiven(zone), app.zone != arguments[zone] {
          throw StoreError(
            .invalidValue, "The app '\(app.name)' keeps its days in \(app.zone) already.",
            remedy: "Leave --zone out.")
        }
        let key = try ApiKey.create(
          app: app.id, scope: arguments[scope], label: arguments[label], on: connection)
        try Terminal.print(key)
      }
      if let others { Terminal.complain(note(ofNewApp: arguments[newApp], beside: others.map(\.name))) }
      // Whoever is handed the key may use it at once.
      if try EventStore.isWritten(on: connection) { try await Task.sleep(for: KeyRing.settlingTime) }
    }
  }

  /// A mistyped name makes an app as any other does, so that it is told.
  private static func note(ofNewApp name: String, beside others: [String]) -> String {
    let similar = Suggestion.nearest(to: name, among: others)
    return "made the app '\(name)' with this key" + (similar.map { "; there is also '\($0)'" } ?? "")
  }

  private static let list = Command(
    "list", abstract: "List the keys, revoked ones included; never their secrets.",
    examples: ["pushlift key list", "pushlift key list --app shop --format csv"],
    options: SharedOptions.store + [SharedOptions.someApp, SharedOptions.listFormat]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let app = try arguments[SharedOptions.someApp].map { try App.find($0, on: connection) }
      var listing = Listing(["id", "app", "scope", "label", "created", "revoked"])
      for key in try ApiKeyRecord.all(app: app?.id, on: connection) {
        listing.append([
          .text(key.id), .text(key.app), .text(key.scope), .text(key.label), .time(key.createdAt),
          Listing.Cell(key.revokedAt),
        ])
      }
      try listing.print(
        arguments[SharedOptions.listFormat], empty: "There is no key yet: pushlift key create --app NAME")
    }
  }

  private static let id = Argument<String>(
    "key-id", .text, help: "The key's id, as listed. The whole key will do as well.")

  private static let revoke = Command(
    "revoke", abstract: "Revoke a key for good.",
    discussion: """
      Running servers refuse the key within a second. What was stored with it stays. Revoking a key again changes nothing.
      """,
    examples: ["pushlift key revoke 8e613fda0582"],
    options: SharedOptions.store, arguments: [id]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let revocation = try ApiKeyRecord.revoke(arguments[id], on: opened.store.connect(.administering))
      let key = revocation.key
      let since = revocation.isNew ? "" : ", as it was since \(key.revokedAt?.rfc3339 ?? "")"
      try Terminal.print("\(key.id) (\(key.app), \(key.scope)) is revoked\(since)")
    }
  }
}
