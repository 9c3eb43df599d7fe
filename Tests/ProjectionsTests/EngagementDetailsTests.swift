import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// What a page shows beside the comparison agrees with the comparison, and with what happened.
@Suite(.store) struct EngagementDetailsTests {
  private struct Sums: Equatable {
    var units: [Bool: Int] = [:]
    var successes: [Bool: Int] = [:]

    mutating func add(_ isRich: Bool, _ units: Int, _ successes: Int) {
      self.units[isRich, default: 0] += units
      self.successes[isRich, default: 0] += successes
    }
  }

  private func sums(_ cells: [RateCell]) -> Sums {
    cells.reduce(into: Sums()) { $0.add($1.isRich, $1.units, $1.successes) }
  }

  /// In the zone and window of the daily rows, in others, and by each rule.
  @Test(arguments: [("UTC", 86_400, ArmRule.intended), ("Asia/Kathmandu", 3_600, .shown)])
  func daysStepsAndActionsAddUpToTheRates(zone: String, window: Int, rule: ArmRule) throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 1_200)
    try store.project()
    let connection = try store.connect(.asking)
    var query = RateQuery(app: app)
    (query.zone, query.windowSeconds, query.armRule) = (zone, window, rule)
    for metric in [Metric.interaction, .reply, .customAction("like")] {
      query.metric = metric
      let reading = try RateReader.readEngagement(query, byCategory: true, on: connection)
      let (result, details) = (reading.result, reading.details)
      #expect(result.cells == (try RateReader.read(query, on: connection)).cells)
      #expect(sums(details.days.map(\.cell)) == sums(result.cells))
      #expect(Set(details.days.map(\.cell.category)) == Set(result.cells.map(\.category)))
      #expect(Set(details.days.map(\.day)).count > 5)
      let together = try RateReader.readEngagement(query, on: connection).details
      #expect(sums(together.days.map(\.cell)) == sums(result.cells))
      #expect(together.days.count <= details.days.count)
    }
    let details = try RateReader.readEngagement(query, on: connection).details
    let steps: [(Metric, KeyPath<FunnelCell, Int>)] = [
      (.interaction, \.interacted), (.expansion, \.expanded), (.open, \.opened), (.action, \.acted),
      (.reply, \.replied),
    ]
    for (metric, step) in steps {
      query.metric = metric
      let expected = sums(try RateReader.read(query, on: connection).cells)
      #expect(
        details.funnel.reduce(into: Sums()) { $0.add($1.isRich, $1.delivered, $1[keyPath: step]) } == expected
      )
    }
    for action in ["like", "reply", "mute"] {
      query.metric = .customAction(action)
      let expected = sums(try RateReader.read(query, on: connection).cells)
      let found = details.actions.filter { $0.action == action }
      #expect(found.reduce(into: Sums()) { $0.add($1.isRich, $1.offered, $1.taken) } == expected)
      #expect((expected.units[true] ?? 0) > 0)
    }
    query.metric = .fallback
    let fallback = sums(try RateReader.read(query, on: connection).cells)
    #expect(details.fallbacks.reduce(0) { $0 + $1.units } == fallback.successes.values.reduce(0, +))
    #expect(details.fallbacks.contains { $0.reason == .tooLarge })
  }

  @Test func whatNobodyOfferedIsTakenApartFromTheRate() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.append(
      [
        .delivered(of: ("n1", "d1"), offering: ["like", "like", "mute"]), .action("like", of: ("n1", "d1")),
        .action("like", of: ("n1", "d1"), at: 5), .action("secret", of: ("n1", "d1")),
        .action("mute", of: ("n1", "d1"), at: 90_000), .opened(of: ("n1", "d1")),
        .delivered(of: ("n2", "d2"), at: 200_000),
      ], to: app.id)
    try store.project()
    let details = try RateReader.readEngagement(RateQuery(app: app), on: store.connect(.asking)).details
    let found = details.actions.map { [$0.action, "\($0.offered) \($0.taken) \($0.takenUnoffered)"] }
    // The first delivery alone is old enough; what came after its window does not count.
    #expect(found == [["like", "1 1 0"], ["mute", "1 0 0"], ["secret", "0 0 1"]])
  }

  /// A day of 23 hours, one of 25, and none twice.
  @Test func eachLocalDayIsThereOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app("dst", zone: "America/Toronto")
    // 2026-11-01 is the day on which clocks go back there. Hourly from two days before.
    let start = -3 * 86_400.0
    try store.append(
      try (0..<96).map { hour in
        try .delivered(of: ("n\(hour)", "d"), at: start + Double(hour) * 3_600).received(after: 400_000)
      }, to: app.id)
    try store.project()
    let details = try RateReader.readEngagement(RateQuery(app: app), on: store.connect(.asking)).details
    let hours = details.days.map { "\($0.day.text): \($0.cell.units)" }
    #expect(
      hours == ["2026-10-30: 16", "2026-10-31: 24", "2026-11-01: 25", "2026-11-02: 24", "2026-11-03: 7"])
  }

  @Test func refusedEventsAreCountedOnTheDayThatTheyCame() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.append([.delivered(at: 0)], to: app.id)
    try store.project()
    let superuser = try store.connectAsSuperuser()
    for (code, seconds) in [("bad", -90_000.0), ("bad", -60), ("odd", -60), ("odd", 60)] {
      try superuser.execute(
        """
        insert into dead_letter (app_id, received_at, source, event_index, field, code, message, body)
        values (\(app.id.rawValue), \(PostgresTimestamp(EventSample.noon.advanced(bySeconds: seconds))), 'http', 0, '',
          \(code), '', '')
        """)
    }
    var query = RateQuery(app: app)
    query.firstDay = PostgresDate(daysSince1970: Int32(EventSample.noon.utcDay))
    let details = try RateReader.readEngagement(query, on: store.connect(.asking)).details
    // The last one came after what was read.
    #expect(details.rejected == ["bad": 1, "odd": 1])
  }

  /// Pruned or erased, by the day of every zone.
  @Test func refusedEventsAreCountedAfterTheirLettersAreGone() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.append([.delivered(at: 0)], to: app.id)
    try store.project()
    let superuser = try store.connectAsSuperuser()
    let device = try DeviceID("d-1")
    let key = StoreSecret.test.deviceKey(app: app.id, device: device)
    // Noon in UTC is midnight in one of these zones, and 17:45 in the other.
    for (code, seconds) in [("bad", -901.0), ("bad", -1), ("odd", -1), ("bad", 0)] {
      try superuser.execute(
        """
        insert into dead_letter (app_id, received_at, source, event_index, field, code, message, body, device_key)
        values (\(app.id.rawValue), \(PostgresTimestamp(EventSample.noon.advanced(bySeconds: seconds))), 'http', 0, '',
          \(code), '', '', \(code == "odd" ? key : nil))
        """)
    }
    func counts() throws -> [[String: Int]] {
      try ["UTC", "Pacific/Auckland", "Asia/Kathmandu", "Pacific/Kwajalein"].flatMap { zone in
        try [0, 1].map { day in
          var query = RateQuery(app: app)
          query.zone = zone
          query.firstDay = PostgresDate(daysSince1970: Int32(EventSample.noon.utcDay + day))
          query.lastDay = query.firstDay
          return try RateReader.readEngagement(query, on: store.connect(.asking)).details.rejected
        }
      }
    }
    let before = try counts()
    // 12:00 in UTC begins a day in Kwajalein.
    #expect(before.suffix(2) == [["bad": 2, "odd": 1], ["bad": 1]])
    _ = try DeviceErasure(store).run(device, of: app.id, requester: "test")
    #expect(try counts() == before)
    let removed = try StoredDeadLetter.prune(
      before: EventSample.noon.advanced(bySeconds: -60), app: app.id, on: store.connect(.administering))
    #expect(removed == 1)
    #expect(try counts() == before)
    _ = try StoredDeadLetter.prune(
      before: EventSample.noon.advanced(bySeconds: 60), app: nil, on: store.connect(.administering))
    #expect(try superuser.value(of: "select count(*) from dead_letter", as: Int.self) == 0)
    #expect(try counts() == before)
  }
}
