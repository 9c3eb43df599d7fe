import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Old events go, and the figures made from them stay.
@Suite(.store)
struct EventRetentionTests {
  /// Events of a unit some days ago, each received a second after it happened.
  private func sample(
    _ sample: EventSample, daysAgo: Double, _ now: Timestamp, receivedDaysAgo: Double? = nil
  ) -> EventSample {
    var sample = sample
    sample.occurredAt = now.advanced(bySeconds: -86_400 * daysAgo)
    sample.receivedAt = now.advanced(bySeconds: -86_400 * (receivedDaysAgo ?? daysAgo) + 1)
    return sample
  }

  private func now(_ store: EventStore) throws -> Timestamp {
    Timestamp(try store.connect(.asking).value(of: "select now()", as: PostgresTimestamp.self))
  }

  /// Units of 90, 60 and 3 days ago with replies, an orphan, and an event that cannot be.
  private func makeStore() throws -> (store: EventStore, app: App) {
    let store = try EventStore.prepared()
    let app = try store.app()
    let now = try now(store)
    var samples: [EventSample] = []
    for (unit, days) in [("n90", 90.0), ("n60", 60), ("n3", 3)] {
      samples += try [
        sample(.delivered(of: (unit, "d"), showing: [.image]), daysAgo: days, now),
        sample(.action("answer", of: (unit, "d"), reply: "hello"), daysAgo: days - 0.1, now),
      ]
    }
    samples.append(sample(try .opened(of: ("orphan", "d")), daysAgo: 60, now))
    samples.append(sample(.expanded(of: ("odd", "d")), daysAgo: 60, now, receivedDaysAgo: 63))
    try store.append(samples, to: app.id)
    try store.project(rangeLimit: 3)
    return (store, app)
  }

  private func count(_ table: String, _ store: EventStore) throws -> Int {
    try store.connectAsSuperuser().value(of: "select count(*) from \(identifier: table)")
  }

  /// Everything but the marks of what was dropped.
  private func figures(_ store: EventStore) throws -> [[String]] {
    let superuser = try store.connectAsSuperuser()
    return try [
      "unit_outcome", "unit_interaction", "daily_rate", "daily_action", "daily_implausible", "log_tally",
    ].map {
      table in
      try superuser.query(
        "select (to_jsonb(t) - 'is_sealed' - 'dropped')::text as row from \(identifier: table) t order by 1"
      ).map { row in try row.value(0, as: String.self) }
    }
  }

  @Test func oldEventsGoAndFiguresStay() throws {
    let (store, app) = try makeStore()
    let before = try figures(store)
    let report = try RateReader.read(RateQuery(app: app), on: store.connect(.asking))
    let dropped = try EventRetention(keptDays: 35).run(store)
    #expect(dropped.count >= 2)
    #expect(dropped.reduce(0) { $0 + $1.events } == 6)
    #expect(try count("event", store) == 2)
    #expect(try count("reply", store) == 1)
    #expect(try figures(store) == before)
    #expect(try RateReader.read(RateQuery(app: app), on: store.connect(.asking)) == report)
    let check = try ProjectionCheck.run(on: store.connect(.asking))
    #expect(check.isSound, "\(check)")
    #expect(check.sealedUnits == 3)
    #expect(check.events == 2)
    _ = try ProjectionRebuild().run(store)
    #expect(try figures(store) == before)
    #expect(try EventRetention(keptDays: 35).run(store) == [])
    // A row of what is sealed is tampered with: nothing is left to compare it with, but its daily row tells.
    try store.connectAsSuperuser().execute(
      "update unit_outcome set category = 'x' where is_sealed and delivered_at is not null")
    #expect(try !ProjectionCheck.run(on: store.connect(.asking)).isSound)
  }

  @Test func whatComesLaterForASealedUnitStillCounts() throws {
    let (store, app) = try makeStore()
    _ = try EventRetention(keptDays: 35).run(store)
    let now = try now(store)
    // The orphan's delivery, and another tap.
    try store.append(
      [
        sample(.delivered(of: ("orphan", "d")), daysAgo: 60.01, now, receivedDaysAgo: 0),
        sample(.expanded(of: ("n90", "d")), daysAgo: 1, now),
      ], to: app.id)
    try store.project()
    let result = try RateReader.read(RateQuery(app: app), on: store.connect(.asking))
    #expect(result.total.orphans == 0)
    #expect(result.cells.reduce(0) { $0 + $1.units } == 4)
    let expected = try figures(store)
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
    _ = try ProjectionRebuild().run(store)
    #expect(try figures(store) == expected)
  }

