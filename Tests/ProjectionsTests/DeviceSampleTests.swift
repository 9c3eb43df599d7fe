import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Devices counted one by one, and from a sample where there are too many units for that.
@Suite(.store)
struct DeviceSampleTests {
  @Test(arguments: [
    (0, 128), (500_000, 128), (500_001, 8), (1_600_000, 4), (3_200_000, 2), (6_400_000, 1),
    (1_000_000_000, 1),
  ])
  func theSampleShrinksAsUnitsGrow(_ units: Int, _ buckets: Int) {
    #expect(DeviceSample(units: units).buckets == buckets)
  }

  @Test func anEstimateIsMadeOfWhatWasCounted() {
    let sample = DeviceSample(buckets: 2)
    #expect(sample.estimate(17) == 1_088)
    #expect(sample.counted(1_088) == 17)
    #expect(sample.share == 0.015625)
  }

  private func counts(_ sample: DeviceSample, _ app: App, _ store: EventStore) throws -> [String] {
    let connection = try store.connect(.asking)
    let watermark = try #require(try EngagementProjection.checkpoint(on: connection).watermark)
    let statements = RateStatements(
      RateQuery(app: app), try RatePeriod(RateQuery(app: app), watermark: watermark, on: connection))
    let categories = try RateReader.read(RateQuery(app: app), on: connection).facts.keys.sorted().map(
      \.string)
    return try connection.query(statements.devices(sample, in: categories)).map { row in
      "\(try row.value(0, as: String.self)): \(try row.value(1, as: Int.self))"
    }.sorted()
  }

  @Test func aSampleHasEachDeviceOfItsBucketsAndNoOther() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 3_000)
    try store.append(
      [EventSample.expanded(of: ("late", "late")).received(after: 3 * 86_400)], to: store.app("another").id)
    try store.project()
    let all = try counts(.everyDevice, app, store)
    let some = try counts(DeviceSample(buckets: 5), app, store)
    // What no device of these buckets did is left in the store.
    try store.connectAsSuperuser().execute(
      "delete from unit_outcome where (get_byte(uuid_send(device_key), 15) & 127) >= 5")
    #expect(some == (try counts(.everyDevice, app, store)))
    #expect(some != all)
    #expect(some.count > 2)
  }

  /// The sample's index has all that is needed, so that the units themselves are not read.
  @Test func aSampleIsCountedFromItsIndex() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    let superuser = try store.connectAsSuperuser()
    try superuser.execute(
      """
      insert into unit_outcome (unit_id, app_id, device_key, first_seen_at, delivered_at, category, attached,
        custom_interface)
      select md5('u' || n)::uuid, \(app.id.rawValue), md5('d' || n % 9000)::uuid, t, t, 'news', 0, false
      from generate_series(1, 30000) n, lateral (select timestamptz '2026-10-01 00:00Z' + n * interval '5 s' as t) x
      """)
    try superuser.script("vacuum analyze unit_outcome")
    let watermark = PostgresTimestamp(EventSample.noon)
    for rule in ArmRule.allCases {
      var query = RateQuery(app: app)
      query.armRule = rule
      query.firstDay = PostgresDate(daysSince1970: 20_728)
      let statement = RateStatements(
        query, try RatePeriod(query, watermark: watermark, on: superuser)
      ).devices(
        DeviceSample(buckets: 2), in: ["news"])
      func plan(_ purpose: EventStore.Purpose) throws -> String {
        try store.connect(purpose).query("explain \(statement)")
          .map { row in try row.value(0, as: String.self) }.joined(separator: "\n")
      }
      let whole = try plan(.asking)
      #expect(whole.contains("Index Only Scan using unit_outcome_sample"), "\(whole)")
      // A policy keeps the index from being searched by the bucket: there is one for samples of this size.
      let separated = try plan(.reporting(of: app.id))
      #expect(separated.contains("unit_outcome_sample_2 "), "\(separated)")
    }
  }
}
