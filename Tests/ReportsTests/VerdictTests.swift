import Reports
import Statistics
import TestSupport
import Testing

@testable import Projections

struct VerdictTests {
  @Test func aClearDifferenceIsTold() throws {
    #expect(try SampleReport.comparison(rich: (1_000, 150), text: (1_000, 100)).verdict == .richIsHigher)
    #expect(try SampleReport.comparison(rich: (1_000, 100), text: (1_000, 150)).verdict == .textIsHigher)
    #expect(try SampleReport.comparison(rich: (1_000, 105), text: (1_000, 100)).verdict == .noDifferenceShown)
    #expect(try SampleReport.comparison(rich: (1_000, 100), text: (1_000, 100)).verdict == .noDifferenceShown)
  }

  @Test func theVerdictAgreesWithTheInterval() throws {
    for successes in 60...160 {
      let comparison = try SampleReport.comparison(rich: (900, successes), text: (1_000, 120))
      let interval = try #require(comparison.differenceInterval)
      let uplift = try #require(comparison.upliftInterval)
      let excludesZero = interval.lower > 0 || interval.upper < 0
      #expect(excludesZero == (comparison.verdict != .noDifferenceShown), "\(successes)")
      #expect((uplift.lower > 0) == (interval.lower > 0), "\(successes)")
      #expect((uplift.upper < 0) == (interval.upper < 0), "\(successes)")
    }
  }

  @Test func below100DeliveredThereIsNone() throws {
    for (rich, text) in [((99, 50), (1_000, 20)), ((1_000, 20), (99, 50)), ((1, 0), (1_000, 300))] {
      let comparison = try SampleReport.comparison(rich: rich, text: text)
      #expect(comparison.verdict.words == "too few")
      #expect(comparison.verdict.reason?.contains("100 needed") == true)
      #expect(comparison.isComparable)
    }
    #expect(try SampleReport.comparison(rich: (100, 50), text: (1_000, 20)).verdict == .richIsHigher)
  }

  @Test func below5EventsToExpectThereIsNone() throws {
    // 49 of 1,000 were active: 4.9 of 100. With one more there are 5 to expect.
    let few = try SampleReport.comparison(rich: (100, 20), text: (900, 29))
    #expect(few.verdict.words == "too few")
    #expect(few.verdict.reason == "4.9 events to expect among rich, 5 needed")
    #expect(try SampleReport.comparison(rich: (100, 20), text: (900, 30)).verdict == .richIsHigher)
    let other = try SampleReport.comparison(rich: (900, 29), text: (100, 20))
    #expect(other.verdict.reason == "4.9 events to expect among text-only, 5 needed")
  }

  @Test func interactionsWithoutAnyDeliveryAreNotComparable() throws {
    let comparison = try SampleReport.comparison(rich: (0, 0), text: (0, 0), orphans: 25)
    #expect(comparison.verdict.words == "not comparable")
    #expect(comparison.verdict.reason?.contains("25") == true)
    #expect(comparison.rich.rate == nil)
    #expect(comparison.difference == nil)
  }

  @Test func textOnlyOnesThatAreNeverSeenAreNotComparable() throws {
    let comparison = try SampleReport.comparison(rich: (100, 20), text: (0, 0), orphans: 30)
    #expect(comparison.verdict.words == "not comparable")
    #expect(comparison.verdict.reason?.contains("mutable-content") == true)
    #expect(!comparison.isComparable)
    #expect(comparison.uplift == nil)
  }

  @Test func orphansThatCouldMakeUpTheDifferenceAreNotComparable() throws {
    let many = try SampleReport.comparison(rich: (1_000, 150), text: (1_000, 100), orphans: 28)
    #expect(many.verdict.words == "not comparable")
    let tolerable = try SampleReport.comparison(rich: (1_000, 150), text: (1_000, 100), orphans: 27)
    #expect(tolerable.verdict == .richIsHigher)
    // So few prove nothing.
    let negligible = try SampleReport.comparison(rich: (1_000, 12), text: (1_000, 13), orphans: 4)
    #expect(negligible.verdict == .noDifferenceShown)
  }

