import CBoostMath

/// A ratio that an estimator with a standard error on the log scale gave: a risk ratio or an odds ratio.
package struct RatioEstimate: Sendable, Hashable {
  /// Rich over text, positive and finite.
  package let value: Double
  package let logStandardError: Double
  package let interval: ConfidenceInterval

  init(value: Double, logStandardError: Double, _ level: ConfidenceLevel) {
    self.value = value
    self.logStandardError = logStandardError
    let halfWidth = level.criticalValue * logStandardError
    interval = LogLimits(lower: log(value) - halfWidth, upper: log(value) + halfWidth)
      .map(exp, confidence: level.value)
  }
}