  @Test func nothingIsDroppedBeforeItIsRead() throws {
    let (store, app) = try makeStore()
    try store.append([sample(.expanded(of: ("n60", "d")), daysAgo: 59.5, try now(store))], to: app.id)
    let error = #expect(throws: StoreError.self) { try EventRetention(keptDays: 35).run(store) }
    #expect(error?.code == .overloaded)
    #expect(error?.description.contains("pushlift aggregate") == true)
    #expect(try count("event", store) == 9)
    try store.project()
    #expect(try EventRetention(keptDays: 35).run(store).isEmpty == false)
  }

  /// The log is kept for so many days from when events came, too.
  @Test func aWeekWithAnEventThatCameLatelyStays() throws {
    let (store, app) = try makeStore()
    let late = sample(.expanded(of: ("n60", "d")), daysAgo: 59.9, try now(store), receivedDaysAgo: 10)
    try store.append([late], to: app.id)
    try store.project()
    let dropped = try EventRetention(keptDays: 35).run(store)
    #expect(dropped.reduce(0) { $0 + $1.events } < 7)
    #expect(try count("event", store) > 3)
  }

  @Test func daysWhoseEventsAreGoneCannotBeLookedBackTo() throws {
    let (store, app) = try makeStore()
    let position = try EngagementProjection.checkpoint(on: store.connect(.asking)).position
    var query = RateQuery(app: app)
    let now = try now(store)
    query.firstDay = PostgresDate(daysSince1970: Int32(now.utcDay - 20))
    let then = try RateReader.read(query, on: store.connect(.asking))
    _ = try EventRetention(keptDays: 35).run(store)
    #expect(try RateReader.read(query, asOf: position, on: store.connect(.asking)).cells == then.cells)
    for first in [nil, PostgresDate(daysSince1970: Int32(now.utcDay - 70))] {
      query.firstDay = first
      let error = #expect(throws: StoreError.self) {
        try RateReader.read(query, asOf: position, on: store.connect(.asking))
      }
      #expect(error?.description.contains("--from 20") == true)
    }
  }

  /// Of units that have lost events others are left, which are not units of their own: a second delivery, as where all of a
  /// campaign on a device are one, what was done long after the delivery, what else is heard of an orphan.
  @Test func whatIsLeftOfAUnitMakesNoOtherOfALaterDay() throws {
    let (store, app) = try makeStore()
    let now = try now(store)
    try store.append(
      [
        sample(.delivered(of: ("n60", "d"), showing: [.gif]), daysAgo: 10, now),
        sample(.opened(of: ("n60", "d")), daysAgo: 9.9, now),
        sample(.action("answer", of: ("n90", "d")), daysAgo: 8, now),
        sample(.opened(of: ("orphan", "d")), daysAgo: 7, now),
        // Its first event was dropped as well, but precedes the delivery and does not count.
        sample(.expanded(of: ("early", "d")), daysAgo: 60, now),
        sample(.delivered(of: ("early", "d"), offering: ["answer"]), daysAgo: 6, now),
        sample(.action("answer", of: ("early", "d")), daysAgo: 5.9, now),
        // The only expansion of the category: it can be measured.
        sample(.expanded(of: ("n60", "d")), daysAgo: 59.8, now),
      ], to: app.id)
    try store.project()
    let position = try EngagementProjection.checkpoint(on: store.connect(.asking)).position
    var queries: [RateQuery] = []
    for metric in [Metric.interaction, .expansion, .customAction("answer")] {
      for zone in ["UTC", "Asia/Kathmandu"] {
        var query = RateQuery(app: app)
        (query.metric, query.zone) = (metric, zone)
        query.firstDay = PostgresDate(daysSince1970: Int32(now.utcDay - 20))
        queries.append(query)
      }
    }
    let then = try queries.map { try RateReader.read($0, on: store.connect(.asking)) }
    #expect(then[0].total.orphans == 0)
    #expect(then[0].cells.reduce(0) { $0 + $1.units } == 1)
    #expect(then[2].facts.values.first?.reportsExpansion == true)
    #expect(try EventRetention(keptDays: 35).run(store).count >= 2)
    for (query, then) in zip(queries, then) {
      #expect(try RateReader.read(query, asOf: position, on: store.connect(.asking)) == then)
    }
  }

  /// What is acknowledged after a week was looked at, and before it goes, makes it stay, and its texts with it.
  @Test func aWeekThatGetsAnEventMeanwhileStays() throws {
    let (store, app) = try makeStore()
    let late = sample(.expanded(of: ("n60", "d")), daysAgo: 59.9, try now(store), receivedDaysAgo: 0)
    let week = try partition(of: late, store)
    let before = try content(of: week, store)
    var told: [String] = []
    let dropped = try EventRetention(keptDays: 35).run(store) { partition in
      told.append(partition)
      if partition == week { try store.append([late], to: app.id) }
    }
    #expect(told.contains(week))
    #expect(!dropped.isEmpty && !dropped.map(\.partition).contains(week))
    let after = try content(of: week, store)
    #expect((after.events, after.texts) == (before.events + 1, before.texts))
    try store.project()
    let check = try ProjectionCheck.run(on: store.connect(.asking))
    #expect(check.isSound, "\(check)")
  }

  /// The same while the drop waits for the writer's transaction.
  @Test func aWeekThatGetsAnEventBeforeItsLockStays() throws {
    let (store, app) = try makeStore()
    #expect(try EventRetention(keptDays: 80).run(store).count == 1)
    let late = sample(.expanded(of: ("n60", "d")), daysAgo: 59.9, try now(store), receivedDaysAgo: 0)
    let week = try partition(of: late, store)
    let before = try content(of: week, store)
    let writer = try store.connectAsSuperuser()
    try writer.script("begin")
    let row = try late.row(app.id)
    try writer.execute(
      """
      insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
        type, time_quality, notification_id, category, occurred_at_raw)
      values (\(row.key.eventID), \(row.key.unitID), \(PostgresDate(daysSince1970: row.key.day)), \(app.id.rawValue),
        \(row.deviceKey), \(row.fingerprint), \(PostgresTimestamp(late.occurredAt)), now(),
        \(PostgresTimestamp(late.occurredAt)), 1, 0, \(late.notification), \(late.category), '')
      """)
    let retention = Background { try EventRetention(keptDays: 35).run(store) }
    try store.waitForBlocked("lock table only event%")
    try writer.script("commit")
    #expect(try !retention.value().map(\.partition).contains(week))
    let after = try content(of: week, store)
    #expect((after.events, after.texts) == (before.events + 1, before.texts))
  }

  /// An event that came long ago, and was not aggregated before its week was to go.
  @Test func aWeekThatGetsAnOldEventMeanwhileIsNotDroppedUnread() throws {
    let (store, app) = try makeStore()
    let late = sample(.expanded(of: ("n60", "d")), daysAgo: 59.9, try now(store))
    let week = try partition(of: late, store)
    let error = #expect(throws: StoreError.self) {
      try EventRetention(keptDays: 35).run(store) { partition in
        if partition == week { try store.append([late], to: app.id) }
      }
    }
    #expect(error?.description.contains("pushlift aggregate") == true)
    try store.project()
    #expect(try EventRetention(keptDays: 35).run(store).map(\.partition).contains(week))
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
  }

  private func partition(of sample: EventSample, _ store: EventStore) throws -> String {
    let day = PostgresDate(daysSince1970: Int32(sample.occurredAt.utcDay))
    return try store.connectAsSuperuser().value(
      of: "select 'event_' || to_char(\(day)::date, 'IYYY\"w\"IW')")
  }

  private func content(of partition: String, _ store: EventStore) throws -> (events: Int, texts: Int) {
    try store.connectAsSuperuser().query(
      """
      select count(*), count(text) from event left join reply using (event_id, unit_id, day)
      where event.tableoid = to_regclass(\(partition))
      """
    ).map { row in (events: try row.value(0), texts: try row.value(1)) }[0]
  }

  /// Whoever reads the log for long holds the drop up, but nobody else.
  @Test func writersNeverWaitLongForADrop() throws {
    let (store, app) = try makeStore()
    let reader = try store.connectAsSuperuser()
    try reader.script("begin; select count(*) from event")
    let retention = Background { try EventRetention(keptDays: 35).run(store) }
    try store.waitForBlocked("lock table only event%")
    let start = ContinuousClock.now
    try store.append([.delivered(of: ("new", "d"))], to: app.id)
    #expect(ContinuousClock.now - start < .seconds(5))
    try reader.script("commit")
    #expect(try retention.value().isEmpty == false)
  }
}
