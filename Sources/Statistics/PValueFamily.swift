/// The p-values of tests that are read together, in the caller's order.
package struct PValueFamily: Sendable, Hashable {
  package let values: [Double]

  /// - Throws: `notFinite` or `probabilityOutOfRange`, unless every value lies in 0 … 1.
  package init(_ values: [Double]) throws(StatisticsError) {
    for (index, value) in values.enumerated() {
      try StatisticsError.require(
        value, "p-value \(index)", "a number from 0 to 1", code: .probabilityOutOfRange
      ) { $0 >= 0 && $0 <= 1 }
    }
    self.values = values
  }

  /// Bonferroni's adjusted values, m p: the chance of any false alarm stays below the level, whatever the
  /// dependence.
  package func bonferroni() -> [Double] {
    values.map { min($0 * Double(values.count), 1) }
  }

  /// Holm's step-down adjusted values (1979, Scand J Stat 6:65): as safe as Bonferroni's, and never larger.
  package func holm() -> [Double] {
    let order = ascending()
    var adjusted = values
    var running = 0.0
    for (rank, index) in order.enumerated() {
      running = max(running, min(Double(order.count - rank) * values[index], 1))
      adjusted[index] = running
    }
    return adjusted
  }

  /// Benjamini and Hochberg's step-up adjusted values (1995, JRSS-B 57:289): the expected share of false
  /// alarms among all alarms stays below the level, for independent or positively dependent tests.
  package func benjaminiHochberg() -> [Double] { stepUp(factor: 1) }

  /// Benjamini and Yekutieli's adjusted values (2001, Ann Stat 29:1165): as Benjamini and Hochberg's under
  /// any dependence, at the price of a factor 1 + 1/2 + … + 1/m.
  package func benjaminiYekutieli() -> [Double] {
    stepUp(factor: (1...max(values.count, 1)).reduce(0) { $0 + 1 / Double($1) })
  }

  private func stepUp(factor: Double) -> [Double] {
    let order = ascending()
    var adjusted = values
    var running = 1.0
    for (rank, index) in order.enumerated().reversed() {
      running = min(running, values[index] * (Double(order.count) * factor / Double(rank + 1)))
      adjusted[index] = running
    }
    return adjusted
  }

  private func ascending() -> [Int] {
    values.indices.sorted { values[$0] < values[$1] }
  }
}
