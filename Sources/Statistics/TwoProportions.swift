/// The two arms of a comparison. Differences are rich − text, ratios rich / text.
package struct TwoProportions: Sendable, Hashable {
  /// The arm under trial; the first group of the literature's formulas.
  package let rich: Proportion
  /// The arm compared with; the second group.
  package let text: Proportion

  package init(rich: Proportion, text: Proportion) {
    self.rich = rich
    self.text = text
  }

  /// The arms exchanged.
  package var swapped: TwoProportions { TwoProportions(rich: text, text: rich) }

  /// Successes and failures exchanged in both arms.
  package var complement: TwoProportions {
    TwoProportions(rich: rich.complement, text: text.complement)
  }

  /// All trials and all successes, as if there were one arm.
  package var pooled: Proportion {
    Proportion(unchecked: rich.successes + text.successes, of: rich.trials + text.trials)
  }

  /// Both arms' effective counts under one design effect, that of their comparison.
  ///
  /// - Throws: as ``Proportion/effective(designEffect:)``.
  package func effective(designEffect: Double) throws(StatisticsError) -> TwoProportions {
    TwoProportions(
      rich: try rich.effective(designEffect: designEffect),
      text: try text.effective(designEffect: designEffect))
  }

  /// Whether either arm has no trials, so that there is nothing to compare.
  package var hasEmptyArm: Bool { rich.trials == 0 || text.trials == 0 }

  /// Whether both arms together hold successes as well as failures.
  package var hasVariation: Bool {
    rich.successes + text.successes > 0 && rich.failures + text.failures > 0
  }

  /// The difference of the rates, −1 … 1; `nil` with an empty arm.
  package var difference: Double? { hasEmptyArm ? nil : knownDifference }

  /// The ratio of the rates, 0 … ∞: infinite where only the text arm has no success; `nil` with an empty arm
  /// and where neither has one.
  package var ratio: Double? {
    guard !hasEmptyArm, rich.successes > 0 || text.successes > 0 else { return nil }
    return rich.knownRate / text.knownRate
  }
}

extension TwoProportions {
  /// The difference of the rates, accurate where it is small beside them.
  var knownDifference: Double {
    differenceOfProducts(rich.successes, text.trials, text.successes, rich.trials)
      / (rich.trials * text.trials)
  }

  /// N / (N − 1), by which Miettinen and Nurminen enlarge the score's variance; `nil` up to one trial in all,
  /// where it has no meaning.
  var smallSampleFactor: Double? {
    let trials = rich.trials + text.trials
    return trials > 1 ? trials / (trials - 1) : nil
  }
}
