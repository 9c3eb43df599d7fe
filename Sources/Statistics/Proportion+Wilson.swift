extension Proportion {
  /// Wilson's score interval (Wilson 1927; method 3 of Newcombe 1998, Stat Med 17:857).
  ///
  /// The lower limit is exactly 0 without successes, the upper exactly 1 without failures. For clustered
  /// trials call it on ``effective(designEffect:)``.
  ///
  /// - Returns: limits within 0 … 1, or `nil` without trials.
  package func wilsonInterval(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard trials > 0 else { return nil }
    return ConfidenceInterval(
      lower: wilsonLowerLimit(level),
      upper: successes <= failures ? wilsonUpperLimit(level) : 1 - complement.wilsonLowerLimit(level),
      confidence: level.value)
  }

  /// Wilson's interval with continuity correction (method 4 of Newcombe 1998, Stat Med 17:857; Fleiss 1981).
  ///
  /// - Returns: limits within 0 … 1, or `nil` without trials.
  package func wilsonContinuityCorrectedInterval(
    _ level: ConfidenceLevel = .ninetyFive
  ) -> ConfidenceInterval? {
    guard trials > 0 else { return nil }
    return ConfidenceInterval(
      lower: correctedLowerLimit(level), upper: 1 - complement.correctedLowerLimit(level),
      confidence: level.value)
  }

  /// The distances from the rate down to Wilson's lower and up to its upper limit, which stay accurate where
  /// the limits themselves have rounded to the rate.
  func wilsonMargins(_ level: ConfidenceLevel) -> (below: Double, above: Double) {
    (complement.wilsonUpperMargin(level), wilsonUpperMargin(level))
  }

  // The limits solve (n + z²) p² − (2x + z²) p + x²/n = 0. The upper root has no cancellation; the lower
  // follows from the product of the roots.
  private func wilsonUpperLimit(_ level: ConfidenceLevel) -> Double {
    let z = level.criticalValue
    return (successes + z * z / 2 + z * wilsonRoot(z)) / (trials + z * z)
  }

  private func wilsonLowerLimit(_ level: ConfidenceLevel) -> Double {
    guard successes > 0 else { return 0 }
    let z = level.criticalValue
    return successes * (successes / trials) / (successes + z * z / 2 + z * wilsonRoot(z))
  }

  private func wilsonRoot(_ z: Double) -> Double {
    (successes * knownFailureRate + z * z / 4).squareRoot()
  }

  private func wilsonUpperMargin(_ level: ConfidenceLevel) -> Double {
    let z = level.criticalValue
    let root = wilsonRoot(z)
    let lean = z * (failures - successes) / (2 * trials)
    return lean >= 0
      ? z * (lean + root) / (trials + z * z) : z * knownRate * knownFailureRate / (root - lean)
  }

  private func correctedLowerLimit(_ level: ConfidenceLevel) -> Double {
    guard successes > 0 else { return 0 }
    let z = level.criticalValue
    let square = z * z - 2 - 1 / trials + 4 * knownRate * (failures + 1)
    let limit =
      (2 * successes + z * z - 1 - z * max(square, 0).squareRoot()) / (2 * (trials + z * z))
    return min(max(limit, 0), knownRate)
  }
}
