internal import EventStore
internal import Projections
internal import Reports
internal import Statistics

/// How often each interval held the truth, clustered as the product makes it and naive beside it.
struct CoverageTally: Sendable {
  enum Interval: Int, CaseIterable, Sendable {
    case rate, difference, uplift, categoryRate, categoryDifference, categoryUplift, pooledUplift,
      pooledDifference

    var title: String {
      switch self {
      case .rate: "rate, Wilson"
      case .difference: "difference, Miettinen–Nurminen"
      case .uplift: "uplift, Miettinen–Nurminen"
      case .categoryRate: "a category's rate, Wilson"
      case .categoryDifference: "a category's difference, Miettinen–Nurminen"
      case .categoryUplift: "a category's uplift, Miettinen–Nurminen"
      case .pooledUplift: "all categories' uplift, Mantel–Haenszel (jackknife; naive: Greenland–Robins)"
      case .pooledDifference: "all categories' difference, Mantel–Haenszel (jackknife; naive: Sato)"
      }
    }
  }

  /// Shares of intervals that held the truth, one number a replication, as sums: so that the Monte-Carlo error counts
  /// replications, which are independent, and not intervals, which are not.
  struct Share: Sendable, Hashable {
    private(set) var count = 0.0
    private var sum = 0.0
    private var squares = 0.0

    mutating func add(_ held: [Bool]) {
      guard !held.isEmpty else { return }
      let share = Double(held.count { $0 }) / Double(held.count)
      count += 1
      sum += share
      squares += share * share
    }

    mutating func add(_ other: Share) {
      count += other.count
      sum += other.sum
      squares += other.squares
    }

    /// 0 to 1; NaN without any.
    var value: Double { sum / count }

    var standardError: Double {
      (max(squares / count - value * value, 0) / max(count - 1, 1)).squareRoot()
    }
  }

  private(set) var clustered = [Share](repeating: Share(), count: Interval.allCases.count)
  private(set) var naive = [Share](repeating: Share(), count: Interval.allCases.count)
  /// For each kind of look, how many replications had missed by each night.
  private(set) var misses: [[Int]]
  private(set) var replications = 0
  private var designEffects = 0.0

  init(nights: Int) {
    misses = Array(repeating: Array(repeating: 0, count: nights), count: NightlyLooks.Kind.allCases.count)
  }

  /// The mean design effect of the difference.
  var designEffect: Double { designEffects / Double(replications) }

  /// Of the replications, the share that missed on any night up to this one, from 1.
  func missed(_ kind: NightlyLooks.Kind, by night: Int) -> Double {
    Double(misses[kind.rawValue][night - 1]) / Double(replications)
  }

  mutating func add(_ other: CoverageTally) {
    for place in clustered.indices {
      clustered[place].add(other.clustered[place])
      naive[place].add(other.naive[place])
    }
    for kind in misses.indices {
      for night in misses[kind].indices { misses[kind][night] += other.misses[kind][night] }
    }
    replications += other.replications
    designEffects += other.designEffects
  }

  mutating func add(_ looks: NightlyLooks) {
    for (kind, first) in looks.firstMiss.enumerated() {
      guard let first else { continue }
      for night in first..<misses[kind].count { misses[kind][night] += 1 }
    }
  }

  mutating func add(_ report: RateReport, _ plan: CoveragePlan) {
    replications += 1
    designEffects += report.crude.designEffect ?? 1
    add([(report.crude, plan.base)], plan, .rate, .difference, .uplift)
    let categories = report.categories.compactMap { comparison in
      CoveragePlan.categories.firstIndex { comparison.scope == .category($0) }.map {
        (comparison, plan.textRates[$0])
      }
    }
    add(categories, plan, .categoryRate, .categoryDifference, .categoryUplift)
    let strata = StratifiedProportions(categories.map { Self.pair($0.0) })
    let uplift = report.pooled.upliftInterval.map { [$0.contains(plan.uplift)] } ?? []
    let difference = report.pooled.differenceInterval.map { [$0.contains(plan.base * plan.uplift)] } ?? []
    let ratio = strata.mantelHaenszelRiskRatio().map { [$0.interval.contains(1 + plan.uplift)] } ?? []
    let plain =
      strata.mantelHaenszelRiskDifference().map { [$0.interval.contains(plan.base * plan.uplift)] } ?? []
    add(.pooledUplift, clustered: uplift, naive: ratio)
    add(.pooledDifference, clustered: difference, naive: plain)
  }

  private mutating func add(
    _ comparisons: [(Comparison, textRate: Double)], _ plan: CoveragePlan, _ rate: Interval,
    _ difference: Interval, _ uplift: Interval
  ) {
    var clustered: [Interval: [Bool]] = [:]
    var naive: [Interval: [Bool]] = [:]
    func note(
      _ kind: Interval, _ interval: ConfidenceInterval?, _ plain: ConfidenceInterval?, _ truth: Double
    ) {
      if let interval { clustered[kind, default: []].append(interval.contains(truth)) }
      if let plain { naive[kind, default: []].append(plain.contains(truth)) }
    }
    for (comparison, textRate) in comparisons {
      let pair = Self.pair(comparison)
      note(rate, comparison.rich.interval, pair.rich.wilsonInterval(), textRate * (1 + plan.uplift))
      note(rate, comparison.text.interval, pair.text.wilsonInterval(), textRate)
      note(
        difference, comparison.differenceInterval, pair.miettinenNurminenDifference(), textRate * plan.uplift)
      note(uplift, comparison.upliftInterval, pair.relativeUplift()?.interval, plan.uplift)
    }
    for kind in [rate, difference, uplift] {
      add(kind, clustered: clustered[kind] ?? [], naive: naive[kind] ?? [])
    }
  }

  private mutating func add(_ kind: Interval, clustered: [Bool], naive: [Bool]) {
    self.clustered[kind.rawValue].add(clustered)
    self.naive[kind.rawValue].add(naive)
  }

  private static func pair(_ comparison: Comparison) -> TwoProportions {
    TwoProportions(rich: comparison.rich.counts, text: comparison.text.counts)
  }
}
