extension TwoProportions {
  /// Wald's interval for the difference, for comparison with what other tools print. It covers badly for few
  /// successes.
  ///
  /// - Returns: limits cut off at −1 and 1, or `nil` with an empty arm.
  package func waldDifference(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm else { return nil }
    return ConfidenceInterval(
      around: knownDifference,
      halfWidth: level.criticalValue * (rich.waldVariance + text.waldVariance).squareRoot(),
      confidence: level.value
    ).clipped(to: -1...1)
  }

  /// Agresti and Caffo's interval for the difference (2000, Am Stat 54:280): Wald's, after adding a success
  /// and a failure to each arm.
  ///
  /// - Returns: limits cut off at −1 and 1, or `nil` with an empty arm.
  package func agrestiCaffoDifference(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm else { return nil }
    return TwoProportions(
      rich: Proportion(unchecked: rich.successes + 1, of: rich.trials + 2),
      text: Proportion(unchecked: text.successes + 1, of: text.trials + 2)
    ).waldDifference(level)
  }

  /// Newcombe's hybrid score interval for the difference (method 10 of Newcombe 1998, Stat Med 17:873):
  /// Wilson's margins, combined as independent.
  ///
  /// - Returns: limits within −1 … 1, or `nil` with an empty arm.
  package func newcombeDifference(_ level: ConfidenceLevel = .ninetyFive) -> ConfidenceInterval? {
    guard !hasEmptyArm else { return nil }
    return hybridDifference(rich.wilsonMargins(level), text.wilsonMargins(level), level)
  }

  /// Newcombe's hybrid score interval from Wilson's limits with continuity correction (method 11 of Newcombe
  /// 1998, Stat Med 17:873).
  ///
  /// - Returns: limits within −1 … 1, or `nil` with an empty arm.
  package func newcombeContinuityCorrectedDifference(
    _ level: ConfidenceLevel = .ninetyFive
  ) -> ConfidenceInterval? {
    guard let richLimits = rich.wilsonContinuityCorrectedInterval(level),
      let textLimits = text.wilsonContinuityCorrectedInterval(level)
    else { return nil }
    func margins(_ rate: Double, _ limits: ConfidenceInterval) -> (below: Double, above: Double) {
      (rate - limits.lower, limits.upper - rate)
    }
    return hybridDifference(
      margins(rich.knownRate, richLimits), margins(text.knownRate, textLimits), level)
  }

  private func hybridDifference(
    _ rich: (below: Double, above: Double), _ text: (below: Double, above: Double),
    _ level: ConfidenceLevel
  ) -> ConfidenceInterval {
    let below = (rich.below * rich.below + text.above * text.above).squareRoot()
    let above = (rich.above * rich.above + text.below * text.below).squareRoot()
    return ConfidenceInterval(
      lower: knownDifference - below, upper: knownDifference + above, confidence: level.value
    ).clipped(to: -1...1)
  }
}
