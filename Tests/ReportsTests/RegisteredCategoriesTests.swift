import EngagementEvents
import EventStore
import Postgres
import Projections
import Reports
import Statistics
import TestSupport
import Testing

/// What an app's registry of categories changes in its reports.
@Suite(.store) struct RegisteredCategoriesTests {
  /// `post` is drawn by an extension, `quiet` too though nothing came of it, `plain` is not though an old version said so, and
  /// `other` is not registered.
  private func store(registered: Bool = true) throws -> (EventStore, App) {
    let store = try EventStore.prepared()
    let app = try store.app()
    for category in ["post", "quiet", "plain", "other"] {
      for number in 0..<4 {
        let unit = ("\(category)\(number)", "d\(number)")
        try store.append(
          [
            .delivered(of: unit, in: category, meaning: number < 2 ? [.image] : [], offering: ["like"]),
            .action("like", of: unit, in: category),
          ], to: app.id)
      }
      guard category != "quiet" else { continue }
      try store.append(
        [
          .expanded(of: ("\(category)0", "d0"), in: category),
          .action(ActionID.dismiss.text, of: ("\(category)1", "d1"), in: category, at: 2),
        ], to: app.id)
    }
    try store.append(
      [.expanded(of: ("last", "last")).received(after: 40 * 86_400)], to: store.app("another").id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating)).caughtUp()
    if registered { _ = try registry().import(into: app.id, on: store.connect(.administering)) }
    return (store, app)
  }

  private func registry() throws -> CategoryRegistry {
    let like = try RegisteredAction(
      ActionID("like"), title: .byLocale(["en": "Like it", "de": "Gefällt mir"]))
    return try CategoryRegistry(
      defaultLocale: "de",
      ["post", "quiet", "plain"].map { name in
        var category = try RegisteredCategory(Category(name), actions: [like])
        category.title = .byLocale(["en": "A post", "de": "Ein <Beitrag>"])
        category.hasContentExtension = name != "plain"
        category.options = name == "plain" ? [] : [.customDismissAction]
        return category
      })
  }

  private func report(
    _ store: EventStore, _ app: App, _ metric: Metric, asOf position: Int64? = nil
  ) throws -> RateReport {
    var query = RateQuery(app: app)
    query.metric = metric
    return try RateReport(RateReader.read(query, asOf: position, on: store.connect(.asking)))
  }

  private func reasons(_ report: RateReport) -> [String: String?] {
    Dictionary(
      report.categories.map {
        ($0.scope.name, $0.verdict.words == "not measurable" ? $0.verdict.reason : nil)
      }
    ) { $1 }
  }

  @Test(arguments: [Metric.expansion, .dismissal])
  func whatTheRegistryRulesOutIsNotMeasurable(_ metric: Metric) throws {
    let (store, app) = try store()
    let found = reasons(try report(store, app, metric))
    let reason = try #require(found["plain"] ?? nil)
    #expect(
      reason.contains(
        metric == .expansion ? "no content extension is registered" : "without customDismissAction"))
    // A true zero is one; and what is not registered is judged by what was reported.
    for name in ["post", "quiet", "other"] { #expect(found[name] == .some(nil), "\(name)") }
  }

  @Test func withoutARegistryWhatWasReportedDecides() throws {
    let (store, app) = try store(registered: false)
    for metric in [Metric.expansion, .dismissal] {
      let found = reasons(try report(store, app, metric))
      #expect(found.filter { $0.value != nil }.map(\.key) == ["quiet"])
    }
    #expect(!(try report(store, app, .interaction)).table.contains("Beitrag"))
  }

  @Test func whereItIsRuledOutForAllSoItIsForTheirSum() throws {
    let (store, app) = try store()
    var query = RateQuery(app: app)
    query.metric = .expansion
    query.category = "plain"
    let sum = try RateReport(RateReader.read(query, on: store.connect(.asking))).crude
    #expect(sum.verdict.reason?.contains("no content extension is registered") == true)
  }

  @Test func titlesStandBesideTheIdentifiers() throws {
    let (store, app) = try store()
    let report = try report(store, app, .interaction)
    let lines = report.table.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix("post ") })
    #expect(lines[place + 1].hasPrefix("“Ein <Beitrag>”  text "))
    #expect(String(decoding: report.json, as: UTF8.self).contains(#""title" : "Ein <Beitrag>""#))
    let rows = String(decoding: report.csv, as: UTF8.self).split(whereSeparator: \.isNewline)
    #expect(rows[0].hasSuffix(",device_sample,title,not_told,orphans_dismissed"))
    #expect(rows.first { $0.contains(",category,post,") }?.hasSuffix(",Ein <Beitrag>,,0") == true)
    #expect(rows.first { $0.contains(",category,other,") }?.hasSuffix(",,,0") == true)
  }

  @Test func thePageShowsTitlesAndLeavesOutWhatCannotBeMeasured() throws {
    let (store, app) = try store()
    let reading = try RateReader.readEngagement(RateQuery(app: app), on: store.connect(.asking))
    let page = try EngagementReport(reading)
    let html = String(decoding: page.html, as: UTF8.self)
    #expect(html.contains("<bdi>post</bdi> <small><bdi>Ein &lt;Beitrag&gt;</bdi></small>"))
    #expect(html.contains("<bdi>like</bdi> <small><bdi>Gefällt mir</bdi></small>"))
    #expect(html.contains("where no content extension is registered or none was ever reported: plain."))
    // Of the 16 delivered 12 could report an expansion, and two did; that of plain is no share of anything.
    let step = try #require(page.funnel.first { $0.kind == .expanded })
    #expect(step.rates.rich.counts.trials + step.rates.text.counts.trials == 12)
    #expect(step.rates.rich.counts.successes + step.rates.text.counts.successes == 2)
    let acted = try #require(page.funnel.first { $0.kind == .acted })
    #expect(acted.rates.rich.counts.trials + acted.rates.text.counts.trials == 16)
    #expect(String(decoding: page.actionsCSV, as: UTF8.self).contains(",Gefällt mir"))
  }

  @Test func anEarlierPositionIsReportedWithTheRegistryOfItsTime() throws {
    let (store, app) = try store()
    let connection = try store.connect(.administering)
    let position = try EngagementProjection.checkpoint(on: connection).position
    let before = try report(store, app, .interaction, asOf: position).csv
    try store.append([.delivered(of: ("more", "d"), in: "post")], to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating)).caughtUp()
    _ = try CategoryRegistry([]).import(into: app.id, on: connection)
    #expect(try report(store, app, .interaction, asOf: position).csv == before)
    #expect(try !String(decoding: report(store, app, .interaction).csv, as: UTF8.self).contains("Beitrag"))
  }
}
