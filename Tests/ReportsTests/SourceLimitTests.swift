import EngagementEvents
import EventStore
import ForeignEvents
import Foundation
import Postgres
import Statistics
import TestSupport
import Testing

@testable import Projections
@testable import Reports

/// What reports say of what other systems do not tell.
@Suite(.store) struct SourceLimitTests {
  /// Two hundred units an arm, opened by 40 and by 20, of which some are only known to be sent.
  private func store(
    richSent: Int, textSent: Int, category: String = "news", _ limits: [SourceLimit]
  ) throws -> (EventStore, App) {
    let store = try EventStore.prepared()
    let app = try store.app()
    try add(to: store, app, richSent: richSent, textSent: textSent, category: category, limits)
    return (store, app)
  }

  private func add(
    to store: EventStore, _ app: App, richSent: Int, textSent: Int, category: String, _ limits: [SourceLimit]
  ) throws {
    var events: [EventSample] = []
    for (isRich, sent, opened) in [(true, richSent, 40), (false, textSent, 20)] {
      for number in 0..<200 {
        let unit = ("\(category)-\(isRich)-\(number)", "d-\(category)-\(isRich)-\(number)")
        var delivery = try EventSample.delivered(
          of: unit, in: category, showing: [], meaning: isRich ? [.image] : [])
        if number < sent { delivery.source = .provider }
        events.append(delivery)
        if number < opened { events.append(try .opened(of: unit, in: category, at: 60)) }
      }
    }
    let first = try #require(events.first)
    let day = Int32(first.occurredAt.utcDay)
    try DeclaredLimit.declare(
      limits.map { DeclaredLimit(app: app.id, day: day, category: category, source: "braze", limit: $0) },
      on: store.connect(.ingesting))
    try store.append(events.map { $0.received(after: 200_000) }, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
  }

  private func report(
    _ store: EventStore, _ app: App, _ metric: Metric = .interaction, asOf: Int64? = nil,
    _ change: (inout RateQuery) -> Void = { _ in }
  ) throws -> RateReport {
    var query = RateQuery(app: app)
    query.metric = metric
    change(&query)
    return try RateReport(RateReader.read(query, asOf: asOf, on: store.connect(.asking)))
  }

  /// The case of an import that has only what was sent and what was opened.
  @Test func onlySentAndOpenSaysWhatCanAndCannotBeCompared() throws {
    let (store, app) = try store(
      richSent: 200, textSent: 200, [.delivery, .action, .reply, .expansion, .dismissal, .display])
    let table = try report(store, app).table
    #expect(table.contains("rich is higher"))
    #expect(
      table.contains(
        "records of braze tell what was sent, not what reached a device: rates are of notifications sent"))
    #expect(
      table.contains(
        "in records of braze, interactions are openings alone: they do not tell buttons and expansions"))
    #expect(
      table.contains(
        "Records of braze do not tell buttons, replies, expansions and dismissals: these are not measurable.")
    )
    #expect(
      table.contains(
        "rich and text-only can be compared by openings, and by interactions, which are openings alone"))
    // Nobody told what was shown, so that nothing was shown as text.
    #expect(!table.contains("were shown as text"))
    for (metric, words) in [
      (Metric.expansion, "expansions"), (.action, "buttons"),
      (.reply, "replies"), (.dismissal, "dismissals"),
    ] {
      let report = try report(store, app, metric)
      try #require(report.categories.count == 1)
      #expect(
        report.categories[0].verdict == .notMeasurable(reason: "records of braze do not tell \(words)"))
      #expect(report.categories[0].rich.rate == nil)
      #expect(report.headline.hasPrefix("No answer: records of braze do not tell \(words)"))
    }
    #expect(try report(store, app, .open).categories[0].verdict == .richIsHigher)
    let json = String(decoding: try report(store, app).json, as: UTF8.self)
    #expect(json.contains(#""shownAsText" : null"#))
    #expect(json.contains(#""notTold" : ["#))
    let csv = String(decoding: try report(store, app).csv, as: UTF8.self)
    #expect(csv.contains(",delivery action reply expansion dismissal display,0\r\n"))
  }

  @Test func whatWasNotToldToBeShownHasNoArmsByWhatWasShown() throws {
    let (store, app) = try store(richSent: 0, textSent: 0, [.display])
    #expect(try report(store, app).categories[0].verdict == .richIsHigher)
    let shown = try report(store, app) { $0.armRule = .shown }
    guard case .notComparable(let reason) = shown.categories[0].verdict else {
      Issue.record("\(shown.categories[0].verdict)")
      return
    }
    #expect(reason.contains("which were meant to be"))
    #expect(
      try report(store, app, .fallback).categories[0].verdict
        == .notMeasurable(
          reason: "records of braze do not tell whether rich notifications were shown with their media"))
  }

  @Test func withoutRichnessThereAreNoArms() throws {
    let (store, app) = try store(richSent: 0, textSent: 0, [.richness])
    let report = try report(store, app)
    guard case .notComparable(let reason) = report.categories[0].verdict else {
      Issue.record("\(report.categories[0].verdict)")
      return
    }
    #expect(reason.contains("do not tell which notifications were rich"))
    #expect(report.categories[0].text.rate == nil)
    #expect(report.assignment.name == "observational")
    #expect(!report.table.contains(" %  "), "\(report.table)")
    let json = String(decoding: report.json, as: UTF8.self)
    #expect(json.contains("Records of braze do not tell whether a notification was rich"))
  }

  @Test func otherCategoriesAndDaysAreNotTouched() throws {
    let (store, app) = try store(richSent: 0, textSent: 0, [.richness, .opening])
    try add(to: store, app, richSent: 0, textSent: 0, category: "chat", [])
    let whole = try report(store, app)
    #expect(whole.categories.map(\.verdict.words) == ["rich is higher", "not measurable"])
    #expect(whole.pooled.leftOut == ["news"])
    #expect(whole.crude.rich.rate == 0.2)
    let limits = try store.connect(.asking).query("select day from source_limit limit 1").map { row in
      try row.value(0, as: PostgresDate.self)
    }
    let after = PostgresDate(daysSince1970: limits[0].daysSince1970 + 1)
    #expect(try report(store, app) { $0.firstDay = after }.result.total.limits.isEmpty)
    // Noon in UTC is on the day after in a zone whose days begin earlier.
    #expect(
      try !report(store, app) {
        $0.zone = "Pacific/Auckland"
        $0.firstDay = after
        $0.lastDay = after
      }.result.facts.values.allSatisfy(\.limits.isEmpty))
  }

  @Test func armsThatAreSentAndDeliveredInUnlikeSharesAreNotComparable() throws {
    let (store, app) = try store(richSent: 0, textSent: 150, [.delivery])
    let verdict = try report(store, app).categories[0].verdict
    #expect(
      verdict
        == .notComparable(
          reason: "0 % of the rich and 75 % of the text-only notifications are only known to have been sent, "
            + "the others to have reached a device"))
    let (alike, other) = try store2(richSent: 150, textSent: 150)
    #expect(try report(alike, other).categories[0].verdict == .richIsHigher)
  }

  private func store2(richSent: Int, textSent: Int) throws -> (EventStore, App) {
    let store = try EventStore.prepared()
    let app = try App.findOrCreate("second", on: store.connect(.administering))
    try add(to: store, app, richSent: richSent, textSent: textSent, category: "news", [.delivery])
    return (store, app)
  }

  @Test func anEarlierPositionDoesNotKnowWhatCameLater() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    try add(to: store, app, richSent: 0, textSent: 0, category: "news", [])
    let before = try report(store, app)
    try add(to: store, app, richSent: 0, textSent: 0, category: "chat", [.opening])
    let day = try store.connect(.asking).value(of: "select min(day) from source_limit", as: PostgresDate.self)
    try DeclaredLimit.declare(
      [DeclaredLimit(app: app.id, day: day.daysSince1970, category: "news", source: "csv", limit: .opening)],
      on: store.connect(.ingesting))
    let again = try report(store, app, asOf: before.result.checkpoint.position)
    #expect(again.csv == before.csv)
  }
}
