import CBoostMath

/// `a * b - c * d` to within two units of the last place, however much of it cancels (Kahan; Jeannerod, Louvet and
/// Muller 2013, Math Comp 82:2245).
func differenceOfProducts(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
  let product = c * d
  let error = (-product).addingProduct(c, d)
  return (-product).addingProduct(a, b) - error
}

/// Two-sided P of a standard normal `z`, by the survival function: `2 * (1 - cdf)` is 0 from |z| = 8.3.
func twoSidedNormalP(_ z: Double) -> Double {
  erfc(abs(z) / 2.0.squareRoot())
}

/// Where a function that never rises crosses zero, by bisection.
///
/// - Parameters:
///   - lower: a point at which `function` is not negative, or the end of its domain.
///   - upper: a point at which `function` is not positive, or the end of its domain.
/// - Returns: the crossing, to the last place or to 1e-36 of the bracket's width.
func bisectFalling(_ lower: Double, _ upper: Double, _ function: (Double) -> Double) -> Double {
  var lower = lower
  var upper = upper
  // A crossing at 0 exactly would otherwise be followed through all the subnormal numbers.
  for _ in 0..<120 {
    let middle = lower + (upper - lower) / 2
    guard middle > lower, middle < upper else { break }
    if function(middle) > 0 { lower = middle } else { upper = middle }
  }
  return lower + (upper - lower) / 2
}
