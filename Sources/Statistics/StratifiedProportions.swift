/// The two arms in each of several strata: one table a category.
///
/// The closed-form variances here assume that strata and arms are independent, that is, that they share no
/// device; where they do, take the standard error from ``BucketedProportions``.
package struct StratifiedProportions: Sendable, Hashable {
  package let strata: [TwoProportions]

  package init(_ strata: [TwoProportions]) {
    self.strata = strata
  }

  /// All strata thrown together.
  package var crude: TwoProportions {
    func total(_ arm: KeyPath<TwoProportions, Proportion>) -> Proportion {
      Proportion(
        unchecked: strata.reduce(0) { $0 + $1[keyPath: arm].successes },
        of: strata.reduce(0) { $0 + $1[keyPath: arm].trials })
    }
    return TwoProportions(rich: total(\.rich), text: total(\.text))
  }
}

extension StratifiedProportions {
  /// The sum of `term` over the strata in which both arms have trials; the others compare nothing.
  func sum(_ term: (TwoProportions) -> Double) -> Double {
    strata.reduce(0) { $1.hasEmptyArm ? $0 : $0 + term($1) }
  }
}

extension TwoProportions {
  /// The trials of both arms.
  var total: Double { rich.trials + text.trials }

  /// The Mantel–Haenszel weight of a difference, n₁ n₀ / N.
  var crossWeight: Double { rich.trials * text.trials / total }

  /// x₁ n₀ / N and x₀ n₁ / N, whose sums over the strata make the Mantel–Haenszel risk ratio.
  var riskRatioTerms: (rich: Double, text: Double) {
    (rich.successes * text.trials / total, text.successes * rich.trials / total)
  }
}
