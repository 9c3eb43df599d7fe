import CBoostMath

/// A two-sided confidence level, strictly between 0 and 1, with its normal critical value.
package struct ConfidenceLevel: Sendable, Hashable {
  /// The level as a fraction, for example 0.95.
  package let value: Double
  /// The standard normal quantile of `(1 + value) / 2`, for example 1.959963984540054.
  package let criticalValue: Double

  /// The usual 95 %.
  package static let ninetyFive = ConfidenceLevel(value: 0.95, criticalValue: 1.959963984540054)

  /// 1 − `value`: the significance level that intervals at this level correspond to.
  package var alpha: Double { 1 - value }

  /// - Throws: `probabilityOutOfRange` or `notFinite`, unless `value` lies strictly between 0 and 1.
  package init(_ value: Double) throws(StatisticsError) {
    try StatisticsError.requireOpenUnit(value, "confidence level")
    // By the lower tail: (1 + value) / 2 would round to 1 close to the top.
    let lowerTail = (1 - value) / 2
    self.init(value: value, criticalValue: -(try SpecialFunctions.normalQuantile(lowerTail)))
  }

  private init(value: Double, criticalValue: Double) {
    self.value = value
    self.criticalValue = criticalValue
  }
}
