package import Statistics
internal import Projections

/// Rich against text-only from four counts, by the reports' methods and beside them the literature's other ones.
package struct DirectComparison: Sendable, Hashable {
  /// An interval and the method that made it.
  package struct MethodInterval: Sendable, Hashable {
    /// The method's name as people write it.
    package let method: String
    /// Nil where the counts give none; see ``DirectComparison/whyNone(_:)``.
    package let interval: ConfidenceInterval?
  }

  /// A test of "no difference".
  package struct MethodTest: Sendable, Hashable {
    package let method: String
    /// Two-sided; nil where `reason` says why.
    package let pValue: Double?
    package let reason: String?
  }

  /// The counts as given, rich and text-only: events of units delivered.
  package let counts: TwoProportions
  /// What the variance of everything is multiplied by, at least 1; 1 takes units as independent.
  package let designEffect: Double
  package let confidence: Double
  /// The reports' own method comes first in each list.
  package let richIntervals: [MethodInterval]
  package let textIntervals: [MethodInterval]
  /// Rich rate − text rate; nil where an arm is empty.
  package let difference: Double?
  package let differenceIntervals: [MethodInterval]
  /// Rich rate / text rate − 1; nil where an arm is empty or the text-only rate is 0.
  package let uplift: Double?
  package let upliftIntervals: [MethodInterval]
  package let tests: [MethodTest]
  package let verdict: Verdict

  package var claim: Claim { Claim(upliftIntervals.first?.interval, verdict) }

  /// Above so many units in both arms together an exact test takes too long to wait for.
  private static let exactTestLimit = 2e9

  /// - Parameter designEffect: at least 1.
  /// - Throws: `parameterOutOfRange` for another design effect, `countOutOfRange` if the counts vanish under it.
  package init(
    _ counts: TwoProportions, designEffect: Double = 1, level: ConfidenceLevel = .ninetyFive
  ) throws(StatisticsError) {
    guard designEffect >= 1 else {
      throw StatisticsError(.parameterOutOfRange, "design effect is \(designEffect); give a number from 1")
    }
    let pair = try counts.effective(designEffect: designEffect)
    self.counts = counts
    self.designEffect = designEffect
    confidence = level.value
    richIntervals = try Self.rateIntervals(pair.rich, level)
    textIntervals = try Self.rateIntervals(pair.text, level)
    difference = counts.difference
    differenceIntervals = [
      MethodInterval(method: "Miettinen–Nurminen", interval: pair.miettinenNurminenDifference(level)),
      MethodInterval(method: "Newcombe", interval: pair.newcombeDifference(level)),
      MethodInterval(method: "Mee", interval: pair.meeDifference(level)),
      MethodInterval(method: "Agresti–Caffo", interval: pair.agrestiCaffoDifference(level)),
    ]
    uplift = counts.relativeUplift(level)?.value
    upliftIntervals = [
      MethodInterval(method: "Miettinen–Nurminen", interval: pair.relativeUplift(level)?.interval),
      MethodInterval(method: "Koopman", interval: Self.lessOne(pair.koopmanRatio(level))),
      MethodInterval(method: "Katz", interval: Self.lessOne(pair.katzRatio(level))),
      MethodInterval(method: "adjusted log", interval: Self.lessOne(pair.adjustedLogRatio(level))),
      MethodInterval(method: "MOVER-R", interval: Self.lessOne(pair.moverRatio(level))),
    ]
    let pValue = pair.nMinusOneChiSquareTest()?.p
    tests =
      [
        MethodTest(
          method: "N−1 chi-square", pValue: pValue,
          reason: pValue != nil
            ? nil : counts.hasEmptyArm ? "an arm is empty" : "too little is left of the counts")
      ] + (try Self.exactTests(counts, designEffect))
    verdict =
      Verdict.obstacle(counts, CategoryFacts(), .interaction)
      ?? Verdict(difference: counts.difference, pValue: pValue, level: level)
  }

  private static func rateIntervals(
    _ arm: Proportion, _ level: ConfidenceLevel
  ) throws(StatisticsError) -> [MethodInterval] {
    [
      MethodInterval(method: "Wilson", interval: arm.wilsonInterval(level)),
      MethodInterval(method: "Clopper–Pearson", interval: try arm.clopperPearsonInterval(level)),
      MethodInterval(method: "Jeffreys", interval: try arm.jeffreysInterval(level)),
      MethodInterval(method: "Agresti–Coull", interval: arm.agrestiCoullInterval(level)),
    ]
  }

  private static func lessOne(_ ratio: ConfidenceInterval?) -> ConfidenceInterval? {
    ratio.map {
      ConfidenceInterval(lower: $0.lower - 1, upper: $0.upper - 1, confidence: $0.confidence)
    }
  }

  private static func exactTests(
    _ counts: TwoProportions, _ designEffect: Double
  ) throws(StatisticsError) -> [MethodTest] {
    var reason: String?
    if counts.hasEmptyArm {
      reason = "an arm is empty"
    } else if designEffect > 1 {
      reason = "an exact test needs whole counts, which a design effect leaves none of"
    } else if counts.pooled.trials > exactTestLimit {
      reason = "the table is too large for an exact test"
    }
    let test = reason == nil ? try counts.fisherExactTest() : nil
    return [
      MethodTest(method: "Fisher", pValue: test?.p, reason: reason),
      MethodTest(method: "Fisher mid-p", pValue: test?.midP, reason: reason),
    ]
  }
}

extension DirectComparison {
  /// Why an uplift or an interval is missing or has no upper limit; nil where nothing is.
  func whyNone(_ value: Double?, _ interval: ConfidenceInterval?) -> String? {
    guard let interval else {
      if counts.hasEmptyArm { return "an arm is empty" }
      let hasEvents = counts.rich.successes > 0 && counts.text.successes > 0
      return hasEvents ? "too little is left of the counts" : "there is none without events in both arms"
    }
    var reasons: [String] = []
    if value == nil { reasons.append("undefined, as the text-only rate is 0") }
    if !interval.upper.isFinite { reasons.append("no upper limit, as the text-only rate could be 0") }
    return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }
}
