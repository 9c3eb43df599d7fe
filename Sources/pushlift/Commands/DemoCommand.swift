internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections
internal import Reports
internal import Simulation
internal import Statistics

/// `pushlift demo`.
enum DemoCommand {
  private static let notifications = Option<Int>(
    "notifications", .integer(in: 1...10_000_000), default: 150_000,
    help: "How many notifications are delivered.")

  static let command = Command(
    "demo",
    abstract: "Show the whole way once: serve, post simulated events, aggregate, compare, write the CSV.",
    discussion: """
      Uses a store of its own, in the folder demo inside the data folder, which is made anew each time; no other store is \
      touched. Afterwards `pushlift rates --data FOLDER` looks at it again.
      """,
    options: [SharedOptions.data, notifications, SharedOptions.seed]
  ) { arguments in
    let environment = ProcessInfo.processInfo.environment
    let parent = arguments[SharedOptions.data] ?? PrivateCluster.defaultDirectory(environment: environment)
    let opened = try OpenedStore.open(StoreLocation(dataFolder: parent + "/demo", environment: environment))
    Interruption.current.onInterrupt { try? opened.close() }
    do {
      try await run(opened, notifications: arguments[notifications], seed: arguments[SharedOptions.seed])
      try opened.close()
    } catch {
      try? opened.close()
      throw error
    }
  }

  private static func run(_ opened: OpenedStore, notifications: Int, seed: UInt64) async throws {
    let store = try opened.store.recreated()
    Terminal.complain("A store of its own in \(opened.dataFolder).")
    let key: String
    let app: App
    do {
      let connection = try store.connect(.administering)
      app = try App.findOrCreate("demo", on: connection)
      key = try ApiKey.create(app: app.id, scope: .write, on: connection)
    }
    // Aggregates beside it, as pushlift serve does; what it leaves is read once it has stopped.
    let service = try RunningService(store, ServeSettings())
    Terminal.complain("Listening on \(service.url).")
    let truth = try await stopping(service) {
      try await post(to: service.url, key: key, notifications: notifications, seed: seed)
    }
    try aggregate(store)
    let connection = try store.connect(.asking)
    let report = try RateReport(try RateReader.read(RateQuery(app: app), on: connection))
    try Terminal.write(Array(report.table.utf8))
    try Terminal.print("\n" + summary(report, truth))
    try writeDays(app, to: opened.dataFolder + "/reports", on: connection)
  }

  private static func stopping<Value>(_ service: RunningService, _ body: () async throws -> Value)
    async throws
    -> Value
  {
    defer { service.stop() }
    return try await body()
  }

  private static func post(
    to url: String, key: String, notifications: Int, seed: UInt64
  ) async throws -> SimulationTruth {
    let target = try EventPoster.target(url)
    var plan = SimulationPlan(
      notifications: notifications, devices: max(1, notifications * 2 / 5),
      end: Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000))
    plan.deviceCorrelation = 0.02
    let simulation = try Simulation(plan: plan, seed: seed)
    let start = ContinuousClock.now
    var progress = Progress("events posted")
    let tally = try await EventPoster(target: target, key: key).post(simulation) {
      progress.update($0.total)
    }
    progress.end()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    Terminal.complain(
      "Posted \(Format.count(tally.total)) simulated events over HTTP in \(Format.decimal(seconds, digits: 1)) s: "
        + "\(Format.count(tally.accepted)) stored, \(Format.count(tally.duplicates)) sent twice.")
    return simulation.makeTruth()
  }

  private static func aggregate(_ store: EventStore) throws {
    let start = ContinuousClock.now
    let connection = try store.connect(.aggregating)
    // The job that ran meanwhile may still hold its lock, and writers the barrier, for a moment.
    let outcome = try EngagementProjection().run(on: connection, patience: .seconds(30))
    let (events, checkpoint) = try outcome.caughtUp()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    Terminal.complain(
      "Aggregated them up to position \(checkpoint.position) meanwhile, the last \(Format.count(events)) in "
        + "\(Format.decimal(seconds, digits: 1)) s.\n")
  }

  /// What was put in, beside what came out.
  private static func summary(_ report: RateReport, _ truth: SimulationTruth) -> String {
    var table = TextTable([
      ("category", .left), ("true uplift", .right), ("measured", .right), ("interval", .left), ("", .left),
    ])
    for category in truth.categories {
      let comparison = report.categories.first { $0.scope == .category(category.plan.category.text) }
      guard let comparison, let interval = comparison.upliftInterval else { continue }
      let isHeld = interval.contains(category.plan.uplift)
      table.append([
        comparison.scope.name, Format.signedPercent(category.plan.uplift),
        comparison.uplift.map { Format.signedPercent($0) } ?? "undefined",
        "\(Format.signedPercent(interval.lower)) to \(Format.signedPercent(interval.upper))",
        isHeld ? "holds the truth" : "misses the truth",
      ])
    }
    return table.lines.joined(separator: "\n")
  }

  private static func writeDays(_ app: App, to folder: String, on connection: borrowing Connection) throws {
    let query = RateQuery(app: app)
    guard let last = try ClosedDays.last(query, on: connection).flatMap({ CalendarDate($0.text) }) else {
      return
    }
    try? FileManager.default.removeItem(atPath: folder)
    try NightlyCommand.write(last, query, to: NightlyFolder(path: folder), on: connection)
    try Terminal.print("\nThe last closed day as CSV: \(NightlyFolder(path: folder).file(of: last))")
    let report = try EngagementReport(
      try RateReader.readEngagement(query, omitting: RateReport.omitted, on: connection))
    let page = folder + "/report.html"
    try OutputFile.write(report.html, to: page)
    try Terminal.print("All days as a page for a browser: \(page)")
  }
}

extension EventStore {
  /// The same store, emptied. Only for the demo's own Postgres, which nothing else is kept in.
  fileprivate func recreated() throws -> EventStore {
    let name = database.database ?? "pushlift"
    do {
      let connection = try Connection(database.with(database: "postgres"))
      try connection.execute("drop database if exists \(identifier: name)")
      try connection.execute("create database \(identifier: name)")
    }
    _ = try prepare()
    return self
  }
}
