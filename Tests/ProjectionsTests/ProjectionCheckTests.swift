import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// `verify`: what the tables say is what the events say, or it is told what does not.
@Suite(.store)
struct ProjectionCheckTests {
  /// A store with everything in it that is projected, read in ranges of no particular size.
  private func makeStore() throws -> EventStore {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 300)
    try store.append(
      [
        .delivered(of: ("n", "d"), offering: ["like"]), .action("like", of: ("n", "d")),
        .opened(of: ("orphan", "d")), EventSample.expanded(in: "promo").received(after: 401 * 86_400),
      ], to: app.id)
    _ = try RateFrame.add(
      zone: "Asia/Kolkata", windowSeconds: 3_600, to: app, on: store.connect(.aggregating))
    try store.project(rangeLimit: 97)
    return store
  }

  private func check(_ store: EventStore) throws -> ProjectionCheck.Result {
    try ProjectionCheck.run(on: store.connect(.asking))
  }

  @Test func whatTheJobWroteIsSound() throws {
    let store = try makeStore()
    let result = try check(store)
    #expect(result.isSound, "\(result)")
    #expect(
      result.tables.map(\.name) == [
        "unit_outcome", "unit_interaction", "daily_rate", "framed_rate", "daily_action", "daily_implausible",
      ])
    #expect(result.tables.allSatisfy { $0.rows > 0 })
    #expect(result.events > 300)
    #expect(result.partitions > 1)
    #expect(result.position == (try EngagementProjection.checkpoint(on: store.connect(.asking)).position))
  }

  /// What somebody did by hand, the table, and what has to be told of it.
  @Test(arguments: [
    (
      "update unit_outcome set opened_at = delivered_at + interval '1 s' where unit_id = (select unit_id from unit_outcome where delivered_at is not null and opened_at is null order by 1 limit 1)",
      "unit_outcome", "opened_at is 20"
    ),
    (
      "update framed_rate set open = open + 1 where ctid = (select min(ctid) from framed_rate)",
      "framed_rate", "open is"
    ),
    (
      "update daily_action set taken = taken + 1 where ctid = (select min(ctid) from daily_action)",
      "daily_action", "taken is"
    ),
    (
      "delete from unit_outcome where unit_id = (select min(unit_id::text)::uuid from unit_outcome)",
      "unit_outcome", "is missing"
    ),
    (
      "insert into unit_outcome (unit_id, app_id, device_key, first_seen_at, category, custom_interface) values ('00000000-0000-0000-0000-000000000001', 1, '00000000-0000-0000-0000-000000000002', now(), '', false)",
      "unit_outcome", "unit_id=00000000-0000-0000-0000-000000000001: should not be there"
    ),
    (
      "delete from unit_interaction where action_id = 'like' and at = (select max(at) from unit_interaction where action_id = 'like')",
      "unit_interaction", "is missing"
    ),
    (
      "update daily_rate set open = open + 1 where ctid = (select min(ctid) from daily_rate)", "daily_rate",
      "open is"
    ),
    ("update daily_implausible set events = 7", "daily_implausible", "events is 7, should be 1"),
  ])
  func aRowTamperedWithByHandIsFound(_ statement: String, _ table: String, _ words: String) throws {
    let store = try makeStore()
    #expect(try store.connectAsSuperuser().execute(SQL(unsafeRaw: statement)) == 1)
    let result = try check(store)
    #expect(!result.isSound)
    for found in result.tables {
      #expect(found.differing == (found.name == table ? 1 : 0), "\(found)")
      #expect(found.differences.count == found.differing)
    }
    let told = result.tables.flatMap(\.differences).first
    #expect(told?.contains(words) == true, "\(told ?? "nothing")")
  }

  @Test func onlySoManyDifferencesAreToldAndAllAreCounted() throws {
    let store = try makeStore()
    let changed = try store.connectAsSuperuser().execute("update unit_outcome set category = 'changed'")
    let units = try #require(try check(store).tables.first)
    #expect(units.differing == changed)
    #expect(units.differences.count == ProjectionCheck.shownDifferences)
    #expect(units.differences == units.differences.sorted())
  }

  @Test func anEventThatIsGoneOrWasNeverReadIsFoundByItsPartition() throws {
    let store = try makeStore()
    let superuser = try store.connectAsSuperuser()
    let gone = try superuser.query(
      "select tableoid::regclass::text from event where type = 0 order by position limit 1"
    ).map { row in try row.value(0, as: String.self) }
    try superuser.execute(
      "delete from event where position = (select min(position) from event where type = 0)")
    let week = try #require(try check(store).weeks.first)
    #expect(week.partitions == gone)
    #expect(week.present == week.read - 1)
    // And one that slipped in below what was read.
    try superuser.script(
      """
      create temporary table slipped as select * from event where type = 0 order by position desc limit 1;
      update slipped set event_id = gen_random_uuid(), unit_id = gen_random_uuid(), position = 0;
      insert into event select * from slipped;
      """)
    #expect(try check(store).tables.first?.differences.contains { $0.contains("is missing") } == true)
  }

  @Test func aWrongWatermarkIsTold() throws {
    let store = try makeStore()
    try store.connectAsSuperuser().execute(
      "update projection_checkpoint set watermark = '2026-01-01T00:00:00.000001Z'")
    let fault = try #require(try check(store).watermarkFault)
    #expect(fault.contains("is 2026-01-01T00:00:00.000001Z, should be 2027-12-08"))
  }

  /// Between any two of its steps events are appended and aggregated, and none of that shows.
  @Test func eventsComeInAndAreAggregatedMeanwhile() throws {
    let store = try makeStore()
    let app = try store.app()
    let before = try EngagementProjection.checkpoint(on: store.connect(.asking)).position
    var rounds = 0
    var failure: (any Error)?
    let result = try ProjectionCheck.run(on: store.connect(.asking)) { _ in
      rounds += 1
      do {
        try store.append(
          [.delivered(of: ("new \(rounds)", "d")), .opened(of: ("n", "d"), at: 0.5 - Double(rounds) / 100)],
          to: app.id)
        _ = try store.project().caughtUp()
      } catch { failure = error }
    }
    #expect(failure == nil)
    #expect(rounds > 5)
    #expect(result.isSound, "\(result)")
    #expect(result.position == before)
    #expect(
      try EngagementProjection.checkpoint(on: store.connect(.asking)).position == before + Int64(2 * rounds))
    #expect(try check(store).isSound)
  }

  @Test func anEmptyStoreIsSound() throws {
    #expect(try check(EventStore.prepared()).isSound)
  }
}
