import CBoostMath

/// Boost.Math with its failures made typed: each function throws `noConvergence` instead of answering NaN.
enum SpecialFunctions {
  /// The standard normal quantile, 0 < p < 1.
  static func normalQuantile(_ p: Double) throws(StatisticsError) -> Double {
    try checked(boostNormalQuantile(p), "normal quantile of \(p)")
  }

  /// P(X > x) for chi-square; an infinite statistic leaves no probability.
  static func chiSquaredSurvival(
    _ x: Double, degreesOfFreedom: Double
  ) throws(StatisticsError) -> Double {
    guard x.isFinite else { return 0 }
    return try checked(
      boostChiSquaredSurvival(x, degreesOfFreedom), "chi-square tail at \(x), df \(degreesOfFreedom)")
  }

  /// P(|T| > |t|) for Student's t.
  static func studentTwoSidedP(_ t: Double, degreesOfFreedom: Double) throws(StatisticsError) -> Double {
    2
      * (try checked(
        boostStudentSurvival(abs(t), degreesOfFreedom), "Student tail at \(t), df \(degreesOfFreedom)"))
  }

  /// The critical value of a two-sided t interval.
  static func studentCriticalValue(
    _ level: ConfidenceLevel, degreesOfFreedom: Double
  ) throws(StatisticsError) -> Double {
    try checked(
      boostStudentUpperQuantile(level.alpha / 2, degreesOfFreedom), "Student quantile, df \(degreesOfFreedom)"
    )
  }

  /// The logit of the point below which a beta distribution has probability `tail`.
  ///
  /// By bisection on the logit, to the accuracy of the distribution function and as near to 0 as to 1:
  /// ready-made inverses stray for shapes such as (1000, 1e9).
  static func betaQuantileLogit(_ tail: Double, _ a: Double, _ b: Double) throws(StatisticsError) -> Double {
    func excess(_ logit: Double) -> Double {
      // Each side of ½ by the rate that is small there.
      let cumulative =
        logit < 0
        ? boostBetaCumulative(1 / (1 + exp(-logit)), a, b)
        : boostBetaSurvival(1 / (1 + exp(logit)), b, a)
      return tail - cumulative
    }
    let center = log(a / b)
    try checked(excess(center), "beta distribution with shapes \(a), \(b)")
    var reach = 1.0
    while reach < 0x1p12, excess(center - reach) < 0 || excess(center + reach) > 0 { reach *= 2 }
    return bisectFalling(center - reach, center + reach, excess)
  }

  @discardableResult
  private static func checked(
    _ value: Double, _ what: @autoclosure () -> String
  ) throws(StatisticsError) -> Double {
    guard !value.isNaN else {
      throw StatisticsError(.noConvergence, "no value for the \(what()); check its arguments")
    }
    return value
  }
}
