package import Statistics

/// How many notifications an experiment needs, or what it can find with those there are.
package struct ExperimentPlan: Sendable, Hashable {
  /// What is to be found, and how surely.
  package struct Terms: Sendable, Hashable {
    /// The text-only rate, above 0 and below 1.
    package var base: Double
    /// The chance of finding the uplift where it is there, strictly between 0 and 1.
    package var power = 0.8
    package var level = ConfidenceLevel.ninetyFive
    /// What repeats on a device multiply the variance of the difference by, at least 1.
    package var designEffect = 1.0
    /// Whether the verdict is to hold however often one looks.
    package var isNightly = false
    /// Rich notifications for each text-only one.
    package var allocation = 1.0

    package init(base: Double) { self.base = base }
  }

  package let terms: Terms
  /// Rich rate / text-only rate − 1; nil where not even a rich rate of 100 % would be found.
  package let uplift: Double?
  /// Notifications in each arm, whole numbers.
  package let richUnits: Double
  package let textUnits: Double
  /// Whether an arm is smaller than a report gives verdicts for, or (of a size that was asked for) would have been.
  package let isBelowSupport: Bool

  package var units: Double { richUnits + textUnits }

  /// The size that finds an uplift.
  ///
  /// - Parameter uplift: not 0; the rich rate that it makes lies within 0 … 1.
  /// - Throws: `StatisticsError` for terms or an uplift that cannot be.
  package init(_ terms: Terms, uplift: Double) throws(StatisticsError) {
    let richRate = terms.base * (1 + uplift)
    let design = try TwoProportionDesign(
      first: terms.base, second: richRate, allocation: terms.allocation, terms.level)
    let needed = try design.sampleSize(
      power: terms.power, designEffect: terms.designEffect, nightlyLooks: terms.isNightly)
    let supported = Self.support(terms, richRate: richRate)
    self.terms = terms
    self.uplift = uplift
    isBelowSupport = needed < supported
    textUnits = max(needed, supported).rounded(.up)
    richUnits = (max(needed, supported) * terms.allocation).rounded(.up)
  }

  /// The smallest uplift that a size finds.
  ///
  /// - Parameter units: of both arms together.
  /// - Throws: `StatisticsError` for terms or a size that cannot be.
  package init(_ terms: Terms, units: Double) throws(StatisticsError) {
    let text = units / (1 + terms.allocation)
    let difference = try TwoProportionDesign.minimalDetectableDifference(
      baseline: terms.base, trials: text, allocation: terms.allocation, power: terms.power,
      designEffect: terms.designEffect, nightlyLooks: terms.isNightly, terms.level)
    self.terms = terms
    uplift = difference.map { $0 / terms.base }
    isBelowSupport = text < Self.support(terms, richRate: terms.base + (difference ?? 0))
    textUnits = text.rounded()
    richUnits = units - text.rounded()
  }

  /// The text-only units with which both arms have what a verdict needs.
  private static func support(_ terms: Terms, richRate: Double) -> Double {
    let pooled = (terms.base + terms.allocation * richRate) / (1 + terms.allocation)
    let smallerArm = max(Verdict.minimalUnits, Verdict.minimalExpectedEvents / pooled)
    return smallerArm / min(1, terms.allocation)
  }
}
