import EngagementEvents
import EventStore
import Foundation
import Postgres
import Statistics
import TestSupport
import Testing

@testable import Projections
@testable import Reports

/// What the report of a real store says in situations that mislead those who do not look.
@Suite(.store) struct SituationTests {
  /// Units of one category and arm, each on a device of its own unless `devices` says how many share them.
  private struct Units {
    var category = "news"
    var isRich: Bool
    var count: Int
    var interacted: Int
    var devicePrefix: String?
    var isDelivered = true
    var experiment: String?
    /// Nil for one by media.
    var experimentArm: String?

    func events() throws -> [EventSample] {
      let arm = isRich ? "rich" : "text"
      let assignment = try experiment.map { try ExperimentAssignment(name: $0, arm: experimentArm ?? arm) }
      return try (0..<count).flatMap { number in
        let unit = ("\(category)-\(arm)-\(number)", "\(devicePrefix ?? "\(category)-\(arm)")-\(number)")
        var events: [EventSample] = []
        if isDelivered {
          events.append(
            try .delivered(
              of: unit, in: category, showing: isRich ? [.image] : [], meaning: isRich ? [.image] : []))
        }
        if number < interacted { events.append(try .opened(of: unit, in: category, at: 60)) }
        for index in events.indices { events[index].experiment = assignment }
        return events
      }
    }
  }

  /// The report after everything has closed.
  private func report(_ units: [Units], split: (rich: Double, text: Double) = (1, 1)) throws -> RateReport {
    let store = try EventStore.prepared()
    let app = try store.app()
    let events = try units.flatMap { try $0.events() }.map { $0.received(after: 200_000) }
    if !events.isEmpty { try store.append(events, to: app.id) }
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    return try RateReport(RateReader.read(RateQuery(app: app), on: store.connect(.asking)), split: split)
  }

  private func cell(_ report: RateReport, scope: String, _ column: String) throws -> String {
    let rows = try readCSV(report.csv)
    let place = try #require(rows[0].firstIndex(of: column))
    let kind = try #require(rows[0].firstIndex(of: "scope"))
    return try #require(rows.first { $0[kind] == scope })[place]
  }

