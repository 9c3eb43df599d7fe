import CBoostMath

/// The confidence sequence for one rate by a beta mixture (Howard, Ramdas, McAuliffe and Sekhon 2021, Ann
/// Stat 49:1055; the `bernoulli_confidence_interval` of their `confseq`): the rates that the trials so far do
/// not refute, however often one looks.
///
/// It needs independent trials, and is exact for them at every number of trials.
package struct BernoulliConfidenceSequence: Sendable, Hashable {
  package let level: ConfidenceLevel
  /// The number of trials at which the interval is narrowest.
  package let tunedTo: Double
  private let concentration: Double

  /// - Parameter tuningAlpha: the α at which the interval is narrowest at `tunedTo` trials.
  /// - Throws: `parameterOutOfRange`, `probabilityOutOfRange` or `notFinite`.
  package init(
    _ level: ConfidenceLevel = .ninetyFive, tunedTo: Double, tuningAlpha: Double = 0.05
  ) throws(StatisticsError) {
    try StatisticsError.require(tunedTo, "number of trials to tune to", "a positive number up to 1e18") {
      $0 > 0 && $0 <= 1e18
    }
    try StatisticsError.requireOpenUnit(tuningAlpha, "tuning alpha")
    self.level = level
    self.tunedTo = tunedTo
    concentration = max(tunedTo / normalMixtureScale(alpha: tuningAlpha) - 1, 1e-3)
  }

  /// The interval after the trials of `proportion`.
  ///
  /// - Returns: limits within 0 … 1, the lower exactly 0 without successes and the upper exactly 1 without
  ///   failures; `nil` without trials.
  package func interval(_ proportion: Proportion) -> ConfidenceInterval? {
    guard let rate = proportion.rate else { return nil }
    // The evidence against a rate is that of counts against a designed split into successes and failures.
    func excess(_ hypothesis: Double) -> Double {
      dirichletLogBayesFactor(
        observed: [proportion.successes, proportion.failures], rates: [hypothesis, 1 - hypothesis],
        concentration: concentration) + log(level.alpha)
    }
    return ConfidenceInterval(
      lower: proportion.successes == 0 ? 0 : bisectFalling(0, rate, excess),
      upper: proportion.failures == 0 ? 1 : bisectFalling(rate, 1) { -excess($0) },
      confidence: level.value)
  }
}
