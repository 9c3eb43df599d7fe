import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Given events, when they are projected, then these rates.
@Suite(.store)
struct UnitOutcomeTests {
  /// A store in which the given events have been appended and projected, each in a run of its own.
  private func given(_ samples: [EventSample]) throws -> (store: EventStore, query: RateQuery) {
    let store = try EventStore.prepared()
    let app = try store.app()
    for sample in samples {
      try store.append([sample], to: app.id)
      try store.project(rangeLimit: 1)
    }
    return (store, RateQuery(app: app))
  }

  /// An event of another app that comes so late that every window of ours is closed.
  private func closeWindows(_ store: EventStore, after seconds: Double = 40 * 86_400) throws {
    let late = EventSample.expanded(of: ("late", "late")).received(after: seconds)
    try store.append([late], to: store.app("another").id)
    try store.project()
  }

  private func successes(
    _ metric: Metric, _ samples: [EventSample], window: Int? = nil
  ) throws -> (units: Int, successes: Int) {
    var (store, query) = try given(samples)
    try closeWindows(store)
    query.metric = metric
    if let window { query.windowSeconds = window }
    let counts = try store.counts(query)
    return (counts.richUnits + counts.textUnits, counts.richSuccesses + counts.textSuccesses)
  }

  @Test func aDoubleTapCountsOnce() throws {
    let events: [EventSample] = [
      try .delivered(), try .opened(at: 5), try .opened(at: 5.3), .expanded(at: 2), try .opened(at: 9_000),
    ]
    #expect(try successes(.open, events) == (1, 1))
  }

  @Test func aDismissalIsNoInteraction() throws {
    let events: [EventSample] = [try .delivered(), try .action(ActionID.dismiss.text, at: 3)]
    #expect(try successes(.interaction, events) == (1, 0))
  }

  @Test func aTypedReplyIsACustomActionAndAnEmptyOneCounts() throws {
    let events: [EventSample] = [try .delivered(), try .action("answer", at: 3, reply: "")]
    #expect(try successes(.reply, events) == (1, 1))
  }

  @Test func aButtonCountsAmongUnitsThatOfferedIt() throws {
    let events: [EventSample] = [
      try .delivered(of: ("n1", "d1"), offering: ["like", "save"]), try .action("like", of: ("n1", "d1")),
      try .delivered(of: ("n2", "d1"), offering: ["save"]),
      try .delivered(of: ("n3", "d1")), try .action("like", of: ("n3", "d1")),
      try .delivered(of: ("n4", "d1"), offering: ["like"]),
    ]
    #expect(try successes(.customAction("like"), events) == (2, 1))
  }

  @Test(arguments: [(60, 59.999_999, 1), (60, 60, 0), (86_400, 86_399.999_999, 1), (86_400, 86_400, 0)])
  func aWindowIsHalfOpenToTheMicrosecond(_ window: Int, _ offset: Double, _ expected: Int) throws {
    let events: [EventSample] = [try .delivered(), try .opened(at: offset)]
    #expect(try successes(.open, events, window: window) == (1, expected))
  }

  @Test func whatHappensBeforeTheDeliveryIsNotItsDoing() throws {
    let events: [EventSample] = [try .delivered(at: 10), try .opened(at: 9.999_999), .expanded(at: 10)]
    #expect(try successes(.open, events) == (1, 0))
    #expect(try successes(.expansion, events) == (1, 1))
  }

  @Test func aUnitCountsFromTheMomentItsWindowCloses() throws {
    let (store, query) = try given([.delivered()])
    for (seconds, units, immature) in [(86_399.999_999, 0, 1), (86_400, 1, 0)] {
      try closeWindows(store, after: seconds - 1)
      let result = try RateReader.read(query, on: store.connect(.asking))
      #expect(result.cells.reduce(0) { $0 + $1.units } == units)
      #expect(result.total.text.immature == immature)
    }
  }

  @Test func whatWasOnlyDismissedIsAnOrphanOfAnotherKind() throws {
    let (store, query) = try given([
      .action(ActionID.dismiss.text, of: ("n1", "d"), in: "promo"),
      .action(ActionID.dismiss.text, of: ("n2", "d"), in: "promo"),
      .action(ActionID.dismiss.text, of: ("n3", "d"), in: "promo"),
      .expanded(of: ("n3", "d"), in: "promo", at: 9),
      .action("like", of: ("n4", "d"), in: "promo"),
    ])
    try closeWindows(store)
    let facts = try RateReader.read(query, on: store.connect(.asking)).facts["promo"]
    #expect(facts?.orphans == 2 && facts?.dismissedOrphans == 2)
  }

  @Test func anOrphanIsCountedApartAndMatchedLater() throws {
    let (store, query) = try given([.opened(in: "promo", at: 60), .expanded(in: "promo", at: 90)])
    try closeWindows(store)
    let before = try RateReader.read(query, on: store.connect(.asking))
    #expect(before.cells.isEmpty)
    #expect(before.facts["promo"]?.orphans == 1)
    // The delivery comes 29 days late and says what the category is.
    try store.append([EventSample.delivered(in: "news").received(after: 29 * 86_400)], to: query.app.id)
    try store.project()
    let after = try RateReader.read(query, on: store.connect(.asking))
    #expect(after.total.orphans == 0)
    #expect(after.facts.keys.sorted() == ["news"])
    #expect(after.cells.map(\.successes) == [1])
  }

