/// Successes out of trials: units that interacted, out of units delivered.
///
/// The counts are `Double`, since a design effect divides them; whole counts are exact up to 2^53.
package struct Proportion: Sendable, Hashable {
  /// The number of successes, 0 … `trials`.
  package let successes: Double
  /// The number of trials; 0 is allowed, and then no rate exists.
  package let trials: Double

  /// - Throws: `notFinite`, `negativeCount`, `countOutOfRange` or `successesExceedTrials`.
  package init(successes: Double, trials: Double) throws(StatisticsError) {
    try StatisticsError.requireCount(successes, "number of successes")
    try StatisticsError.requireCount(trials, "number of trials")
    guard successes <= trials else {
      throw StatisticsError(
        .successesExceedTrials, "\(successes) successes in \(trials) trials; count each trial once")
    }
    self.init(unchecked: successes, of: trials)
  }

  /// - Throws: `negativeCount`, `countOutOfRange` or `successesExceedTrials`.
  package init<Count: BinaryInteger>(successes: Count, trials: Count) throws(StatisticsError) {
    try self.init(successes: Double(successes), trials: Double(trials))
  }

  init(unchecked successes: Double, of trials: Double) {
    self.successes = successes
    self.trials = trials
  }

  /// Trials without success.
  package var failures: Double { trials - successes }

  /// Successes over trials, 0 … 1; `nil` without trials.
  package var rate: Double? { trials > 0 ? successes / trials : nil }

  /// Successes and failures exchanged.
  package var complement: Proportion { Proportion(unchecked: failures, of: trials) }

  /// The effective counts `(x / deff, n / deff)`, on which an interval for independent trials has about the
  /// right width for clustered ones (Kish 1965; Korn and Graubard 1998).
  ///
  /// - Parameter designEffect: the variance under clustering over that of independent trials; any positive
  ///   number, below 1 where clusters make the estimate more certain.
  /// - Throws: `parameterOutOfRange`, unless it is positive; `countOutOfRange`, if the counts vanish under
  ///   it.
  package func effective(designEffect: Double) throws(StatisticsError) -> Proportion {
    try StatisticsError.requirePositive(designEffect, "design effect")
    // x = n must stay x = n: dividing equal numbers by the same divisor does.
    return try Proportion(successes: successes / designEffect, trials: trials / designEffect)
  }
}

extension Proportion {
  /// The rate of an arm that is known to have trials.
  var knownRate: Double { successes / trials }

  /// The rate of failures, without the rounding of `1 - rate`.
  var knownFailureRate: Double { failures / trials }

  /// The binomial variance of the rate with the observed rate put in.
  var waldVariance: Double { knownRate * knownFailureRate / trials }
}
