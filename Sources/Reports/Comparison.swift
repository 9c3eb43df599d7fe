package import Projections
package import Statistics

/// Rich against text-only: one category, or several together.
package struct Comparison: Sendable, Hashable {
  /// What is compared.
  package enum Scope: Sendable, Hashable {
    /// The notifications of a category; the empty string is that of notifications without one.
    case category(String)
    /// All categories added up, as if they were one: what a plain average would say.
    case allCategories
  }

  /// One arm.
  package struct Arm: Sendable, Hashable {
    /// Units counted, and those of them with the metric's event.
    package let counts: Proportion
    package let facts: ArmFacts
    /// Wilson's interval of the rate; nil without units.
    package let interval: ConfidenceInterval?

    /// 0 to 1; nil without units.
    package var rate: Double? { counts.rate }
  }

  package let scope: Scope
  package let rich: Arm
  package let text: Arm
  /// Units with interactions and no delivery: in no arm, since only a delivery tells it.
  package let orphans: Int
  /// Events whose time cannot be believed.
  package let implausible: Int
  /// Rich rate − text rate, −1 to 1, with Miettinen and Nurminen's interval; nil where an arm is empty.
  package let difference: Double?
  package let differenceInterval: ConfidenceInterval?
  /// Rich rate / text rate − 1; nil where an arm is empty or the text rate is 0. The interval is nil where an arm is
  /// empty; its upper limit is infinite where the text rate could be 0.
  package let uplift: Double?
  package let upliftInterval: ConfidenceInterval?
  /// Two-sided, of the N − 1 chi-square test; nil where an arm is empty.
  package let pValue: Double?
  package let verdict: Verdict
}

extension Comparison {
  /// - Parameters:
  ///   - cells: the scope's cells alone.
  ///   - facts: the facts of the scope.
  init(
    _ scope: Scope, cells: some Sequence<RateCell>, facts: CategoryFacts, metric: Metric,
    level: ConfidenceLevel
  ) throws(StatisticsError) {
    var totals: [Bool: (units: Int64, successes: Int64)] = [:]
    for cell in cells {
      totals[cell.isRich, default: (0, 0)].units += Int64(cell.units)
      totals[cell.isRich, default: (0, 0)].successes += Int64(cell.successes)
    }
    func arm(_ isRich: Bool, _ facts: ArmFacts) throws(StatisticsError) -> Arm {
      let total = totals[isRich] ?? (0, 0)
      let counts = try Proportion(successes: total.successes, trials: total.units)
      return Arm(counts: counts, facts: facts, interval: counts.wilsonInterval(level))
    }
    let rich = try arm(true, facts.rich)
    let text = try arm(false, facts.text)
    let pair = TwoProportions(rich: rich.counts, text: text.counts)
    let ratio = pair.hasEmptyArm ? nil : pair.miettinenNurminenRatio(level)
    self.scope = scope
    self.rich = rich
    self.text = text
    orphans = facts.orphans
    implausible = facts.implausible
    difference = pair.difference
    differenceInterval = pair.miettinenNurminenDifference(level)
    uplift = text.counts.successes > 0 ? pair.ratio.map { $0 - 1 } : nil
    upliftInterval = ratio.map {
      ConfidenceInterval(lower: $0.lower - 1, upper: $0.upper - 1, confidence: $0.confidence)
    }
    pValue = pair.nMinusOneChiSquareTest()?.p
    verdict = Verdict(pair, pValue: pValue, facts: facts, metric: metric, level: level)
  }
}
