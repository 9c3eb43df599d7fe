/// A closed two-sided interval. A limit may be infinite; it is never NaN, and `lower <= upper`.
package struct ConfidenceInterval: Sendable, Hashable {
  /// The lower limit; −∞ where the data set none.
  package let lower: Double
  /// The upper limit; +∞ where the data set none.
  package let upper: Double
  /// The nominal coverage as a fraction, for example 0.95.
  package let confidence: Double

  /// Limits that rounding has crossed, as it may at a confidence near 0, are put in order.
  package init(lower: Double, upper: Double, confidence: Double) {
    self.lower = min(lower, upper)
    self.upper = max(lower, upper)
    self.confidence = confidence
  }

  /// Whether `value` lies in the interval, its ends included.
  package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

extension ConfidenceInterval {
  /// The interval `estimate ± halfWidth`.
  init(around estimate: Double, halfWidth: Double, confidence: Double) {
    self.init(lower: estimate - halfWidth, upper: estimate + halfWidth, confidence: confidence)
  }

  /// The part of the interval inside `range`.
  func clipped(to range: ClosedRange<Double>) -> ConfidenceInterval {
    ConfidenceInterval(
      lower: min(max(lower, range.lowerBound), range.upperBound),
      upper: min(max(upper, range.lowerBound), range.upperBound), confidence: confidence)
  }
}
