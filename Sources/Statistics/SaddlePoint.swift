import CBoostMath

/// Binomial and hypergeometric probabilities to nearly full precision at any size, by Loader's saddle-point
/// expansion (2000, "Fast and accurate computation of binomial probabilities"). Differences of log-factorials
/// would lose nine digits at 1e9.
enum SaddlePoint {
  /// The error of Stirling's formula: log x! − (x + ½) log x + x − ½ log 2π, for x > 0.
  static func stirlingError(_ x: Double) -> Double {
    guard x > 15 else {
      return boostLogGamma(x + 1) - (x + 0.5) * log(x) + x - halfLogTwoPi
    }
    let square = x * x
    let inner = 1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square
    return (1 / 12 - (1 / 360 - inner / square) / square) / x
  }

  /// x log(x / mean) + mean − x, for x > 0 and mean > 0, without cancellation where x is near the mean.
  static func deviance(_ x: Double, mean: Double) -> Double {
    guard abs(x - mean) < 0.1 * (x + mean) else { return x * log(x / mean) + mean - x }
    let lean = (x - mean) / (x + mean)
    var sum = (x - mean) * lean
    var term = 2 * x * lean
    for odd in stride(from: 3.0, to: 2000, by: 2) {
      term *= lean * lean
      let next = sum + term / odd
      if next == sum { break }
      sum = next
    }
    return sum
  }

  /// The log probability of `x` successes in `n` trials with rate `p` = 1 − `q`; 0 ≤ x ≤ n.
  static func binomialLogProbability(_ x: Double, of n: Double, p: Double, q: Double) -> Double {
    if x == 0 { return n == 0 ? 0 : n * logRate(q, complement: p) }
    if x == n { return n * logRate(p, complement: q) }
    return stirlingError(n) - stirlingError(x) - stirlingError(n - x)
      - deviance(x, mean: n * p) - deviance(n - x, mean: n * q)
      - halfLogTwoPi - 0.5 * (log(x) + log((n - x) / n))
  }

  /// The probability that `x` of the successes fall to the first arm, with all margins fixed.
  static func hypergeometricProbability(
    _ x: Double, first: Double, second: Double, successes: Double
  ) -> Double {
    let all = first + second
    guard successes > 0, successes < all else { return 1 }
    let p = successes / all
    let q = (all - successes) / all
    return exp(
      binomialLogProbability(x, of: first, p: p, q: q)
        + binomialLogProbability(successes - x, of: second, p: p, q: q)
        - binomialLogProbability(successes, of: all, p: p, q: q))
  }

  static let halfLogTwoPi = 0.918938533204672741780329736406

  private static func logRate(_ rate: Double, complement: Double) -> Double {
    complement < 0.5 ? log1p(-complement) : log(rate)
  }
}
