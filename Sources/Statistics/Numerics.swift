import CBoostMath

/// `a * b - c * d` to within two units of the last place, however much of it cancels (Kahan; Jeannerod,
/// Louvet and Muller 2013, Math Comp 82:2245).
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
/// - Returns: the crossing, to the last place or to 1e-36 of the bracket's width; an end of the bracket, if
///   `function` is on the other side all the way there.
func bisectFalling(_ start: Double, _ end: Double, _ function: (Double) -> Double) -> Double {
  var lower = start
  var upper = end
  // A crossing at 0 exactly would otherwise be followed through all the subnormal numbers.
  for _ in 0..<120 {
    let middle = lower + (upper - lower) / 2
    guard middle > lower, middle < upper else { break }
    if function(middle) > 0 { lower = middle } else { upper = middle }
  }
  if lower == start { return start }
  return upper == end ? end : lower + (upper - lower) / 2
}
