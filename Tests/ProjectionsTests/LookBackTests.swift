import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// A report as of an earlier position: what was said then.
@Suite(.store)
struct LookBackTests {
  @Test func thePositionGivesTheSameReportLaterAndAfterARebuild() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 300)
    _ = try store.app("another")
    try store.project()
    var query = RateQuery(app: app)
    query.metric = .customAction("like")
    let then = try RateReader.read(query, on: store.connect(.asking))
    let position = then.checkpoint.position
    // A delivery that comes late, an orphan, an implausible event, another app's, and an arrival that moves the watermark.
    try store.append(
      [
        .delivered(of: ("n", "d"), offering: ["like"]).received(after: 20 * 86_400),
        .opened(of: ("orphan", "d")),
        EventSample.expanded(in: "promo").received(after: 401 * 86_400),
      ], to: app.id)
    try store.append([.delivered(of: ("n", "d"))], to: store.app("another").id)
    try store.project()
    #expect(try RateReader.read(query, on: store.connect(.asking)) != then)
    #expect(try RateReader.read(query, asOf: position, on: store.connect(.asking)) == then)
    _ = try ProjectionRebuild().run(store)
    #expect(try RateReader.read(query, asOf: position, on: store.connect(.asking)) == then)
    // And now is as of now.
    let now = try RateReader.read(query, on: store.connect(.asking))
    #expect(try RateReader.read(query, asOf: now.checkpoint.position, on: store.connect(.asking)) == now)
  }

  @Test func nothingHadBeenReadAtTheBeginning() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 10)
    try store.project()
    let result = try RateReader.read(RateQuery(app: app), asOf: 0, on: store.connect(.asking))
    #expect(result.cells.isEmpty)
    #expect(result.checkpoint == .init(position: 0, watermark: nil))
  }

  @Test func aPositionThatIsNotAggregatedIsRefused() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 10)
    try store.project()
    let last = try EngagementProjection.checkpoint(on: store.connect(.asking)).position
    try store.append([.delivered()], to: app.id)
    for position in [-1, last + 1] {
      let error = #expect(throws: StoreError.self) {
        try RateReader.read(RateQuery(app: app), asOf: position, on: store.connect(.asking))
      }
      #expect(error?.code == .invalidValue)
    }
  }
}
