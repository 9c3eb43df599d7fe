/// A test whose statistic is chi-square where the hypothesis holds.
package struct ChiSquareTest: Sendable, Hashable {
  /// The statistic, 0 … ∞; `nil` where there is no variation to measure it by.
  package let statistic: Double?
  package let degreesOfFreedom: Int
  /// The p-value, 0 … 1; 1 without a statistic.
  package let p: Double

  /// - Throws: `noConvergence`, if the chi-square distribution has no value.
  init(statistic: Double?, degreesOfFreedom: Int) throws(StatisticsError) {
    self.statistic = statistic
    self.degreesOfFreedom = degreesOfFreedom
    guard let statistic, degreesOfFreedom > 0 else {
      p = 1
      return
    }
    p = try SpecialFunctions.chiSquaredSurvival(
      statistic, degreesOfFreedom: Double(degreesOfFreedom))
  }
}