  /// What was only dismissed is no interaction, on either side of the share.
  @Test func dismissalsWithoutADeliveryForbidNothing() throws {
    let comparison = try SampleReport.comparison(rich: (1_000, 150), text: (1_000, 100), orphans: 4) {
      $0.dismissedOrphans = 500
    }
    #expect(comparison.verdict == .richIsHigher)
    var sample = SampleReport()
    sample.add("news", rich: (1_000, 150), text: (1_000, 100), orphans: 4) { $0.dismissedOrphans = 500 }
    let report = try sample.report()
    #expect(report.table.contains("500 dismissed, but never reported as delivered: not counted"))
    #expect(String(decoding: report.json, as: UTF8.self).contains(#""orphansDismissed" : 500"#))
    let quality = String(decoding: try sample.page().qualityCSV, as: UTF8.self)
    #expect(
      quality.contains(",orphan,,4,254\r\n") && quality.contains(",orphan_dismissed,,500,\r\n"), "\(quality)")
  }

  /// "Not measurable, and never 0".
  @Test(arguments: [Metric.expansion, .dismissal])
  func whatNobodyCanReportIsNotPrintedAsNone(_ metric: Metric) throws {
    var sample = SampleReport(metric)
    sample.add("news", rich: (1_000, 0), text: (1_000, 0)) {
      $0.reportsExpansion = false
      $0.reportsDismissal = false
    }
    let report = try sample.report()
    #expect(report.categories[0].rich.rate == nil && report.categories[0].rich.events == nil)
    #expect(!report.table.contains("0.00 %") && !report.table.contains(" 0 "), "\(report.table)")
    let rows = try readCSV(report.csv)
    for column in ["rich_events", "rich_rate", "rich_rate_upper", "text_events", "text_rate"] {
      let place = try #require(rows[0].firstIndex(of: column))
      #expect(rows.dropFirst().allSatisfy { $0[place] == "" }, "\(column)")
    }
    let json = String(decoding: report.json, as: UTF8.self)
    #expect(json.contains(#""events" : null"#) && !json.contains(#""events" : 0"#))
    let page = try sample.page()
    #expect(page.trendTable().contains("\n\nNot measurable: no ") && !page.trendTable().contains("0.00 %"))
    #expect(String(decoding: page.html, as: UTF8.self).contains("<p class=\"empty\">Not measurable: no "))
    // Shares of what falls back are told although nothing is compared.
    var fallback = SampleReport(.fallback)
    fallback.add("news", rich: (1_000, 30), text: (0, 0))
    #expect(try fallback.report().categories[0].rich.rate == 0.03)
  }

  /// Twenty orphans among five thousand that interacted are few, however rare the metric is.
  @Test func orphansAreWeighedAgainstAllInteractions() throws {
    let replies = try SampleReport.comparison(.reply, rich: (10_000, 60), text: (10_000, 20), orphans: 20) {
      $0.rich = ArmFacts(devices: 100, interacting: 3_000)
      $0.text = ArmFacts(devices: 100, interacting: 2_000)
    }
    #expect(replies.verdict == .richIsHigher)
  }

  @Test func whatTheCategoryDoesNotReportIsNotMeasurable() throws {
    let expansion = try SampleReport.comparison(.expansion, rich: (1_000, 0), text: (1_000, 0)) {
      $0.reportsExpansion = false
    }
    #expect(expansion.verdict.words == "not measurable")
    #expect(!expansion.isComparable)
    let dismissal = try SampleReport.comparison(.dismissal, rich: (1_000, 0), text: (1_000, 0)) {
      $0.reportsDismissal = false
    }
    #expect(dismissal.verdict.words == "not measurable")
    let fallback = try SampleReport.comparison(.fallback, rich: (1_000, 60), text: (0, 0))
    #expect(fallback.verdict.words == "not measurable")
    let measured = try SampleReport.comparison(.dismissal, rich: (1_000, 300), text: (1_000, 200))
    #expect(measured.verdict == .richIsHigher)
  }

  @Test func oneUserWhoDidNothingIsZeroPercentOfOne() throws {
    let comparison = try SampleReport.comparison(rich: (1, 0), text: (0, 0))
    #expect(comparison.rich.rate == 0)
    #expect(comparison.rich.counts.trials == 1)
    let interval = try #require(comparison.rich.interval)
    #expect(interval.lower == 0)
    #expect(interval.upper > 0.75)
    #expect(comparison.verdict.words == "too few")
  }

  @Test func noneAgainstNoneAndAllAgainstAllShowNoDifference() throws {
    let none = try SampleReport.comparison(rich: (1_000, 0), text: (1_000, 0))
    #expect(none.verdict.words == "too few")
    #expect(none.uplift == nil)
    #expect(none.upliftInterval?.upper == .infinity)
    #expect(none.difference == 0)
    #expect(none.differenceInterval?.upper.isFinite == true)
    let all = try SampleReport.comparison(rich: (1_000, 1_000), text: (1_000, 1_000))
    #expect(all.verdict == .noDifferenceShown)
    #expect(all.uplift == 0)
    #expect(all.pValue == 1)
  }

  @Test func anUpliftOverNothingHasNoUpperLimit() throws {
    let comparison = try SampleReport.comparison(rich: (1_000, 50), text: (1_000, 0))
    #expect(comparison.verdict == .richIsHigher)
    #expect(comparison.uplift == nil)
    #expect(comparison.upliftInterval?.upper == .infinity)
    #expect((comparison.upliftInterval?.lower ?? 0) > 0)
  }
}
