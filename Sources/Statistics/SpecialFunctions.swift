import CBoostMath

/// Boost.Math with its failures made typed: each function throws `noConvergence` instead of answering NaN.
enum SpecialFunctions {
  static func normalQuantile(_ p: Double) throws(StatisticsError) -> Double {
    try checked(boostNormalQuantile(p), "normal quantile of \(p)")
  }

  private static func checked(
    _ value: Double, _ what: @autoclosure () -> String
  ) throws(StatisticsError) -> Double {
    guard !value.isNaN else {
      throw StatisticsError(.noConvergence, "no value for the \(what()); check its arguments")
    }
    return value
  }
}
