import CBoostMath

/// The mix of strata to which rates are standardised.
package enum StandardPopulation: Sendable, Hashable {
  /// The trials of both arms together.
  case bothArms
  /// The trials of the rich arm.
  case richArm
  /// The trials of the text arm.
  case textArm
}

/// Rates, and their difference, as they would be if both arms had the same mix of strata.
package struct StandardisedRates: Sendable, Hashable {
  package let rich: Double
  package let text: Double
  /// The difference of the two.
  package let difference: DifferenceEstimate
  /// How many strata had trials in both arms; the others are left out of the mix.
  package let strataUsed: Int
}

/// Whether pooling all strata tells another story than comparing within them.
package struct SimpsonCheck: Sendable, Hashable {
  /// The risk ratio of all strata thrown together.
  package let crudeRatio: Double
  /// The Mantel–Haenszel risk ratio.
  package let adjustedRatio: Double
  /// In how many strata the rich rate is the higher.
  package let strataAboveOne: Int

  /// Whether one ratio is above 1 and the other below.
  package var isReversed: Bool { (crudeRatio - 1) * (adjustedRatio - 1) < 0 }

  /// Whether the two disagree enough to warn of: in sign, or by more than 0.1 in their logarithms.
  package var disagrees: Bool { isReversed || abs(log(crudeRatio / adjustedRatio)) > 0.1 }
}

extension StratifiedProportions {
  /// Direct standardisation of both arms to one mix of strata, with the variance of independent binomials.
  ///
  /// - Returns: `nil` where no stratum has trials in both arms.
  package func directlyStandardised(
    to population: StandardPopulation = .bothArms, _ level: ConfidenceLevel = .ninetyFive
  ) -> StandardisedRates? {
    func weight(_ table: TwoProportions) -> Double {
      switch population {
      case .bothArms: table.total
      case .richArm: table.rich.trials
      case .textArm: table.text.trials
      }
    }
    let total = sum(weight)
    guard total > 0 else { return nil }
    let variance = sum {
      let share = weight($0) / total
      return share * share * ($0.rich.waldVariance + $0.text.waldVariance)
    }
    return StandardisedRates(
      rich: sum { weight($0) / total * $0.rich.knownRate },
      text: sum { weight($0) / total * $0.text.knownRate },
      difference: DifferenceEstimate(
        value: sum { weight($0) / total * $0.knownDifference }, standardError: variance.squareRoot(), level),
      strataUsed: strata.count { !$0.hasEmptyArm })
  }

  /// Compares the crude with the Mantel–Haenszel risk ratio (Simpson 1951, JRSS-B 13:238).
  ///
  /// - Returns: `nil` where either ratio is 0, infinite or undefined.
  ///
  /// - Parameter total: what a plain sum adds up, where that is more than the strata; nil for these.
  package func simpsonCheck(crude total: TwoProportions? = nil) -> SimpsonCheck? {
    guard let crudeRatio = (total ?? crude).ratio, crudeRatio > 0, crudeRatio.isFinite,
      let logRatio = mantelHaenszelLogRiskRatio
    else { return nil }
    return SimpsonCheck(
      crudeRatio: crudeRatio, adjustedRatio: exp(logRatio),
      strataAboveOne: strata.count { !$0.hasEmptyArm && $0.knownDifference > 0 })
  }
}
