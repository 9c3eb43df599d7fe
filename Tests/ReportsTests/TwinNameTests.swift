import EngagementEvents
import EventStore
import ForeignEvents
import Postgres
import Statistics
import TestSupport
import Testing

@testable import Projections
@testable import Reports

/// Names that Swift takes for one and Postgres for two: wherever they stand, they are two.
@Suite(.store) struct TwinNameTests {
  static let twins = [["caf\u{e9}", "cafe\u{301}"], ["K1", "\u{212a}1"]]

  private func utf8(_ names: some Sequence<String>) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }

  /// The first of two has 12 of each arm, each opened; the second 24, of which none is. Everything else that bears a name has
  /// the same twins.
  private func store(_ twins: [String]) throws -> (EventStore, App) {
    let store = try EventStore.prepared()
    let app = try store.app(twins[0])
    _ = try store.app(twins[1])
    var (events, odd): ([EventSample], [EventSample]) = ([], [])
    for (place, name) in twins.enumerated() {
      for number in 0..<(12 * (place + 1)) {
        for isRich in [true, false] {
          let unit = ("\(place)-\(number)-\(isRich)", "\(place)-\(number)-\(isRich)")
          var delivery = try EventSample.delivered(
            of: unit, in: name, showing: isRich ? [.image] : [], offering: twins, appVersion: name)
          delivery.experiment = try ExperimentAssignment(name: name, arm: isRich ? "rich" : "text")
          events.append(delivery)
          if place == 0 {
            events += [
              try .opened(of: unit, in: name, at: 9), try .action(twins[1], of: unit, in: name, at: 9),
            ]
          }
        }
      }
      // Orphans, and times that cannot be.
      events.append(try .opened(of: ("lost-\(place)", "d"), in: name))
      odd.append(.expanded(of: ("odd-\(place)", "d"), in: name).received(after: -100_000))
    }
    try store.append(events.map { $0.received(after: 200_000) } + odd, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    return (store, app)
  }

  @Test(arguments: twins) func eachCategoryHasItsRow(_ twins: [String]) throws {
    let (store, app) = try store(twins)
    let result = try RateReader.read(RateQuery(app: app), withDetails: true, on: store.connect(.asking))
    let report = try RateReport(result)
    #expect(report.categories.count == 2)
    for (place, name) in twins.enumerated() {
      let one = try #require(report.categories.first { $0.scope == .category(name) })
      #expect(one.rich.counts.trials == Double(12 * (place + 1)))
      #expect(one.rich.counts.successes == (place == 0 ? 12 : 0))
      #expect(one.rich.devices == 12 * (place + 1) && one.facts.orphans == 1 && one.facts.implausible == 1)
      let narrowed = try #require(try report.narrowed(to: name, level: .ninetyFive))
      #expect(narrowed.crude.rich.counts == one.rich.counts)
      #expect(narrowed.result.facts.count == 1)
    }
    // As many devices as there are, and both experiments told apart.
    #expect(result.total.rich.devices == 36 && report.assignment.name == "randomised")
    for dimension in [RateDetails.Dimension.category, .appVersion, .experiment] {
      let groups = try #require(result.details?.breakdowns.first { $0.dimension == dimension }?.groups)
      #expect(groups.map { $0.rich.units }.filter { $0 > 0 }.sorted() == [12, 24], "\(dimension)")
    }
  }

  @Test(arguments: twins) func eachHasItsTrendItsActionAndItsTitle(_ twins: [String]) throws {
    let (store, app) = try store(twins)
    let connection = try store.connect(.administering)
    let action = try RegisteredAction(try ActionID(twins[1]), title: .same("Second"))
    let category = try RegisteredCategory(try Category(twins[0]), actions: [action])
    _ = try CategoryRegistry([category]).import(into: app.id, on: connection)
    let page = try EngagementReport(
      try RateReader.readEngagement(
        RateQuery(app: app), byCategory: true, omitting: RateReport.omitted, on: connection))
    #expect(utf8(page.categoryTrends.map(\.category)) == utf8(twins))
    #expect(page.categoryTrends.flatMap(\.trend.points).map(\.rates.rich.counts.trials).sorted() == [12, 24])
    #expect(page.trend.points.first?.rates.rich.counts.trials == 36)
    let actions = page.actions.filter { $0.category.isExactly(twins[0]) }
    #expect(utf8(actions.map(\.action)) == utf8(twins) && page.actions.count == 4)
    let second = try #require(actions.first { $0.action.isExactly(twins[1]) })
    #expect(second.title == "Second" && second.rates.rich.counts.successes == 12)
    #expect(page.actions.count { $0.title != nil } == 1)
    #expect(page.html.count > 1_000)
    let seen = try SeenCategory.all(of: app, on: connection)
    #expect(utf8(seen.map(\.name)) == utf8(twins))
    #expect(seen.allSatisfy { $0.actions.count == 2 })
  }

  @Test(arguments: twins) func twoPeriodsAreComparedWithinEach(_ twins: [String]) throws {
    let (store, app) = try store(twins)
    let (now, before) = try RateReader.readPair(
      RateQuery(app: app), RateQuery(app: app), on: store.connect(.asking))
    let comparison = try PeriodComparison(
      now: RateReport(now), before: RateReport(before), level: .ninetyFive)
    #expect(utf8(comparison.changes.compactMap(\.category)) == utf8(twins))
  }

  @Test(arguments: twins) func anAppIsFoundByItsOwnName(_ twins: [String]) throws {
    let (store, app) = try store(twins)
    let connection = try store.connect(.asking)
    #expect(try App.find(twins[0], on: connection) == app)
    #expect(try App.find(twins[1], on: connection).id != app.id)
  }

  @Test(arguments: twins) func systemsAreToldApart(_ twins: [String]) {
    var limits = SourceLimits()
    for name in twins { limits.insert(.display, of: name) }
    #expect(limits.names(of: .display)?.utf8.count == twins.joined(separator: " and ").utf8.count)
  }
}
