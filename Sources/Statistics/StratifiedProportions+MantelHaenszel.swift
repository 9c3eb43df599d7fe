import CBoostMath

/// Whose variance to put beside the Mantel–Haenszel risk difference.
package enum RiskDifferenceVariance: Sendable, Hashable {
  /// Greenland and Robins (1985, Biometrics 41:55): right for few large strata.
  case greenlandRobins
  /// Sato (1989, Biometrics 45:1323): right for many small strata as well.
  case sato
}

extension StratifiedProportions {
  /// The Mantel–Haenszel risk ratio with Greenland and Robins' variance of its logarithm (1985, Biometrics
  /// 41:55).
  ///
  /// Strata without successes, or with an empty arm, contribute nothing.
  ///
  /// - Returns: `nil` where either arm's weighted sum of successes is 0.
  package func mantelHaenszelRiskRatio(_ level: ConfidenceLevel = .ninetyFive) -> RatioEstimate? {
    let rich = sum { $0.riskRatioTerms.rich }
    let text = sum { $0.riskRatioTerms.text }
    guard rich > 0, text > 0 else { return nil }
    let numerator = sum { table in
      let successes = (table.rich.successes + table.text.successes) / table.total
      return table.crossWeight * successes
        - (table.rich.successes / table.total) * table.text.successes
    }
    return RatioEstimate(
      value: rich / text, logStandardError: (max(numerator, 0) / rich / text).squareRoot(), level)
  }

  /// The Mantel–Haenszel risk difference.
  ///
  /// Strata without successes do contribute: they are evidence of no difference.
  ///
  /// - Returns: `nil` where no stratum has trials in both arms.
  package func mantelHaenszelRiskDifference(
    _ level: ConfidenceLevel = .ninetyFive, variance: RiskDifferenceVariance = .sato
  ) -> DifferenceEstimate? {
    let weight = sum { $0.crossWeight }
    guard weight > 0, let value = mantelHaenszelDifference else { return nil }
    let numerator =
      switch variance {
      case .greenlandRobins: sum { $0.greenlandRobinsTerm }
      case .sato: value * sum { $0.satoTerms.difference } + sum { $0.satoTerms.rest }
      }
    return DifferenceEstimate(
      value: value, standardError: max(numerator, 0).squareRoot() / weight, level)
  }

  /// The Mantel–Haenszel odds ratio with Robins, Breslow and Greenland's variance of its logarithm (1986,
  /// Biometrics 42:311).
  ///
  /// - Returns: `nil` where the ratio is 0, infinite or undefined.
  package func mantelHaenszelOddsRatio(_ level: ConfidenceLevel = .ninetyFive) -> RatioEstimate? {
    let up = sum { $0.oddsTerms.up }
    let down = sum { $0.oddsTerms.down }
    guard up > 0, down > 0 else { return nil }
    let variance =
      sum { $0.oddsTerms.concordance * $0.oddsTerms.up } / (2 * up * up)
      + sum {
        $0.oddsTerms.concordance * $0.oddsTerms.down + (1 - $0.oddsTerms.concordance) * $0.oddsTerms.up
      } / (2 * up * down)
      + sum { (1 - $0.oddsTerms.concordance) * $0.oddsTerms.down } / (2 * down * down)
    return RatioEstimate(value: up / down, logStandardError: variance.squareRoot(), level)
  }

  /// The Cochran–Mantel–Haenszel test of no effect in any stratum (Mantel and Haenszel 1959, JNCI 22:719).
  ///
  /// - Parameter continuityCorrected: whether to take ½ off the sum of deviations, as R's `mantelhaen.test`
  ///   does unless told otherwise (and like there, not where the sum is below ½).
  /// - Returns: p = 1 and no statistic where no stratum has variation and trials in both arms.
  /// - Throws: `noConvergence`, if the chi-square distribution has no value.
  package func cochranMantelHaenszelTest(
    continuityCorrected: Bool = false
  ) throws(StatisticsError) -> ChiSquareTest {
    let variance = sum { $0.hypergeometricVariance }
    guard variance > 0 else { return try ChiSquareTest(statistic: nil, degreesOfFreedom: 1) }
    let deviation = abs(sum { $0.crossDifference / $0.total })
    let correction = continuityCorrected && deviation >= 0.5 ? 0.5 : 0
    let corrected = deviation - correction
    return try ChiSquareTest(statistic: corrected * corrected / variance, degreesOfFreedom: 1)
  }

  /// The logarithm of the Mantel–Haenszel risk ratio; `nil` where it is infinite or undefined.
  package var mantelHaenszelLogRiskRatio: Double? {
    let rich = sum { $0.riskRatioTerms.rich }
    let text = sum { $0.riskRatioTerms.text }
    return rich > 0 && text > 0 ? log(rich / text) : nil
  }

  /// The Mantel–Haenszel risk difference; `nil` where no stratum has trials in both arms.
  var mantelHaenszelDifference: Double? {
    let weight = sum { $0.crossWeight }
    return weight > 0 ? sum { $0.crossDifference / $0.total } / weight : nil
  }
}

extension TwoProportions {
  /// x₁ n₀ − x₀ n₁.
  fileprivate var crossDifference: Double {
    differenceOfProducts(rich.successes, text.trials, text.successes, rich.trials)
  }

  fileprivate var greenlandRobinsTerm: Double {
    let richShare = rich.trials / total
    let textShare = text.trials / total
    return rich.successes * rich.knownFailureRate * textShare * textShare
      + text.successes * text.knownFailureRate * richShare * richShare
  }

  fileprivate var satoTerms: (difference: Double, rest: Double) {
    let richShare = rich.trials / total
    let textShare = text.trials / total
    let difference =
      richShare * richShare * text.successes - textShare * textShare * rich.successes
      + richShare * textShare * (text.trials - rich.trials) / 2
    let rest =
      (rich.successes / total * text.failures + text.successes / total * rich.failures) / 2
    return (difference, rest)
  }

  fileprivate var oddsTerms: (up: Double, down: Double, concordance: Double) {
    (
      rich.successes / total * text.failures, rich.failures / total * text.successes,
      (rich.successes + text.failures) / total
    )
  }

  fileprivate var hypergeometricVariance: Double {
    guard total > 1 else { return 0 }
    let all = pooled
    return rich.trials / total * text.trials * (all.knownRate * all.failures) / (total - 1)
  }
}
