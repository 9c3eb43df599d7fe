internal import Arguments
internal import EventStore
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift frame …`.
enum FrameCommands {
  static let group = Command(
    "frame",
    abstract: "Keep an app's rates in further zones and windows, so that reports in them take no longer.",
    discussion: """
      A frame is a time zone that days are cut in and a window within which interactions count. Each app has its own, and may \
      keep \(RateFrame.limit) more. A report in any other frame gives the same answer, but counts it from each single \
      notification: seconds where there are millions.
      """,
    subcommands: [add, list, remove])

  private static let options: [any DeclaredOption] =
    SharedOptions.store + [SharedOptions.app, ReportOptions.zone, ReportOptions.window]

  private static let add = Command(
    "add", abstract: "Keep the rates of one more zone and window.",
    discussion: """
      Works through the notifications that there are, some seconds a million, while events are taken but not aggregated; from \
      then on each run of the job keeps it as well. What is left out is the app's own. Adding a frame again changes nothing.
      """,
    examples: [
      "pushlift frame add --app shop --zone Europe/Berlin", "pushlift frame add --app shop --window 1h",
    ],
    options: options
  ) { arguments in
    try await withFrame(arguments) { frame, app, connection in
      let line = StageLine()
      line.show("counting the notifications of \(TextTable.visible(app.name))")
      let isNew = try RateFrame.add(
        zone: frame.zone, windowSeconds: frame.windowSeconds, to: app, on: connection)
      line.end()
      try Terminal.print(
        "\(TextTable.visible(app.name)): \(words(frame)) is kept\(isNew ? "" : ", as it was before")")
    }
  }

  private static let list = Command(
    "list", abstract: "List the zones and windows that rates are kept in.",
    examples: ["pushlift frame list", "pushlift frame list --app shop --format json"],
    options: SharedOptions.store + [SharedOptions.someApp, SharedOptions.listFormat]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let chosen = try arguments[SharedOptions.someApp].map { try App.find($0, on: connection) }
      var listing = Listing(["app", "zone", "window", "window seconds", "own"])
      for app in try App.all(on: connection) where chosen == nil || app == chosen {
        for frame in [.own(of: app)] + (try RateFrame.kept(by: app.id, on: connection)) {
          listing.append([
            .text(app.name), .text(frame.zone), .text(Format.window(frame.windowSeconds)),
            .number(frame.windowSeconds), .text(frame.id == 0 ? "yes" : "no"),
          ])
        }
      }
      try listing.print(
        arguments[SharedOptions.listFormat],
        empty: "There is no app yet: pushlift key create --app NAME makes one.")
    }
  }

  private static let remove = Command(
    "remove", abstract: "Keep the rates of a zone and window no longer.",
    discussion: "Reports in it are still right, and counted from the notifications as in any other frame.",
    examples: ["pushlift frame remove --app shop --zone Europe/Berlin"],
    options: options
  ) { arguments in
    try await withFrame(arguments) { frame, app, connection in
      if frame == .own(of: app) {
        throw arguments.usageError("That is the app's own zone and window; give --zone, --window or both.")
      }
      guard
        try RateFrame.remove(
          zone: frame.zone, windowSeconds: frame.windowSeconds, from: app, on: connection)
      else {
        throw StoreError(
          .invalidValue, "The app '\(app.name)' does not keep \(words(frame)).",
          remedy: "pushlift frame list says what it keeps.")
      }
      try Terminal.print("\(TextTable.visible(app.name)): \(words(frame)) is kept no longer")
    }
  }

  /// Lends the frame that the arguments name, its app, and a connection of the job's role.
  private static func withFrame(
    _ arguments: ParsedArguments, _ body: (RateFrame, App, borrowing Connection) throws -> Void
  ) async throws {
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.aggregating)
      let app = try App.find(arguments[SharedOptions.app], on: connection)
      if let zone = arguments[ReportOptions.zone] { try arguments.requireZone(zone, on: connection) }
      let frame = RateFrame(
        id: 0, zone: arguments[ReportOptions.zone] ?? app.zone,
        windowSeconds: arguments[ReportOptions.window].map { Int($0.components.seconds) }
          ?? app.windowSeconds)
      try body(frame, app, connection)
    }
  }

  private static func words(_ frame: RateFrame) -> String {
    "\(frame.zone) within \(Format.window(frame.windowSeconds))"
  }
}
