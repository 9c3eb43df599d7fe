import Projections
import Reports
import Statistics
import Testing

/// What is said of all categories together, and of one out of many.
struct PooledTests {
  @Test func whatCannotBeMeasuredIsInNeitherSum() throws {
    var sample = SampleReport(.expansion)
    sample.add("news", rich: (1_000, 150), text: (1_000, 100))
    sample.add("chat", rich: (5_000, 0), text: (200, 0)) { $0.reportsExpansion = false }
    let report = try sample.report()
    #expect(report.pooled.leftOut == ["chat"])
    #expect(report.crude.rich.counts.trials == 1_000)
    let crude = try #require(report.crude.uplift)
    let simpson = try #require(report.pooled.simpson)
    #expect(abs(crude - (simpson.crudeRatio - 1)) < 1e-12)
    #expect(!simpson.disagrees)
  }

  private func pooled(rich: (Int, Int), text: (Int, Int)) throws -> RateReport {
    var sample = SampleReport()
    sample.isSpread = true
    sample.add("news", rich: rich, text: text)
    return try sample.report()
  }

  /// Where an arm has next to no event there is no ratio, and the difference decides as it does within the category.
  @Test(arguments: [(50, 0), (0, 50), (50, 1), (1, 50), (1_000, 0), (0, 1_000), (1_000, 950)])
  func withoutARatioTheDifferenceDecides(rich: Int, text: Int) throws {
    let report = try pooled(rich: (1_000, rich), text: (1_000, text))
    #expect(report.pooled.verdict == (rich > text ? .richIsHigher : .textIsHigher))
    #expect(report.pooled.verdict == report.categories[0].verdict)
    #expect(try #require(report.pooled.pValue) < 1e-4)
    // The test of the counts, which is that of the crude row, is for where no bucket differs.
    let isMeasured = !(min(rich, text) == 0 && max(rich, text) == 1_000)
    #expect((report.pooled.pValue != report.crude.pValue) == isMeasured)
    #expect((report.pooled.differenceInterval != nil) == isMeasured)
    if let interval = report.pooled.differenceInterval { #expect(interval.lower > 0 || interval.upper < 0) }
    #expect(report.headline.contains("\(rich > text ? "rich" : "text") is higher"), "\(report.headline)")
    #expect(!report.answer.hasPrefix("No"), "\(report.answer)")
  }

  @Test func withoutARatioTheAnswerIsInPoints() throws {
    let more = try pooled(rich: (1_000, 50), text: (1_000, 0))
    #expect(
      more.headline.wholeMatch(
        of:
          /Rich notifications get 5\.00 points more interactions than text-only ones \(\+3\.\d\d to \+6\.\d\d points\), all categories together: rich is higher\./
      ) != nil, "\(more.headline)")
    #expect(
      more.answer.hasPrefix(
        "Rich notifications get more interactions than text-only: by +5.00 percentage points (+3."))
    let fewer = try pooled(rich: (1_000, 0), text: (1_000, 50))
    #expect(fewer.headline.contains("get 100.0 % fewer") || fewer.headline.contains("get 5.00 points fewer"))
    let one = try #require(try more.narrowed(to: "news", level: .ninetyFive))
    #expect(!one.headline.hasPrefix("No answer"))
  }

  @Test func whereNothingVariesThereIsNoTest() throws {
    let report = try pooled(rich: (1_000, 1_000), text: (1_000, 1_000))
    #expect(
      report.pooled.verdict
        == .tooFew(reason: "nothing varies among the notifications, so that no test can be had"))
    #expect(report.headline.hasPrefix("No answer yet: nothing varies"))
  }

  @Test func theWarningTellsTheSumThatIsPrinted() throws {
    var sample = SampleReport()
    sample.add("news", rich: (1_000, 100), text: (1_000, 100))
    sample.add("chat", rich: (4_000, 1_600), text: (500, 200))
    // One arm only: in the plain sum, and in no comparison.
    sample.add("promo", rich: (0, 0), text: (3_000, 30))
    let report = try sample.report()
    let simpson = try #require(report.pooled.simpson)
    #expect(simpson.disagrees)
    #expect(abs(try #require(report.crude.uplift) - (simpson.crudeRatio - 1)) < 1e-12)
  }

  @Test func theArmThatIsMissingIsNamed() throws {
    var sample = SampleReport()
    sample.add("news", rich: (300, 40), text: (0, 0))
    #expect(try sample.report().headline == "No answer yet: 0 text-only delivered, 100 needed.")
    sample.add("chat", rich: (0, 0), text: (300, 40))
    #expect(try sample.report().headline == "No answer yet: no category has both arms.")
  }

  @Test func anActionThatNobodyOfferedCannotBeMeasured() throws {
    var sample = SampleReport(.customAction("nope"))
    sample.add("news", rich: (0, 0), text: (0, 0), orphans: 9)
    sample.add("chat", rich: (0, 0), text: (0, 0))
    let report = try sample.report()
    #expect(report.categories.allSatisfy { $0.verdict.words == "not measurable" })
    #expect(report.headline == "No answer: no notification delivered offered the action nope.")
    #expect(report.pooled.leftOut == ["chat", "news"])
  }

  @Test func oneCategoryIsJudgedAsAMemberOfItsFamily() throws {
    var sample = SampleReport()
    for (index, name) in ["a", "b", "c", "d", "e"].enumerated() {
      sample.add(name, rich: (1_000, index == 0 ? 130 : 100), text: (1_000, 100))
    }
    let report = try sample.report()
    let whole = report.categories[0]
    let pValue = try #require(whole.pValue)
    #expect(pValue < 0.05 && whole.verdict == .noDifferenceShown)
    let one = try #require(try report.narrowed(to: "a", level: .ninetyFive))
    #expect(one.categories == [whole])
    #expect(one.familySize == 5)
    #expect(one.crude.rich.counts.trials == 1_000)
    // The sums of one category are that category: neither they nor the answer say more than it.
    #expect(one.pooled.verdict == .noDifferenceShown && one.crude.verdict == .noDifferenceShown)
    #expect(one.headline.contains("in the category a alone: no difference shown"))
    #expect(one.answer.hasPrefix("No difference is shown"))
    #expect(one.table.contains("over 5 categories"))
    #expect(try report.narrowed(to: "z", level: .ninetyFive) == nil)
  }

  @Test func theAlwaysValidIntervalIsNeverNarrowerThanThatOfIndependentNotifications() throws {
    // Perfectly even buckets: measured between them, the variance is next to nothing.
    let cells = (0..<128).flatMap { bucket in
      [
        RateCell(category: "news", isRich: false, bucket: bucket, units: 40, successes: 4),
        RateCell(
          category: "news", isRich: true, bucket: bucket, units: 40, successes: bucket % 2 == 0 ? 5 : 4),
      ]
    }
    var facts = CategoryFacts()
    facts.rich = ArmFacts(units: 5_120, devices: 5_000)
    facts.text = ArmFacts(units: 5_120, devices: 5_000)
    let comparison = try Comparison(
      .crude, cells: cells, facts: facts, metric: .interaction, level: .ninetyFive)
    #expect(comparison.designEffect == 1)
    let always = try #require(comparison.alwaysValidUplift)
    let fixed = try #require(comparison.upliftInterval)
    #expect(always.lower < fixed.lower && always.upper > fixed.upper)
  }

  @Test func whatTakesNoPartIsNamedAndCounted() throws {
    var sample = SampleReport()
    sample.isSpread = true
    sample.add("news", rich: (1_000, 130), text: (1_000, 100))
    sample.add("chat", rich: (400, 40), text: (0, 0))
    let report = try sample.report()
    #expect(report.pooled.oneArmed == ["chat"])
    #expect(report.headline.contains(", 1 of 2 categories together: "))
    #expect(report.table.contains("left out, as only one arm was delivered: chat\n"))
  }

  @Test func aDifferenceOfRatesEndsAtAHundredPoints() throws {
    var sample = SampleReport()
    sample.isSpread = true
    sample.add("news", rich: (5, 1), text: (4, 2))
    let interval = try #require(try sample.report().pooled.differenceInterval)
    #expect(interval.lower >= -1 && interval.upper <= 1)
  }

  @Test func windowsStillOpenAreTheReasonWhereNothingCountsYet() throws {
    var sample = SampleReport()
    sample.add("news", rich: (0, 0), text: (0, 0)) { $0.rich = ArmFacts(immature: 40) }
    let headline = try sample.report().headline
    #expect(headline == "No answer yet: 40 delivered, whose windows are all still open.")
  }

  @Test func tooFewHasNoFigures() throws {
    var sample = SampleReport()
    sample.add("news", rich: (40, 9), text: (40, 1))
    let table = try sample.report().table
    #expect(table.contains("→ too few: 40 rich delivered, 100 needed\n"))
  }
}
