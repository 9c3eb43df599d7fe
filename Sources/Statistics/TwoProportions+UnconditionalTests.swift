import CBoostMath

/// Which way a one-sided test looks.
package enum Alternative: Sendable, Hashable {
  /// The rates differ.
  case twoSided
  /// The rich rate is the lower one.
  case less
  /// The rich rate is the higher one.
  case greater
}

/// An exact test that fixes the arms' trials only.
package struct UnconditionalTest: Sendable, Hashable {
  /// What orders the tables: Wald's z for Barnard's test, the one-sided Fisher p for Boschloo's.
  package let statistic: Double
  /// The p-value, 0 … 1: the probability of tables at least as extreme, at the common rate that makes it
  /// largest.
  package let p: Double
}

extension TwoProportions {
  /// Barnard's exact test (1945, Nature 156:177), ordered by Wald's z.
  ///
  /// - Parameters:
  ///   - pooled: whether the z takes its variance from both arms together.
  ///   - tieTolerance: how far below the observed z, relatively, another counts as equal. Mirrored tables tie
  ///     exactly, and rounding must not decide whether they count; 0 leaves it to rounding, as
  ///     `scipy.stats.barnard_exact` does.
  /// - Returns: statistic 0 and p = 1 for a table that can show nothing: an empty arm, no success or no
  ///   failure.
  /// - Throws: `countNotWhole`, or `tableTooLarge` beyond a million possible tables.
  package func barnardExactTest(
    _ alternative: Alternative = .twoSided, pooled: Bool = true, tieTolerance: Double = 1e-9
  ) throws(StatisticsError) -> UnconditionalTest {
    try StatisticsError.require(tieTolerance, "tie tolerance", "a number from 0 to 0.01") {
      $0 >= 0 && $0 <= 0.01
    }
    let space = try TableSpace(self)
    guard !hasEmptyArm, hasVariation else { return UnconditionalTest(statistic: 0, p: 1) }
    let observed = waldStatistic(pooled: pooled)
    let slack = observed.isFinite ? tieTolerance * abs(observed) : 0
    let p = space.largestProbability { table in
      let z = table.waldStatistic(pooled: pooled)
      return switch alternative {
      case .twoSided: abs(z) >= abs(observed) - slack
      case .less: z <= observed + slack
      case .greater: z >= observed - slack
      }
    }
    return UnconditionalTest(statistic: observed, p: p)
  }

  /// Boschloo's exact test (1970, Stat Neerl 24:1), ordered by the one-sided p of Fisher's test; uniformly
  /// stronger than Fisher's.
  ///
  /// - Returns: twice the smaller one-sided p for `twoSided`; p = 1 for a table that can show nothing: an
  ///   empty arm, no success or no failure.
  /// - Throws: `countNotWhole`, or `tableTooLarge` beyond a million possible tables.
  package func boschlooExactTest(
    _ alternative: Alternative = .twoSided
  ) throws(StatisticsError) -> UnconditionalTest {
    let space = try TableSpace(self)
    guard !hasEmptyArm, hasVariation else { return UnconditionalTest(statistic: 1, p: 1) }
    switch alternative {
    case .greater:
      let observed = greaterFisherP
      let p = space.largestProbability { $0.greaterFisherP <= observed * (1 + 1e-9) }
      return UnconditionalTest(statistic: observed, p: p)
    case .less:
      return try swapped.boschlooExactTest(.greater)
    case .twoSided:
      let less = try boschlooExactTest(.less)
      let greater = try boschlooExactTest(.greater)
      let smaller = less.p <= greater.p ? less : greater
      return UnconditionalTest(statistic: smaller.statistic, p: min(2 * smaller.p, 1))
    }
  }

  private func waldStatistic(pooled usesPool: Bool) -> Double {
    let (p1, p2, n1, n2) = (rich.knownRate, text.knownRate, rich.trials, text.trials)
    guard p1 != p2 else { return 0 }
    let p = pooled.knownRate
    let variance =
      usesPool ? p * (1 - p) * (1 / n1 + 1 / n2) : p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2
    return (p1 - p2) / variance.squareRoot()
  }

  private var greaterFisherP: Double {
    HypergeometricMargins(
      first: rich.trials, second: text.trials, successes: rich.successes + text.successes
    ).upperTail(rich.successes)
  }
}

/// All tables that two arms of given sizes can give.
private struct TableSpace {
  let rich: Double
  let text: Double

  init(_ table: TwoProportions) throws(StatisticsError) {
    _ = try HypergeometricMargins(table)
    guard (table.rich.trials + 1) * (table.text.trials + 1) <= 1e6 else {
      throw StatisticsError(
        .tableTooLarge,
        "an unconditional exact test of \(table.rich.trials) against \(table.text.trials) trials weighs over a "
          + "million tables; use the N−1 chi-square test")
    }
    rich = table.rich.trials
    text = table.text.trials
  }

  /// The probability of the tables that satisfy `isExtreme`, maximised over the common rate.
  func largestProbability(_ isExtreme: (TwoProportions) -> Bool) -> Double {
    let shares = extremeShares(isExtreme)
    // In the arcsine of its root every rate has the same standard deviation, so an even grid misses no peak.
    let end = 2 * atan(1.0)
    let count = max(200, Int(16 * (rich + text).squareRoot()))
    func value(_ angle: Double) -> Double { probability(shares, rate: sin(angle) * sin(angle)) }
    let grid = (0...count).map { value(end * Double($0) / Double(count)) }
    return grid.indices.dropFirst().dropLast().reduce(max(grid[0], grid[count])) { best, index in
      guard grid[index] >= grid[index - 1], grid[index] >= grid[index + 1] else { return best }
      let step = end / Double(count)
      return max(best, peak(from: step * Double(index - 1), to: step * Double(index + 1), value))
    }
  }

  /// For every total of successes, the share of its tables (by probability) that are extreme.
  private func extremeShares(_ isExtreme: (TwoProportions) -> Bool) -> [Double] {
    (0...Int(rich + text)).map { total in
      let margins = HypergeometricMargins(first: rich, second: text, successes: Double(total))
      return stride(from: margins.smallest, through: margins.largest, by: 1).reduce(0) { share, x in
        let table = TwoProportions(
          rich: Proportion(unchecked: x, of: rich),
          text: Proportion(unchecked: Double(total) - x, of: text))
        return isExtreme(table) ? share + margins.probability(x) : share
      }
    }
  }

  private func probability(_ shares: [Double], rate: Double) -> Double {
    let all = rich + text
    return shares.enumerated().reduce(0) { sum, share in
      guard share.element > 0 else { return sum }
      let logProbability = SaddlePoint.binomialLogProbability(
        Double(share.offset), of: all, p: rate, q: 1 - rate)
      return sum + share.element * exp(logProbability)
    }
  }

  /// The largest value between two points that enclose a single peak, by golden section.
  private func peak(from lower: Double, to upper: Double, _ value: (Double) -> Double) -> Double {
    let golden = (5.0.squareRoot() - 1) / 2
    var (lower, upper) = (lower, upper)
    var left = upper - golden * (upper - lower)
    var right = lower + golden * (upper - lower)
    var (atLeft, atRight) = (value(left), value(right))
    for _ in 0..<40 {
      if atLeft > atRight {
        (upper, right, atRight) = (right, left, atLeft)
        left = upper - golden * (upper - lower)
        atLeft = value(left)
      } else {
        (lower, left, atLeft) = (left, right, atRight)
        right = lower + golden * (upper - lower)
        atRight = value(right)
      }
    }
    return min(max(atLeft, atRight), 1)
  }
}
