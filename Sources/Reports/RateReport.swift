package import Projections
package import Statistics

/// A comparison for each category and one over all of them, ready to be rendered.
package struct RateReport: Sendable, Hashable {
  package let result: RateResult
  package let confidence: Double
  /// By category, in the order of their bytes.
  package let categories: [Comparison]
  /// All categories added up.
  package let total: Comparison

  package init(_ result: RateResult, level: ConfidenceLevel = .ninetyFive) throws(StatisticsError) {
    self.result = result
    confidence = level.value
    let metric = result.query.metric
    let cells = Dictionary(grouping: result.cells, by: \.category)
    let names = Set(cells.keys).union(result.facts.keys)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var categories: [Comparison] = []
    for name in names {
      categories.append(
        try Comparison(
          .category(name), cells: cells[name] ?? [], facts: result.facts[name] ?? CategoryFacts(),
          metric: metric,
          level: level))
    }
    self.categories = categories
    total = try Comparison(
      .allCategories, cells: result.cells, facts: result.total, metric: metric, level: level)
  }
}
