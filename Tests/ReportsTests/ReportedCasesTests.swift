import EngagementEvents
import EventStore
import Postgres
import Projections
import Reports
import Statistics
import TestSupport
import Testing

/// Ways in which other measurements have gone wrong, each with the public report that it was taken from.
@Suite(.store) struct ReportedCasesTests {
  private static let open = ActionID.defaultAction.text

  /// The report once every window has closed, of events that come one by one, in the order given.
  private func report(
    _ samples: [EventSample], _ change: (inout RateQuery) -> Void = { _ in }
  ) throws -> RateReport {
    let store = try EventStore.prepared()
    let app = try store.app()
    for sample in samples { try store.append([sample], to: app.id) }
    return try report(store, app, change)
  }

  private func report(
    _ store: EventStore, _ app: App, _ change: (inout RateQuery) -> Void = { _ in }
  ) throws -> RateReport {
    try store.append(
      [.expanded(of: ("last", "last")).received(after: 40 * 86_400)], to: store.app("another").id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating)).caughtUp()
    var query = RateQuery(app: app)
    change(&query)
    return try RateReport(RateReader.read(query, on: store.connect(.asking)))
  }

  /// Units delivered and with the metric's event, over both arms and all categories.
  private func counts(_ report: RateReport) -> [Double] {
    let crude = report.crude
    return [
      crude.rich.counts.trials + crude.text.counts.trials,
      crude.rich.counts.successes + crude.text.counts.successes,
    ]
  }

  /// PostHog/posthog-ios#828: the SDK reports a tap, and the app's own handler reports it again.
  @Test func aTapReportedAutomaticallyAndByHandIsOneOpenAndAnotherButtonItsOwnAction() throws {
    var byHand = try EventSample.opened(at: 290)
    byHand.source = .app
    let events = [
      try EventSample.delivered(offering: ["like"]), try .opened(at: 5), byHand, try .action("like", at: 300),
    ]
    for metric in [Metric.interaction, .open, .action, .customAction("like")] {
      #expect(try counts(report(events) { $0.metric = metric }) == [1, 1])
    }
  }

  /// expo/expo#47615: a stored tap is delivered again after every reload, hours and days later.
  @Test func aTapReplayedNextDayIsNoNewInteraction() throws {
    let events: [EventSample] = [
      try .delivered(at: -7_200), try .opened(at: -7_200 + 60), try .opened(at: 21_600),
      try .opened(at: 75_600),
    ]
    let nextDay = PostgresDate(daysSince1970: Int32(EventSample.noon.utcDay) + 1)
    #expect(try counts(report(events)) == [1, 1])
    let second = try report(events) {
      $0.firstDay = nextDay
      $0.lastDay = nextDay
    }
    #expect(counts(second) == [0, 0])
  }

  /// braze-inc/braze-unity-sdk#84: a tap is also logged as an influenced open. There is no such type of event.
  @Test func thereIsNoInfluencedOpen() {
    #expect(EventType(rawValue: "influenced_open") == nil)
    #expect(EventType.allCases.map(\.rawValue) == ["delivered", "expanded", "action"])
  }

  /// firebase/firebase-ios-sdk#8430: taps that start the app are lost by one version and not by another, which an average
  /// would hide.
  @Test func aVersionThatLosesOpensShowsBesideOneThatDoesNot() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    for (version, opened) in [("1.0", 0), ("2.0", 12)] {
      for number in 0..<100 {
        let unit = ("\(version)-\(number)", "\(version)-\(number)")
        var events = [try EventSample.delivered(of: unit, appVersion: version)]
        if number < opened { events.append(try .opened(of: unit)) }
        try store.append(events, to: app.id)
      }
    }
    _ = try report(store, app)
    let result = try RateReader.read(RateQuery(app: app), withDetails: true, on: store.connect(.asking))
    let versions = try #require(result.details?.breakdowns.first { $0.dimension == .appVersion })
    #expect(versions.groups.map(\.value) == ["1.0", "2.0"])
    #expect(versions.groups.map(\.text.units) == [100, 100])
    #expect(versions.groups.map(\.text.successes) == [0, 12])
  }

  /// home-assistant/iOS#798: swiping a notification away was handled like activating it.
  @Test func aDismissalIsListedAndIsNoInteraction() throws {
    let events = [try EventSample.delivered(), try .action(ActionID.dismiss.text)]
    #expect(try counts(report(events)) == [1, 0])
    #expect(try counts(report(events) { $0.metric = .dismissal }) == [1, 1])
    #expect(try counts(report(events) { $0.metric = .action }) == [1, 0])
  }

  /// invertase/notifee#321: the text of a reply is missing, or empty, or blank.
  @Test func aReplyWithoutTextIsAnActionAndCountedApart() throws {
    let texts: [String?] = [nil, "", "\n\n", "yes"]
    let events = try texts.enumerated().flatMap { number, text -> [EventSample] in
      let unit = ("n\(number)", "d")
      return [try .delivered(of: unit, offering: ["reply"]), try .action("reply", of: unit, reply: text)]
    }
    #expect(try counts(report(events) { $0.metric = .customAction("reply") }) == [4, 4])
    #expect(try counts(report(events) { $0.metric = .reply }) == [4, 3])
    #expect(throws: EventFault.self) { try ReplyText(String(repeating: "a", count: 16 * 1_024)) }
  }

  /// OneSignal/OneSignal-Flutter-SDK#1062: confirmed deliveries stay at zero while clicks are counted.
  @Test func withoutDeliveriesThereIsNoRate() throws {
    let report = try report((0..<25).map { try .action("like", of: ("n\($0)", "d\($0)")) })
    #expect(counts(report) == [0, 0])
    #expect(report.crude.text.rate == nil)
    #expect(report.categories.first?.facts.orphans == 25)
    #expect(report.categories.first?.verdict.words == "not comparable")
    #expect(report.table.contains("25 interacted with, but never reported as delivered"))
  }

  /// customerio/customerio-reactnative#537: text-only notifications arrive, and only rich ones report that.
  @Test func armsOfWhichOnlyOneReportsDeliveriesAreNotCompared() throws {
    var events = try (0..<100).flatMap { number -> [EventSample] in
      let unit = ("rich\(number)", "d\(number)")
      let delivered = try EventSample.delivered(of: unit, showing: [.image])
      return number < 20 ? [delivered, try .opened(of: unit)] : [delivered]
    }
    events += try (0..<30).map { try .opened(of: ("text\($0)", "d\($0)")) }
    let report = try report(events)
    #expect(report.categories.first?.verdict.words == "not comparable")
    #expect(report.pooled.uplift == nil)
    #expect(report.headline.hasPrefix("No answer yet"))
    #expect(report.crude.rich.rate == 0.2)
  }

  /// OneSignal's documentation of confirmed receipts: of the pushes that a device misses only the last is ever delivered.
  @Test func whatWasNeverDeliveredIsInNoDenominator() throws {
    #expect(try counts(report([.delivered(of: ("n5", "d")), .opened(of: ("n5", "d"))])) == [1, 1])
  }

  /// OneSignal/OneSignal-DotNet-SDK#147: the extension runs for every other notification.
  @Test func interactionsWithoutADeliveryAreKeptAndInNoNumerator() throws {
    let events = try (1...4).flatMap { number -> [EventSample] in
      let unit = ("n\(number)", "d")
      let opened = try EventSample.opened(of: unit)
      return number.isMultiple(of: 2) ? [opened] : [try .delivered(of: unit), opened]
    }
    let report = try report(events)
    #expect(counts(report) == [2, 2])
    #expect(report.crude.facts.orphans == 2)
  }

  /// CleverTap/clevertap-ios-sdk#551: the extension and the app in the foreground both record the view.
  @Test func aDeliveryReportedByExtensionAndAppIsOne() throws {
    var first = try EventSample.delivered(at: 0)
    first.source = .serviceExtension
    var second = try EventSample.delivered(at: 0.04)
    second.source = .app
    #expect(try counts(report([first, second])) == [1, 0])
    #expect(try counts(report([second, first])) == [1, 0])
  }

  /// microsoft/appcenter-sdk-dotnet#782: the delivery is reported on arrival and again at the tap. The first time counts,
  /// even if it comes later.
  @Test func theFirstOfTwoDeliveriesCountsWhicheverComesFirst() throws {
    let first = try EventSample.delivered(at: 0)
    let again = try EventSample.delivered(at: 420)
    let tap = try EventSample.opened(at: 450)
    for events in [[first, again, tap], [again, tap, first]] {
      #expect(try counts(report(events) { $0.windowSeconds = 451 }) == [1, 1])
      #expect(try counts(report(events) { $0.windowSeconds = 450 }) == [1, 0])
    }
  }

  /// invertase/notifee#128: a category that nobody registered. It is taken, under its own name.
  @Test func aCategoryThatNobodyRegisteredIsReported() throws {
    let report = try report([.delivered(in: "post"), .delivered(of: ("n2", "d"), in: "message")])
    #expect(report.categories.map(\.scope.name) == ["message", "post"])
  }

  /// benvinegar/counterscale#61: days doubled and missing where clocks change. One report a day, the empty one as well.
  @Test func eachLocalDayIsThereOnceWhereClocksChange() throws {
    let store = try EventStore.prepared()
    let app = try store.app(zone: "America/Toronto")
    // Every half hour from before the day of 23 hours (8 March 2026) to after it, none on the 10th.
    let start = try Timestamp(rfc3339: "2026-03-07T05:00:00Z")
    let samples = try (0..<(24 + 23 + 24) * 2).map { number in
      var sample = try EventSample.delivered(of: ("n\(number)", "d"))
      sample.occurredAt = start.advanced(bySeconds: Double(number) * 1_800)
      return sample
    }
    try store.append(samples, to: app.id)
    _ = try report(store, app)
    func units(_ day: Int32, _ zone: String) throws -> Double {
      counts(
        try report(store, app) {
          $0.zone = zone
          $0.firstDay = PostgresDate(daysSince1970: 20_519 + day)
          $0.lastDay = $0.firstDay
        })[0]
    }
    // 6 to 10 March: none, 24 hours, 23 hours, 24 hours, none.
    #expect(try (-1...3).map { try units($0, "America/Toronto") } == [0, 48, 46, 48, 0])
    // The same by days that begin at half past the hour, and at three quarters.
    #expect(try (0...3).map { try units($0, "Asia/Kolkata") } == [27, 48, 48, 19])
    #expect(try (0...3).map { try units($0, "Pacific/Chatham") } == [11, 48, 48, 35])
  }

  @Test func aDayOf25HoursIsThereOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app(zone: "America/Toronto")
    // 1 November 2026 has 25 hours; 01:30 strikes twice.
    let start = try Timestamp(rfc3339: "2026-11-01T03:00:00Z")
    let samples = try (0..<27).map { number in
      var sample = try EventSample.delivered(of: ("n\(number)", "d"))
      sample.occurredAt = start.advanced(bySeconds: Double(number) * 3_600 + 1_800)
      return sample
    }
    try store.append(samples, to: app.id)
    let days = try (20_757...20_759).map { day in
      counts(
        try report(store, app) {
          $0.firstDay = PostgresDate(daysSince1970: Int32(day))
          $0.lastDay = $0.firstDay
        })[0]
    }
    #expect(days == [1, 25, 1])
  }

  /// PostHog/posthog#27699: events that come after the nightly run are in two days' files or in none.
  @Test func anEventThatComesAfterTheNightlyRunIsOnItsOwnDayAndNoOther() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    let day = PostgresDate(daysSince1970: Int32(EventSample.noon.utcDay))
    func units(_ offset: Int32) throws -> Double {
      counts(
        try report(store, app) {
          $0.firstDay = PostgresDate(daysSince1970: day.daysSince1970 + offset)
          $0.lastDay = $0.firstDay
        })[0]
    }
    try store.append([.delivered(of: ("n1", "d"))], to: app.id)
    #expect(try (0...1).map { try units($0) } == [1, 0])
    try store.append([.delivered(of: ("n2", "d"), at: 39_600).received(after: 4_800)], to: app.id)
    #expect(try (-1...1).map { try units($0) } == [0, 2, 0])
  }
}
