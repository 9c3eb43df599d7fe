/// Fisher's exact test of a two-by-two table.
package struct FisherTest: Sendable, Hashable {
  /// The two-sided p-value: the probability, with all margins fixed, of tables no more probable than the one
  /// observed.
  package let p: Double
  /// `p` less half the probability of the observed table (Lancaster 1961), which corrects most of the test's
  /// caution.
  package let midP: Double
}

extension TwoProportions {
  /// Fisher's two-sided exact test (1934), which compares probabilities with a relative tolerance of 1e-7, so
  /// that tables that are equally probable count as such despite rounding.
  ///
  /// - Returns: `nil` with an empty arm.
  /// - Throws: `countNotWhole`, if a count is not a whole number.
  /// - Complexity: proportional to the standard deviation of the table's counts; about 0.1 s for two arms of
  ///   1e9.
  package func fisherExactTest() throws(StatisticsError) -> FisherTest? {
    guard !hasEmptyArm else { return nil }
    let margins = try HypergeometricMargins(self)
    let observed = margins.probability(rich.successes)
    guard observed * (1 + 1e-7) < margins.probability(margins.mode) else {
      return FisherTest(p: 1, midP: 1 - observed / 2)
    }
    // Both tails as upper ones: that of the mirrored table is the lower one of this.
    let isAbove = rich.successes > margins.mode
    let near =
      isAbove ? margins.upperTail(rich.successes) : margins.mirrored.upperTail(text.successes)
    let far = (isAbove ? margins.mirrored : margins).upperTail(noLikelierThan: observed * (1 + 1e-7))
    let p = min(near + far, 1)
    return FisherTest(p: p, midP: p - observed / 2)
  }
}

/// The distribution of the rich arm's successes when both arms' trials and the total of successes are given.
struct HypergeometricMargins {
  let first: Double
  let second: Double
  let successes: Double

  /// - Throws: `countNotWhole`.
  init(_ table: TwoProportions) throws(StatisticsError) {
    for count in [
      table.rich.successes, table.rich.trials, table.text.successes, table.text.trials,
    ] where count.rounded() != count {
      throw StatisticsError(
        .countNotWhole, "an exact test needs whole counts, and \(count) is none; do not divide by deff")
    }
    self.init(
      first: table.rich.trials, second: table.text.trials,
      successes: table.rich.successes + table.text.successes)
  }

  init(first: Double, second: Double, successes: Double) {
    self.first = first
    self.second = second
    self.successes = successes
  }

  /// The same margins seen from the other arm.
  var mirrored: HypergeometricMargins {
    HypergeometricMargins(first: second, second: first, successes: successes)
  }

  var smallest: Double { max(0, successes - second) }
  var largest: Double { min(first, successes) }

  var mode: Double {
    let mode = ((successes + 1) / (first + second + 2) * (first + 1)).rounded(.down)
    return min(max(mode, smallest), largest)
  }

  func probability(_ x: Double) -> Double {
    SaddlePoint.hypergeometricProbability(x, first: first, second: second, successes: successes)
  }

  /// P(X >= x), summed outward until the terms no longer count.
  func upperTail(_ x: Double) -> Double {
    var term = probability(x)
    var sum = term
    var x = x
    while x < largest, term > sum * 1e-18 {
      term *= (successes - x) / (x + 1) * ((first - x) / (second - successes + x + 1))
      sum += term
      x += 1
    }
    return sum
  }

  /// The probability of the tables above the mode that are no likelier than `bound`, which is below the
  /// mode's own.
  func upperTail(noLikelierThan bound: Double) -> Double {
    guard probability(largest) <= bound else { return 0 }
    // Above the mode probabilities fall: bisect for the first that is small enough.
    var tooLikely = mode
    var smallEnough = largest
    while smallEnough - tooLikely > 1 {
      let middle = (tooLikely + (smallEnough - tooLikely) / 2).rounded(.down)
      if probability(middle) <= bound { smallEnough = middle } else { tooLikely = middle }
    }
    return upperTail(smallEnough)
  }
}
