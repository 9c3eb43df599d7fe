internal import Projections
internal import Statistics

extension RateReport {
  /// A line for each category: both rates, the uplift and the verdict.
  package var briefTable: TextTable {
    var table = TextTable([
      ("category", .left), ("delivered", .right), ("rich", .right), ("text", .right), ("uplift", .right),
      ("\(Format.confidence(confidence)) interval", .left), ("verdict", .left),
    ])
    for comparison in categories {
      let isShown = comparison.isComparable
      table.append([
        comparison.scope.name, Format.count(comparison.rich.counts.trials + comparison.text.counts.trials),
        comparison.rich.rate.map { Format.percent($0, digits: 2) } ?? "–",
        comparison.text.rate.map { Format.percent($0, digits: 2) } ?? "–",
        isShown ? comparison.uplift.map { Format.signedPercent($0) } ?? "–" : "–",
        isShown ? comparison.upliftInterval.map(range) ?? "–" : "–", comparison.verdict.words,
      ])
    }
    return table
  }
}