  @Test func aDeliveryThatTurnsOutEarlierMovesTheWindow() throws {
    let (store, query) = try given([.delivered(at: 7_200), .opened(at: 86_500)])
    try closeWindows(store)
    #expect(try store.counts(query).textSuccesses == 1)
    try store.append([.delivered(at: 0)], to: query.app.id)
    try store.project()
    let counts = try store.counts(query)
    #expect(counts.textUnits == 1)
    #expect(counts.textSuccesses == 0)
  }

  @Test func theArmFollowsTheRule() throws {
    // Asked for and shown; asked for and not shown; not told but shown; text with a custom view; text.
    let events: [EventSample] = [
      try .delivered(of: ("n1", "d1"), showing: [.image], meaning: [.image]),
      try .delivered(of: ("n2", "d1"), showing: [], meaning: [.video]),
      try .delivered(of: ("n3", "d1"), showing: [.gif]),
      try .delivered(of: ("n4", "d1"), meaning: [], customInterface: true),
      try .delivered(of: ("n5", "d1"), offering: ["like", "save"]),
    ]
    var (store, query) = try given(events)
    try closeWindows(store)
    for (rule, rich) in [(ArmRule.intended, 3), (.shown, 2), (.shownOrInterface, 3)] {
      query.armRule = rule
      let counts = try store.counts(query)
      #expect(counts.richUnits == rich)
      #expect(counts.textUnits == 5 - rich)
    }
    query.armRule = .intended
    let facts = try RateReader.read(query, on: store.connect(.asking)).total
    #expect(facts.rich == ArmFacts(units: 3, devices: 1, intendedRich: 3, fellBack: 1))
  }

  @Test func anImplausibleTimeIsReportedAndNeverCounted() throws {
    let (store, query) = try given([
      try .delivered(), try .opened(at: 86_401 + 3_600).received(after: -86_401),
      .expanded(in: "promo").received(after: 401 * 86_400),
    ])
    let result = try RateReader.read(query, on: store.connect(.asking))
    #expect(result.total.implausible == 2)
    #expect(result.facts["promo"]?.implausible == 1)
    #expect(result.cells.map(\.successes) == [0])
  }

  /// On 25 October 2026 the Azores go back from 01:00 to 00:00, so that midnight strikes twice.
  @Test func aDayThatBeginsTwiceBeginsTheFirstTime() throws {
    var first = try EventSample.delivered()
    first.occurredAt = try Timestamp(rfc3339: "2026-10-25T00:30:00Z")
    var (store, query) = try given([first])
    try closeWindows(store)
    query.zone = "Atlantic/Azores"
    let days = try (24...26).map { day in
      query.firstDay = PostgresDate(daysSince1970: Int32(20_751 - 25 + day))
      query.lastDay = query.firstDay
      return try store.counts(query).textUnits
    }
    #expect(days == [0, 1, 0])
  }

  @Test func anEmptyStoreGivesNothing() throws {
    let store = try EventStore.prepared()
    let query = RateQuery(app: try store.app())
    let outcome = try store.project()
    let empty = EngagementProjection.Checkpoint(position: 0, watermark: nil)
    #expect(outcome == .caughtUp(events: 0, checkpoint: empty))
    let result = try RateReader.read(query, on: store.connect(.asking))
    #expect(result.cells.isEmpty)
    #expect(result.facts.isEmpty)
    #expect(try ClosedDays.last(query, on: store.connect(.asking)) == nil)
  }

  @Test func anUnknownZoneIsNamedWithLikelyOnes() throws {
    let store = try EventStore.prepared()
    var query = RateQuery(app: try store.app())
    for zone in ["europe/berlin", "Berlin", "EST5XYZ", "", "UTC+3", "'; drop table event; --"] {
      query.zone = zone
      let error = #expect(throws: StoreError.self) { try RateReader.read(query, on: store.connect(.asking)) }
      #expect(error?.code == .invalidValue)
      if zone.lowercased().contains("berlin") { #expect(error?.message.contains("Europe/Berlin") == true) }
    }
    query.zone = "UTC"
    for window in [0, 59, 2_592_001] {
      query.windowSeconds = window
      #expect(throws: StoreError.self) { try RateReader.read(query, on: store.connect(.asking)) }
    }
  }

  @Test func aClosedDayIsOneWhoseLastWindowHasClosed() throws {
    // Noon of the 2nd, received a day and twelve hours later: the 2nd has just closed.
    let (store, query) = try given([])
    for (hours, last) in [(35.999, 1), (36.0, 2)] {
      try store.append([.expanded(UInt64(hours * 1_000)).received(after: hours * 3_600)], to: query.app.id)
      try store.project()
      let day = try #require(try ClosedDays.last(query, on: store.connect(.asking)))
      #expect(Int(day.daysSince1970) == EventSample.noon.utcDay - 2 + last)
    }
  }
}
