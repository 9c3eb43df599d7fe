import Foundation
import Reports
import Statistics
import Testing

@Suite struct DirectComparisonTests {
  private func comparison(
    _ rich: (Int, Int), _ text: (Int, Int), designEffect: Double = 1, level: ConfidenceLevel = .ninetyFive
  ) throws -> DirectComparison {
    try DirectComparison(
      TwoProportions(
        rich: try Proportion(successes: rich.0, trials: rich.1),
        text: try Proportion(successes: text.0, trials: text.1)), designEffect: designEffect, level: level)
  }

  @Test func theTableNamesEveryMethod() throws {
    let table = try comparison((42, 500), (31, 500)).table
    #expect(
      table == """
        Rich: 42 of 500. Text-only: 31 of 500.

                              estimate  method              95 % interval
        rich rate               8.40 %  Wilson              6.27 % to 11.16 %
                                        Clopper–Pearson     6.12 % to 11.18 %
                                        Jeffreys            6.21 % to 11.07 %
                                        Agresti–Coull       6.25 % to 11.18 %
        text-only rate          6.20 %  Wilson              4.40 % to 8.67 %
                                        Clopper–Pearson     4.25 % to 8.69 %
                                        Jeffreys            4.33 % to 8.57 %
                                        Agresti–Coull       4.38 % to 8.69 %
        difference, points       +2.20  Miettinen–Nurminen  −1.05 to +5.52
                                        Newcombe            −1.06 to +5.49
                                        Mee                 −1.05 to +5.51
                                        Agresti–Caffo       −1.06 to +5.44
        uplift                 +35.5 %  Miettinen–Nurminen  −13.0 % to +111.3 %
                                        Koopman             −13.0 % to +111.3 %
                                        Katz                −13.4 % to +111.9 %
                                        adjusted log        −13.4 % to +110.3 %
                                        MOVER-R             −13.2 % to +111.2 %
        no difference       p = 0.1814  N−1 chi-square
                            p = 0.2239  Fisher
                            p = 0.2040  Fisher mid-p

        → no difference shown; the interval overlaps the 30–40 % often claimed.
        Notifications are taken as independent; where devices get several, say by how much that is wrong: --design-effect.
        The first method of each is what reports use. Valid for one look, and for the arms as they came about: unless
        they were drawn at random, a difference may come from what made senders choose rich ones.

        """)
  }

  /// The report on the same counts, each on a device of its own in a bucket of its own, has the same figures.
  @Test func theVerdictIsThatOfTheReports() throws {
    for (rich, text) in [
      ((420, 5_000), (310, 5_000)), ((12, 99), (31, 500)), ((40, 500), (41, 500)), ((1, 200), (3, 200)),
    ] {
      let direct = try comparison(rich, text)
      let report = try SampleReport.comparison(rich: (rich.1, rich.0), text: (text.1, text.0))
      #expect(direct.verdict == report.verdict)
      #expect(direct.difference == report.difference)
      #expect(direct.uplift == report.uplift)
    }
  }

  @Test func aDesignEffectWidensEverything() throws {
    let plain = try comparison((420, 5_000), (310, 5_000))
    let wide = try comparison((420, 5_000), (310, 5_000), designEffect: 2)
    #expect(wide.uplift == plain.uplift)
    func width(_ interval: ConfidenceInterval?) -> Double { interval.map { $0.upper - $0.lower } ?? 0 }
    for (wide, plain) in zip(
      wide.richIntervals + wide.differenceIntervals + wide.upliftIntervals,
      plain.richIntervals + plain.differenceIntervals + plain.upliftIntervals)
    {
      #expect(width(wide.interval) > 1.35 * width(plain.interval), "\(wide.method)")
      #expect(width(wide.interval) < 1.55 * width(plain.interval), "\(wide.method)")
    }
    #expect(wide.tests[1].pValue == nil)
    #expect(wide.table.contains("an exact test needs whole counts"))
    #expect(throws: StatisticsError.self) { try comparison((1, 2), (1, 2), designEffect: 0.9) }
    #expect(throws: StatisticsError.self) { try comparison((1, 2), (1, 2), designEffect: .nan) }
  }

  /// Corners: what is undefined or unlimited is said in words, and null with a reason in JSON.
  @Test(arguments: [
    [0, 0, 0, 0], [0, 0, 3, 10], [3, 10, 0, 0], [0, 1, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1], [0, 200, 0, 300],
    [200, 200, 300, 300], [5, 200, 0, 300], [0, 200, 7, 300], [200, 200, 0, 300],
    [0, 1_000_000_000, 1, 1_000_000_000],
  ])
  func noCornerGivesANumberThatIsNone(counts: [Int]) throws {
    for designEffect in [1, 1_000.0] {
      let comparison = try comparison(
        (counts[0], counts[1]), (counts[2], counts[3]), designEffect: designEffect)
      for word in ["nan", "inf", "NaN", "Infinity"] {
        #expect(!comparison.table.contains(word))
        #expect(!String(decoding: comparison.json, as: UTF8.self).contains(word))
      }
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(comparison.json)) as? [String: Any])
      for name in ["difference", "uplift"] {
        let estimate = try #require(json[name] as? [String: Any])
        for interval in try #require(estimate["intervals"] as? [[String: Any]]) {
          let isWhole = interval["lower"] is Double && interval["upper"] is Double
          let isKnown = estimate["value"] is Double
          #expect((interval["reason"] is String) == !(isWhole && isKnown), "\(name): \(interval)")
          #expect(interval.count == 4)
        }
      }
    }
  }

  @Test func noTextInteractionLeavesTheUpliftWithoutUpperLimit() throws {
    let comparison = try comparison((25, 200), (0, 300))
    #expect(comparison.uplift == nil)
    #expect(comparison.table.contains("undefined  Miettinen–Nurminen"))
    #expect(comparison.table.contains("to no upper limit"))
    #expect(comparison.table.contains("Katz                there is none without events in both arms"))
    #expect(comparison.verdict == .richIsHigher)
  }

  @Test func theClaimIsJudgedByTheFirstInterval() throws {
    #expect(try comparison((420, 5_000), (310, 5_000)).claim == .overlaps)
    #expect(try comparison((13_500, 100_000), (10_000, 100_000)).claim == .inside)
    #expect(try comparison((20_000, 100_000), (10_000, 100_000)).claim == .above)
    #expect(try comparison((10_000, 100_000), (10_000, 100_000)).claim == .below)
    #expect(try comparison((4, 50), (3, 50)).claim == .tooLittleData)
  }

  @Test func anUnusualConfidenceIsNotRounded() {
    #expect(Format.confidence(0.95) == "95 %")
    #expect(Format.confidence(0.999) == "99.9 %")
    #expect(Format.confidence(0.9999) == "99.99 %")
    #expect(Format.confidence(0.5) == "50 %")
  }
}
