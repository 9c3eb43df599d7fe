internal import EngagementEvents
internal import ForeignEvents
package import Projections
package import Statistics

/// A comparison for each category and over all of them, ready to be rendered.
package struct RateReport: Sendable, Hashable {
  package let result: RateResult
  package let confidence: Double
  /// By category, in the order of their bytes.
  package private(set) var categories: [Comparison]
  /// All categories together, each compared within itself: the answer.
  package private(set) var pooled: PooledComparison
  /// All categories added up: what a plain average would say.
  package private(set) var crude: Comparison
  /// Whether arms were drawn at random.
  package let assignment: Assignment
  /// How many p-values were adjusted together.
  package private(set) var familySize: Int

  /// - Parameters:
  ///   - split: the shares of devices that an experiment means to have in the rich and the text-only arm; only their
  ///     ratio counts.
  package init(
    _ result: RateResult, level: ConfidenceLevel = .ninetyFive, split: (rich: Double, text: Double) = (1, 1)
  ) throws(StatisticsError) {
    self.result = result
    confidence = level.value
    let metric = result.query.metric
    let cells = Dictionary(grouping: result.cells) { ExactText($0.category) }
    let names = Set(cells.keys).union(result.facts.keys).sorted()
    var comparisons: [Comparison] = []
    for name in names {
      comparisons.append(
        try Comparison(
          .category(name.string), cells: cells[name] ?? [], facts: result.facts[name] ?? CategoryFacts(),
          metric: metric,
          level: level))
    }
    (categories, familySize) = try Self.adjusted(comparisons, level)
    // What cannot be measured or compared takes no part in either sum; where nothing can, the sum says why.
    let comparable = Set(categories.filter(\.isComparable).map(\.scope))
    let summed = result.cells.filter { comparable.isEmpty || comparable.contains(.category($0.category)) }
    var total = result.total
    if !comparable.isEmpty {
      // Only of what is summed.
      total.limits = categories.filter(\.isComparable).reduce(into: SourceLimits()) {
        $0.formUnion($1.facts.limits)
      }
    }
    crude = try Comparison(.crude, cells: summed, facts: total, metric: metric, level: level)
    pooled = try PooledComparison(
      categories, cells: cells, crude: try BucketedArms(summed).total(),
      total: result.total, nothing: Verdict.ofNothing(metric, result.total), level: level)
    assignment = try Assignment(result.total, split: split, sample: result.deviceSample)
  }

  /// Categories that the sums leave out, since their arms cannot be compared or nobody can tell of the metric's event; none
  /// where that is so of all.
  ///
  /// - Parameter result: of all categories.
  package static func omitted(from result: RateResult) throws(StatisticsError) -> [String] {
    let cells = Dictionary(grouping: result.cells) { ExactText($0.category) }
    var omitted: [String] = []
    for (name, facts) in result.facts {
      let pair = try BucketedArms(cells[name] ?? []).total()
      let obstacle = Verdict.obstacleToComparing(pair, facts, result.query.metric)
      if obstacle != nil { omitted.append(name.string) }
    }
    return omitted.count == result.facts.count ? [] : omitted
  }

  /// Likewise, of this report.
  var omitted: Set<ExactText> {
    categories.contains(where: \.isComparable) ? Set(pooled.leftOut.map { ExactText($0) }) : []
  }

  /// The report of one category, whose p-value stays adjusted over all of them: whoever looks at one after the other looks
  /// at a family.
  ///
  /// - Returns: nil where there is no such category.
  package func narrowed(
    to category: String, details: RateDetails? = nil, level: ConfidenceLevel,
    split: (rich: Double, text: Double) = (1, 1)
  ) throws(StatisticsError) -> RateReport? {
    guard let judged = categories.first(where: { $0.scope == .category(category) }) else { return nil }
    var result = result.narrowed(to: category)
    result.details = details
    var report = try RateReport(result, level: level, split: split)
    report.categories = [judged]
    // Its sums are itself, and say no more than it does.
    report.pooled = report.pooled.judged(judged.verdict)
    report.crude = report.crude.judged(judged.verdict)
    report.familySize = familySize
    return report
  }

  /// The verdicts by p-values adjusted over those categories that have one.
  private static func adjusted(
    _ comparisons: [Comparison], _ level: ConfidenceLevel
  ) throws(StatisticsError) -> ([Comparison], Int) {
    let family = comparisons.indices.filter {
      comparisons[$0].verdict.reason == nil && comparisons[$0].pValue != nil
    }
    let values = try PValueFamily(family.compactMap { comparisons[$0].pValue }).benjaminiHochberg()
    var adjusted = comparisons
    for (index, value) in zip(family, values) {
      adjusted[index] = comparisons[index].judged(adjustedPValue: value, level: level)
    }
    return (adjusted, family.count)
  }
}
