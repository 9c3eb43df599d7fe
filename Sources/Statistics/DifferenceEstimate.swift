/// A difference of rates that an estimator with a standard error gave.
package struct DifferenceEstimate: Sendable, Hashable {
  /// Rich less text, as a fraction.
  package let value: Double
  package let standardError: Double
  package let interval: ConfidenceInterval

  init(value: Double, standardError: Double, _ level: ConfidenceLevel) {
    self.value = value
    self.standardError = standardError
    interval = ConfidenceInterval(
      around: value, halfWidth: level.criticalValue * standardError, confidence: level.value)
  }
}
