import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Zones and windows that rates are kept in beside the app's own.
@Suite(.store)
struct RateFrameTests {
  /// Ten days of deliveries, some of which offer a button that is taken.
  private func makeStore() throws -> (store: EventStore, app: App) {
    let store = try EventStore.prepared()
    let app = try store.app()
    var samples: [EventSample] = []
    for number in 0..<240 {
      let unit = ("n\(number)", "d\(number % 50)")
      let at = Double(-number * 3_600)
      samples.append(
        try .delivered(of: unit, at: at, showing: number % 2 == 0 ? [.image] : [], offering: ["like"]))
      if number % 3 == 0 { samples.append(try .action("like", of: unit, at: at + Double(number * 30))) }
    }
    try store.append(samples, to: app.id)
    try store.project()
    return (store, app)
  }

  private func query(_ app: App, _ frame: RateFrame, _ metric: Metric = .interaction) -> RateQuery {
    var query = RateQuery(app: app)
    (query.zone, query.windowSeconds, query.metric) = (frame.zone, frame.windowSeconds, metric)
    return query
  }

  private let india = RateFrame(id: 1, zone: "Asia/Kolkata", windowSeconds: 3_600)

  private func keep(_ frame: RateFrame, _ app: App, _ store: EventStore) throws -> Bool {
    try RateFrame.add(
      zone: frame.zone, windowSeconds: frame.windowSeconds, to: app, on: store.connect(.aggregating))
  }

  @Test(arguments: [Metric.interaction, .open, .customAction("like")])
  func closedDaysInAKeptFrameAreReadFromItsRowsAlone(_ metric: Metric) throws {
    let (store, app) = try makeStore()
    let connection = try store.connect(.asking)
    var query = query(app, india, metric)
    query.lastDay = try ClosedDays.last(query, on: connection)
    func countsUnits() throws -> Bool {
      try RateReader.withSnapshot(of: query, asOf: nil, on: connection) { checkpoint, tables, connection in
        let statements = try #require(
          try RateReader.statements(query, at: checkpoint, from: tables, on: connection))
        return (statements.cells.text + statements.actions.text).contains("unit_")
      }
    }
    #expect(try countsUnits())
    let counted = try RateReader.read(query, on: connection)
    #expect(try keep(india, app, store))
    #expect(try !countsUnits())
    #expect(try RateReader.read(query, on: connection) == counted)
    #expect(counted.cells.count > 20)
  }

  @Test func whatComesAfterwardsIsKeptToo() throws {
    let (store, app) = try makeStore()
    #expect(try keep(india, app, store))
    let unit = ("late", "d1")
    try store.append(
      [.delivered(of: unit, at: -5 * 86_400), .opened(of: unit, at: -5 * 86_400 + 60)], to: app.id)
    try store.project()
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
    let now = try RateReader.read(query(app, india, .open), on: store.connect(.asking))
    #expect(now.cells.reduce(0) { $0 + $1.successes } == 1)
    _ = try ProjectionRebuild().run(store)
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
    #expect(try RateReader.read(query(app, india, .open), on: store.connect(.asking)).cells == now.cells)
  }

  @Test func theAppsOwnAndWhatIsThereAreNotAddedAgain() throws {
    let (store, app) = try makeStore()
    #expect(try !keep(.own(of: app), app, store))
    #expect(try keep(india, app, store))
    #expect(try !keep(india, app, store))
    #expect(try RateFrame.kept(by: app.id, on: store.connect(.asking)) == [india])
  }

  @Test func oneThatIsGivenUpLeavesNothing() throws {
    let (store, app) = try makeStore()
    #expect(try keep(india, app, store))
    let counted = try RateReader.read(query(app, india), on: store.connect(.asking))
    let aggregator = try store.connect(.aggregating)
    func remove() throws -> Bool {
      try RateFrame.remove(
        zone: india.zone, windowSeconds: india.windowSeconds, from: app, on: aggregator)
    }
    #expect(try remove())
    #expect(try !remove())
    for table in ["rate_frame", "framed_rate"] {
      #expect(
        try aggregator.value(of: "select count(*) from \(identifier: table)", as: Int.self) == 0, "\(table)")
    }
    #expect(
      try aggregator.value(of: "select count(*) from daily_action where frame_id <> 0", as: Int.self) == 0)
    #expect(try RateReader.read(query(app, india), on: store.connect(.asking)) == counted)
  }

  @Test func noneIsAddedDuringARebuild() throws {
    let (store, app) = try makeStore()
    try ProjectionRebuild.withoutRebuild(on: store.connect(.owning)) { _ in
      let error = #expect(throws: StoreError.self) { try keep(india, app, store) }
      #expect(error?.code == .overloaded)
    }
    #expect(try keep(india, app, store))
  }

  @Test func zonesAndWindowsThatAreNoneAreRefused() throws {
    let (store, app) = try makeStore()
    for frame in [
      RateFrame(id: 0, zone: "Asia/Kolkatta", windowSeconds: 3_600),
      RateFrame(id: 0, zone: "UTC", windowSeconds: 59),
      RateFrame(id: 0, zone: "UTC", windowSeconds: 2_592_001),
    ] {
      let error = #expect(throws: StoreError.self) { try keep(frame, app, store) }
      #expect(error?.code == .invalidValue)
    }
  }
}