  /// Rich is better in both categories, and mostly sent in the one that nobody likes.
  @Test func aReversedMixIsFlaggedWithBothFigures() throws {
    let report = try report([
      Units(category: "ads", isRich: true, count: 900, interacted: 108),
      Units(category: "ads", isRich: false, count: 100, interacted: 8),
      Units(category: "chat", isRich: true, count: 100, interacted: 60),
      Units(category: "chat", isRich: false, count: 900, interacted: 450),
    ])
    #expect(report.categories.allSatisfy { ($0.difference ?? 0) > 0 })
    #expect(report.pooled.simpson?.isReversed == true)
    #expect((report.crude.uplift ?? 0) < -0.6)
    #expect((report.pooled.uplift ?? 0) > 0.15)
    let crude = Format.signedPercent(try #require(report.crude.uplift))
    let adjusted = Format.signedPercent(try #require(report.pooled.uplift))
    #expect(report.table.contains("Simpson's paradox): \(crude) against \(adjusted)"), "\(report.table)")
    #expect(try cell(report, scope: "pooled", "simpson") == "reversed")
    #expect(String(decoding: report.json, as: UTF8.self).contains("\"isSimpsonReversal\" : true"))
  }

  @Test func textOnlyOnesWithoutDeliveriesAreNotCompared() throws {
    let report = try report([
      Units(isRich: true, count: 300, interacted: 45),
      Units(isRich: false, count: 40, interacted: 40, isDelivered: false),
    ])
    #expect(report.categories[0].verdict.words == "not comparable")
    #expect(report.categories[0].verdict.reason?.contains("mutable-content") == true)
    #expect(report.table.contains("40 interacted with, but never reported as delivered"), "\(report.table)")
    #expect(try cell(report, scope: "category", "uplift") == "")
    #expect(try cell(report, scope: "category", "orphans") == "40")
    #expect(report.headline.hasPrefix("No answer yet"))
  }

  @Test func anExperimentOfOtherSizesThanMeantIsFlagged() throws {
    let units = [
      Units(isRich: true, count: 700, interacted: 70, experiment: "pictures"),
      Units(isRich: false, count: 400, interacted: 40, experiment: "pictures"),
    ]
    let report = try report(units)
    #expect(report.assignment.isSampleRatioMismatch)
    #expect(report.table.contains("the arms are not of the sizes meant (p < 0.0001)"), "\(report.table)")
    #expect(try cell(report, scope: "category", "assignment") == "randomised")
    #expect(try cell(report, scope: "category", "sample_ratio_p").hasPrefix("0.00000"))
  }

  @Test func anExperimentOfTheSizesMeantIsRandomised() throws {
    let report = try report(
      [
        Units(isRich: true, count: 210, interacted: 31, experiment: "pictures"),
        Units(isRich: false, count: 790, interacted: 79, experiment: "pictures"),
      ], split: (20, 80))
    #expect(report.assignment.name == "randomised" && !report.assignment.isSampleRatioMismatch)
    #expect(report.table.contains("Randomised, and the arms are of the sizes meant"))
  }

  /// Two audiences that nobody drew from the same lot.
  @Test func experimentsWithOneArmEachAreObservational() throws {
    let two = try report([
      Units(isRich: true, count: 150, interacted: 20, experiment: "autumn"),
      Units(isRich: false, count: 150, interacted: 15, experiment: "winter"),
    ])
    let reason = "100 % of the notifications are of experiments with one arm only, like “autumn”"
    #expect(two.assignment == .observational(reason: reason))
    #expect(try cell(two, scope: "category", "assignment") == "observational")
  }

  /// Lots were drawn about the words, and nobody knows who chose the pictures.
  @Test func anExperimentAboutSomethingElseIsObservational() throws {
    let units = ["A", "B"].flatMap { (arm: String) in
      [true, false].map { isRich in
        Units(
          isRich: isRich, count: 150, interacted: 20, devicePrefix: "\(arm)-\(isRich)",
          experiment: "copytest",
          experimentArm: arm)
      }
    }
    let both = try report(units)
    let reason =
      "100 % of the notifications are of experiments whose arms do not differ in media, like “copytest”: rich and "
      + "text-only ones share an arm"
    #expect(both.assignment == .observational(reason: reason))
    #expect(both.table.contains("Observational: 100 % of the notifications"))
  }

  @Test(arguments: [(1, "randomised"), (2, "observational")])
  func anArmMayHaveOneInAHundredOfTheOtherKind(_ odd: Int, _ name: String) throws {
    let report = try report([
      Units(isRich: true, count: 150, interacted: 20, experiment: "pictures"),
      Units(isRich: false, count: 149, interacted: 20, experiment: "pictures"),
      Units(
        isRich: true, count: odd, interacted: 0, devicePrefix: "odd", experiment: "pictures",
        experimentArm: "text"),
    ])
    #expect(report.assignment.name == name)
  }

  @Test func oneArmForAllIsObservational() throws {
    let report = try report([
      Units(isRich: true, count: 150, interacted: 20, experiment: "pictures", experimentArm: "all"),
      Units(isRich: false, count: 150, interacted: 20, experiment: "pictures", experimentArm: "all"),
    ])
    #expect(report.assignment.name == "observational")
  }

  /// The arms are compared within each category.
  @Test func anArmInAnotherCategoryIsNoArm() throws {
    let report = try report([
      Units(category: "ads", isRich: true, count: 150, interacted: 20, experiment: "pictures"),
      Units(category: "ads", isRich: false, count: 150, interacted: 20, experiment: "pictures"),
      Units(category: "chat", isRich: true, count: 60, interacted: 20, experiment: "pictures"),
      Units(category: "chat", isRich: false, count: 40, interacted: 20, experiment: "words"),
    ])
    let reason = "25 % of the notifications are of experiments with one arm only, like “pictures”"
    #expect(report.assignment == .observational(reason: reason))
  }

  /// Three units of another experiment may all be of one arm by chance.
  @Test func aHandfulOfUnitsOfAnotherExperimentDoesNotCount() throws {
    let report = try report([
      Units(isRich: true, count: 500, interacted: 20, experiment: "pictures"),
      Units(isRich: false, count: 500, interacted: 15, experiment: "pictures"),
      Units(isRich: false, count: 3, interacted: 0, devicePrefix: "few", experiment: "greeting"),
    ])
    #expect(report.assignment.name == "randomised")
  }

  @Test func withoutAnExperimentOrWithSharedDevicesItIsObservational() throws {
    let report = try report([
      Units(isRich: true, count: 150, interacted: 20, devicePrefix: "d", experiment: "pictures"),
      Units(isRich: false, count: 150, interacted: 15, devicePrefix: "d", experiment: "pictures"),
    ])
    #expect(report.assignment == .observational(reason: "150 devices are in both arms"))
    #expect(report.table.contains("Observational: 150 devices are in both arms."))
  }

  /// Rich units, of them interacted with; text-only ones likewise; and what the verdict has to be.
  @Test(arguments: [
    ([0, 0, 0, 0], "too few"), ([1, 0, 0, 0], "too few"), ([1, 1, 1, 1], "too few"),
    ([150, 0, 150, 0], "too few"),
    ([150, 150, 150, 150], "no difference shown"), ([150, 0, 150, 150], "text is higher"),
    ([150, 150, 150, 0], "rich is higher"),
  ])
  func cornersHaveSensibleWords(counts: [Int], words: String) throws {
    let report = try report([
      Units(isRich: true, count: counts[0], interacted: counts[1]),
      Units(isRich: false, count: counts[2], interacted: counts[3]),
    ])
    #expect(report.crude.verdict.words == words)
    let texts = [
      report.table, String(decoding: report.csv, as: UTF8.self), String(decoding: report.json, as: UTF8.self),
    ]
    for text in texts {
      #expect(!text.isEmpty)
      // "definition" and "reason" hold no such word, so that the plain search is enough.
      for none in ["nan", "NaN", "infinity", "Infinity", " inf", ",inf"] {
        #expect(!text.contains(none), "\(none) in \(text)")
      }
    }
    if counts.allSatisfy({ $0 == 0 }) {
      #expect(report.table.contains("Nothing was delivered or interacted with in this period."))
    }
  }

  /// An arm's estimate may be off by a percent of millions, which as a count would be a certain mismatch.
  @Test func aSampleOfDevicesIsTestedAsASample() throws {
    var facts = CategoryFacts()
    facts.rich = ArmFacts(units: 2_000_000, devices: 1_000_000, unitsInExperiment: 2_000_000)
    facts.text = ArmFacts(units: 2_000_000, devices: 990_080, unitsInExperiment: 2_000_000)
    facts.devices = 1_990_080
    let every = try Assignment(facts, split: (1, 1), sample: .everyDevice)
    let some = try Assignment(facts, split: (1, 1), sample: DeviceSample(units: 10_000_000))
    #expect(every.isSampleRatioMismatch)
    #expect(!some.isSampleRatioMismatch && some.name == "randomised")
  }
}
