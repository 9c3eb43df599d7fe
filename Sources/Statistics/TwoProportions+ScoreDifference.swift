extension TwoProportions {
  /// Miettinen and Nurminen's score interval for the difference of two rates (1985, Stat Med 4:213).
  ///
  /// It inverts the N−1 chi-square test, ``nMinusOneChiSquareTest()``: 0 lies outside exactly where that
  /// test's p is below 1 − confidence. Finite for every table, 0 against 0 included.
  ///
  /// - Returns: limits within −1 … 1; `nil` with an empty arm, and with one (effective) trial or less in both
  ///   together.
  package func miettinenNurminenDifference(
    _ level: ConfidenceLevel = .ninetyFive
  ) -> ConfidenceInterval? {
    guard !hasEmptyArm, let factor = smallSampleFactor else { return nil }
    return scoreDifference(level, varianceFactor: factor)
  }

  /// Mee's score interval for the difference: Miettinen and Nurminen's without the factor N / (N − 1) (Mee
  /// 1984, Biometrics 40:1175).
  ///
  /// - Returns: limits within −1 … 1, or `nil` with an empty arm.
  package func meeDifference(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    hasEmptyArm ? nil : scoreDifference(level, varianceFactor: 1)
  }

  private func scoreDifference(
    _ level: ConfidenceLevel, varianceFactor: Double
  ) -> ConfidenceInterval {
    ConfidenceInterval(
      lower: -swapped.upperScoreDifference(level, varianceFactor),
      upper: upperScoreDifference(level, varianceFactor), confidence: level.value)
  }

  private func upperScoreDifference(_ level: ConfidenceLevel, _ varianceFactor: Double) -> Double {
    let observed = knownDifference
    guard observed < 1 else { return 1 }
    return bisectFalling(observed, 1) { hypothesis in
      let variance = restrictedVariance(difference: hypothesis) * varianceFactor
      // The score has fallen below −z. Multiplied out, so that no variance is divided by.
      return level.criticalValue * variance.squareRoot() - (hypothesis - observed)
    }
  }

  /// The variance of the observed difference at the most likely rates that differ by exactly `difference`.
  private func restrictedVariance(difference: Double) -> Double {
    guard difference >= 0 else { return swapped.restrictedVariance(difference: -difference) }
    let room = 1 - difference
    guard room > 0 else { return 0 }
    // The smaller unknown is solved for: the text rate, or the rich failure rate, which is the text rate of
    // the mirrored table. Either way the other three quantities follow from it without cancellation.
    let mirrored = restrictedScore(difference: difference, textRate: room / 2) > 0
    let table = mirrored ? complement.swapped : self
    let rate = table.restrictedTextRate(difference: difference, atMost: room / 2)
    return (rate + difference) * (room - rate) / table.rich.trials
      + rate * (1 - rate) / table.text.trials
  }

  /// The derivative of the log likelihood along the text rate, with the rich rate held `difference` above it.
  /// It falls from the left end of its domain to the right.
  private func restrictedScore(difference: Double, textRate: Double) -> Double {
    quotient(rich.successes, textRate + difference)
      - quotient(rich.failures, 1 - difference - textRate)
      + quotient(text.successes, textRate) - quotient(text.failures, 1 - textRate)
  }

  private func restrictedTextRate(difference: Double, atMost end: Double) -> Double {
    guard restrictedScore(difference: difference, textRate: 0) > 0 else { return 0 }
    var lower = 0.0
    var upper = end
    var rate = min(text.knownRate, pooled.knownRate, end)
    if rate <= 0 { rate = end / 2 }
    // Newton's steps, kept inside a bracket that shrinks with each; where a step leaves it, halve it instead.
    for _ in 0..<200 {
      let score = restrictedScore(difference: difference, textRate: rate)
      if score > 0 { lower = rate } else { upper = rate }
      let next = rate + score / restrictedInformation(difference: difference, textRate: rate)
      let previous = rate
      rate = next > lower && next < upper ? next : lower + (upper - lower) / 2
      if abs(rate - previous) <= 1e-15 * rate { break }
    }
    return rate
  }

  /// Minus the derivative of ``restrictedScore(difference:textRate:)``.
  private func restrictedInformation(difference: Double, textRate: Double) -> Double {
    func square(_ x: Double) -> Double { x * x }
    return quotient(rich.successes, square(textRate + difference))
      + quotient(rich.failures, square(1 - difference - textRate))
      + quotient(text.successes, square(textRate)) + quotient(text.failures, square(1 - textRate))
  }
}

/// `count / rate`, where nothing counted weighs nothing even at rate 0.
private func quotient(_ count: Double, _ rate: Double) -> Double {
  count == 0 ? 0 : count / rate
}
