import EngagementEvents
import EventStore
import Foundation
import Postgres
import Statistics
import TestSupport
import Testing

@testable import Projections
@testable import Reports

/// The rates over time are those of the comparison, cut into days.
@Suite(.store) struct TrendTests {
  private static let noon = PostgresDate(daysSince1970: Int32(EventSample.noon.utcDay))

  /// Each category's units of both arms on devices of their own, of which half did what `event` makes.
  private func store(
    _ categories: [String], zone: String = "UTC", days: Int = 1,
    _ event: ((notification: String, device: String), String, Double) throws -> EventSample? = { _, _, _ in
      nil
    }
  ) throws -> (EventStore, App) {
    let store = try EventStore.prepared()
    let app = try store.app("shop", zone: zone)
    var events: [EventSample] = []
    for category in categories {
      for number in 0..<60 {
        let unit = ("\(category)-\(number)", "\(category)-\(number)")
        let at = Double(number % days) * 86_400
        events.append(
          try .delivered(of: unit, in: category, at: at, showing: number % 2 == 0 ? [.image] : []))
        if number % 4 < 2, let event = try event(unit, category, at + 9) { events.append(event) }
      }
    }
    try store.append(events.map { $0.received(after: 40 * 86_400) }, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    return (store, app)
  }

  private func read(_ query: RateQuery, byCategory: Bool, _ store: EventStore) throws -> EngagementReport {
    try EngagementReport(
      try RateReader.readEngagement(
        query, byCategory: byCategory, omitting: RateReport.omitted, on: store.connect(.asking)))
  }

  private func counts(_ trend: Trend) -> [Double] {
    [\ArmRates.rich, \.text].flatMap { arm in
      [\Proportion.trials, \.successes].map { count in
        trend.points.reduce(0) { $0 + $1.rates[keyPath: arm].counts[keyPath: count] }
      }
    }
  }

  private func counts(_ crude: Comparison) -> [Double] {
    [crude.rich, crude.text].flatMap { [$0.counts.trials, $0.counts.successes] }
  }

  @Test func rowsAreDaysHoweverManyThereAre() throws {
    let (store, app) = try store(["news"], days: 30)
    var query = RateQuery(app: app)
    query.firstDay = PostgresDate(daysSince1970: Self.noon.daysSince1970 - 50)
    query.lastDay = PostgresDate(daysSince1970: Self.noon.daysSince1970 + 29)
    let report = try read(query, byCategory: true, store)
    #expect(report.trend.step == 7)
    let rows = report.trendRows.rows
    for scope in ["crude", "category"] {
      let days = rows.filter { $0["scope"] == .text(scope) }
      #expect(days.count == 80)
      #expect(Set(days.map { $0["rich_delivered"] }) == [.integer(0), .integer(2)])
    }
  }

  /// What cannot report an expansion has none in either.
  @Test(arguments: [true, false])
  func whatIsNotMeasurableIsInNoSum(byCategory: Bool) throws {
    let (store, app) = try store(["able", "unable"]) { unit, category, at in
      category == "able"
        ? .expanded(of: unit, in: category, at: at) : try .opened(of: unit, in: category, at: at)
    }
    var query = RateQuery(app: app)
    query.metric = .expansion
    let report = try read(query, byCategory: byCategory, store)
    #expect(report.rates.crude.rich.rate == 0.5)
    #expect(counts(report.trend) == counts(report.rates.crude))
    let steps = Dictionary(uniqueKeysWithValues: report.funnel.map { ($0.kind, $0.rates) })
    #expect(steps[.delivered]?.rich.counts.trials == 30 && steps[.expanded]?.rich.rate == 0.5)
    #expect(report.trendTable().contains("Left out of the sums, as their arms cannot be compared: unable."))
    #expect(String(decoding: report.html, as: UTF8.self).contains("Left out of the sums"))
    // By another metric it is there, and its expansions are still no share of anything.
    query.metric = .open
    let opens = try read(query, byCategory: byCategory, store)
    #expect(counts(opens.trend) == counts(opens.rates.crude) && counts(opens.trend)[0] == 60)
    let step = try #require(opens.funnel.first { $0.kind == .expanded })
    #expect(step.rates.rich.counts.trials == 30 && step.rates.rich.counts.successes == 15)
    #expect(opens.categoriesWithoutExpansion == ["unable"])
  }

  @Test(arguments: [true, false])
  func whatOrphansSpoilIsInNoSum(byCategory: Bool) throws {
    let (store, app) = try store(["sound", "spoilt"]) { unit, category, at in
      try .opened(of: unit, in: category, at: at)
    }
    let lost = try (0..<20).map {
      try EventSample.opened(of: ("lost-\($0)", "d"), in: "spoilt").received(after: 40 * 86_400)
    }
    try store.append(lost, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    let report = try read(RateQuery(app: app), byCategory: byCategory, store)
    #expect(report.rates.pooled.leftOut == ["spoilt"])
    #expect(counts(report.trend) == counts(report.rates.crude) && counts(report.trend) == [30, 15, 30, 15])
    #expect(report.funnel.first?.rates.rich.counts.trials == 30)
    #expect(report.categoryTrends.map(\.category) == (byCategory ? ["sound", "spoilt"] : []))
    // Where nothing is left, both add everything up, and say that it is no comparison.
    var query = RateQuery(app: app)
    query.category = "spoilt"
    let alone = try read(query, byCategory: byCategory, store)
    #expect(counts(alone.trend) == counts(alone.rates.crude))
    #expect(alone.trendTable().contains("\nNot comparable: 20 notifications were interacted with"))
  }

  @Test func whatIsNotMeasurableHasNoCellsAndNoRate() throws {
    let (store, app) = try store(["able", "unable"]) { unit, category, at in
      category == "able" ? .expanded(of: unit, in: category, at: at) : nil
    }
    var query = RateQuery(app: app)
    query.metric = .expansion
    let report = try read(query, byCategory: true, store)
    for row in report.trendRows.rows where row["category"] == .text("unable") {
      #expect(row["rich_delivered"] == .integer(30))
      for column in ["rich_events", "rich_rate", "text_events", "text_rate_upper"] {
        #expect(row[column] ?? .empty == .empty)
      }
    }
    query.category = "unable"
    let alone = try read(query, byCategory: true, store)
    #expect(alone.trendTable().contains("Not measurable: no expansion was ever reported"))
    #expect(alone.trendRows.rows.allSatisfy { ($0["rich_events"] ?? .empty) == .empty })
  }

  /// Samoa went over the date line: after the 29th of December 2011 came the 31st.
  @Test func aDayThatNeverWasHasNoRow() throws {
    let (store, app) = try store(["news"], zone: "Pacific/Apia")
    var query = RateQuery(app: app)
    query.firstDay = PostgresDate(daysSince1970: 15_336)
    query.lastDay = PostgresDate(daysSince1970: 15_339)
    let days = try read(query, byCategory: true, store).trend.points.map(\.firstDay.text)
    #expect(days == ["2011-12-28", "2011-12-29", "2011-12-31"])
    query.zone = "UTC"
    #expect(try read(query, byCategory: true, store).trend.points.count == 4)
  }

  @Test func ofMoreThanTenYearsOnlyTheDaysOfDeliveriesAreThere() throws {
    let (store, app) = try store(["news"], days: 3)
    var query = RateQuery(app: app)
    query.firstDay = PostgresDate(daysSince1970: -719_162)
    query.lastDay = PostgresDate(daysSince1970: 2_932_896)
    let report = try read(query, byCategory: true, store)
    #expect(report.trend.points.count == 3 && report.trendRows.rows.count == 6)
    query.metric = .customAction("never")
    #expect(try read(query, byCategory: true, store).trendRows.rows.isEmpty)
    // Up to there each day asked for has its row.
    query.metric = .open
    query.firstDay = Self.noon
    query.lastDay = PostgresDate(daysSince1970: Self.noon.daysSince1970 + 3_659)
    #expect(try read(query, byCategory: true, store).dailyTrend.points.count == 3_660)
  }
}
