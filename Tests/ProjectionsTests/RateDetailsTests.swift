import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// What the arms are made up of, and how soon people interact.
@Suite(.store)
struct RateDetailsTests {
  private func details(_ samples: [EventSample], _ change: (inout RateQuery) -> Void = { _ in }) throws
    -> RateDetails
  {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.append(samples, to: app.id)
    try store.append(
      [.expanded(of: ("late", "late")).received(after: 40 * 86_400)], to: store.app("another").id)
    try store.project(rangeLimit: 2)
    var query = RateQuery(app: app)
    change(&query)
    return try #require(try RateReader.read(query, withDetails: true, on: store.connect(.asking)).details)
  }

  /// Value, then units and successes of both arms.
  private func rows(_ dimension: RateDetails.Dimension, _ details: RateDetails) -> [String] {
    details.breakdowns.first { $0.dimension == dimension }?.groups.map { group in
      "\(group.value ?? "nil"): \(group.rich.successes)/\(group.rich.units), \(group.text.successes)/\(group.text.units)"
    } ?? []
  }

  @Test func unitsAreToldApartByEachDimension() throws {
    var first = try EventSample.delivered(
      of: ("n1", "d1"), showing: [], meaning: [.gif, .image], appVersion: "2.0", level: .timeSensitive)
    first.source = .serviceExtension
    first.experiment = try ExperimentAssignment(name: "banner", arm: "on")
    var second = try EventSample.delivered(
      of: ("n2", "d2"), in: "", at: 3_600, appVersion: "10.0", level: .passive)
    second.source = .app
    let third = try EventSample.delivered(of: ("n3", "d3"), at: 3_660, showing: [.video], appVersion: "2.0")
    var tap = try EventSample.opened(of: ("n1", "d1"))
    tap.source = .app
    let details = try details([first, second, third, tap])
    #expect(rows(.category, details) == [": 0/0, 0/1", "news: 1/2, 0/0"])
    #expect(rows(.intendedMedia, details) == ["image+gif: 1/1, 0/0", "none: 0/0, 0/1", "video: 0/1, 0/0"])
    #expect(rows(.shownMedia, details) == ["none: 1/1, 0/1", "video: 0/1, 0/0"])
    #expect(rows(.experiment, details) == ["nil: 0/1, 0/1", "banner / on: 1/1, 0/0"])
    #expect(rows(.appVersion, details) == ["10.0: 0/0, 0/1", "2.0: 1/2, 0/0"])
    // Who reported the delivery; the tap has its own source.
    #expect(rows(.source, details) == ["nil: 0/1, 0/0", "app: 0/0, 0/1", "serviceExtension: 1/1, 0/0"])
    #expect(rows(.hour, details) == ["12: 1/1, 0/0", "13: 0/1, 0/1"])
    #expect(
      rows(.interruptionLevel, details) == ["nil: 0/1, 0/0", "passive: 0/0, 0/1", "time-sensitive: 1/1, 0/0"])
  }

  @Test func theHourIsThatOfTheReportsZone() throws {
    let details = try details([.delivered(at: 1_799)]) { $0.zone = "Asia/Kolkata" }
    #expect(rows(.hour, details) == ["17: 0/0, 0/1"])
  }

  @Test func quartilesAreOfThoseWhoInteractWithinTheWindow() throws {
    // The n-th after n minutes, and twice; one without, one too late, one that only dismisses.
    var samples = try (1...4).flatMap { number -> [EventSample] in
      let unit = ("n\(number)", "d\(number)")
      return [
        try .delivered(of: unit), .expanded(of: unit, at: Double(number) * 60),
        try .opened(of: unit, at: Double(number) * 60 + 0.5),
      ]
    }
    samples += try [
      .delivered(of: ("m", "d")), .delivered(of: ("late", "d")), .opened(of: ("late", "d"), at: 86_400),
      .delivered(of: ("gone", "d")), .action(ActionID.dismiss.text, of: ("gone", "d"), at: 1),
      .delivered(of: ("rich", "d"), in: "promo", showing: [.image]),
      .action("like", of: ("rich", "d"), in: "promo", at: 0.25),
    ]
    let times = try details(samples).times
    #expect(times.map(\.category) == ["news", "promo", nil])
    let news = RateDetails.Quartiles(units: 4, lower: 60, median: 120, upper: 180)
    let promo = RateDetails.Quartiles(units: 1, lower: 0.25, median: 0.25, upper: 0.25)
    #expect(times.map(\.text) == [news, nil, news])
    #expect(times.map(\.rich) == [nil, promo, promo])
  }

  /// A delivery that comes twice with other facts says the same in either order.
  @Test func factsOfADoubleDeliveryDoNotDependOnTheOrder() throws {
    var first = try EventSample.delivered(1, appVersion: "2.0", level: .active)
    first.source = .app
    var second = try EventSample.delivered(2, at: 5, appVersion: "1.0", level: .passive)
    second.source = .serviceExtension
    let one = try details([first, second])
    #expect(try details([second, first]) == one)
    #expect(rows(.appVersion, one) == ["1.0: 0/0, 0/1"])
  }
}
