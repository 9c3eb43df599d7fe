import CBoostMath

/// How many devices each arm got, and how many it was meant to get.
package struct SampleRatio: Sendable, Hashable {
  /// The devices observed in each arm.
  package let observed: [Double]
  /// The shares designed, adding to 1; 0 for an arm that was to get none.
  package let shares: [Double]

  /// - Parameter weights: the designed split in any unit: `[1, 1]` and `[0.5, 0.5]` mean the same.
  /// - Throws: `lengthsDiffer`; `negativeCount`, `countOutOfRange` or `notFinite` for a count;
  ///   `parameterOutOfRange` for a negative weight, or if no weight is positive.
  package init(observed: [Double], weights: [Double]) throws(StatisticsError) {
    guard observed.count == weights.count else {
      throw StatisticsError(
        .lengthsDiffer, "\(observed.count) counts against \(weights.count) weights; give one for each arm")
    }
    for count in observed { try StatisticsError.requireCount(count, "number of devices") }
    for weight in weights {
      try StatisticsError.require(weight, "weight", "0 or a positive number") { $0 >= 0 }
    }
    let total = try StatisticsError.requirePositive(weights.reduce(0, +), "sum of the weights")
    self.observed = observed
    shares = weights.map { $0 / total }
  }

  /// Pearson's chi-square test of the split; alarm at p < 0.001 (Kohavi, Tang and Xu 2020, chapter 21).
  ///
  /// Arms designed to get nothing take no part in the degrees of freedom; a device in one is an infinite
  /// statistic.
  ///
  /// - Returns: p = 1 and no statistic without devices, and with fewer than two arms designed to get any.
  /// - Throws: `noConvergence`, if the chi-square distribution has no value.
  package func chiSquareTest() throws(StatisticsError) -> ChiSquareTest {
    let total = observed.reduce(0, +)
    let degreesOfFreedom = max(shares.count { $0 > 0 } - 1, 0)
    guard !hasStrays else {
      return try ChiSquareTest(statistic: .infinity, degreesOfFreedom: max(degreesOfFreedom, 1))
    }
    guard total > 0, degreesOfFreedom > 0 else {
      return try ChiSquareTest(statistic: nil, degreesOfFreedom: degreesOfFreedom)
    }
    let statistic = zip(observed, shares).reduce(0) { sum, arm in
      guard arm.1 > 0 else { return sum }
      let expected = total * arm.1
      return sum + (arm.0 - expected) * (arm.0 - expected) / expected
    }
    return try ChiSquareTest(statistic: statistic, degreesOfFreedom: degreesOfFreedom)
  }

  /// The sequential test of the split by a Dirichlet mixture (Lindon and Malek 2022, arXiv 2011.03567), which
  /// may be looked at every night: under the designed split the chance that p ever falls below a level is at
  /// most that level.
  ///
  /// - Parameter concentration: the sum of the prior's parameters, which are this times the designed shares;
  ///   the number of arms unless given. Larger values look for smaller imbalances.
  /// - Throws: `parameterOutOfRange` or `notFinite`, unless the concentration is positive.
  package func sequentialDirichletTest(
    concentration: Double? = nil
  ) throws(StatisticsError) -> SequentialSampleRatioTest {
    let arms = zip(observed, shares).filter { $0.1 > 0 }
    let concentration = concentration ?? Double(arms.count)
    try StatisticsError.requirePositive(concentration, "concentration")
    let evidence =
      hasStrays
      ? .infinity
      : dirichletLogBayesFactor(
        observed: arms.map(\.0), rates: arms.map(\.1), concentration: concentration)
    return SequentialSampleRatioTest(
      logBayesFactor: evidence, p: min(1, exp(-evidence)))
  }

  private var hasStrays: Bool {
    zip(observed, shares).contains { $0.0 > 0 && $0.1 == 0 }
  }
}

/// The evidence against a designed split, at any time.
package struct SequentialSampleRatioTest: Sendable, Hashable {
  /// The logarithm of the Bayes factor against the designed split.
  package let logBayesFactor: Double
  /// The p-value at this look, 0 … 1; over several looks the smallest counts.
  package let p: Double
}

/// The log Bayes factor of counts under a Dirichlet prior, centred on `rates`, against exactly `rates`:
/// log [Γ(A) / Γ(A + n) · Π Γ(aᵢ + oᵢ) / Γ(aᵢ)] − Σ oᵢ log θᵢ with aᵢ = concentration · θᵢ.
///
/// Written with Stirling's formula, in which the large terms cancel on paper and not in the machine.
func dirichletLogBayesFactor(observed: [Double], rates: [Double], concentration: Double) -> Double {
  let posterior = concentration + observed.reduce(0, +)
  var sum = 0.5 * log(posterior / concentration)
  sum += SaddlePoint.stirlingError(concentration) - SaddlePoint.stirlingError(posterior)
  for (count, rate) in zip(observed, rates) {
    let before = concentration * rate
    let after = before + count
    sum += SaddlePoint.deviance(after, mean: posterior * rate) - 0.5 * log(after / before)
    sum += SaddlePoint.stirlingError(after) - SaddlePoint.stirlingError(before)
  }
  return sum
}
