import Statistics

extension GoldenValue {
  fileprivate var clusterSums: ClusterSums {
    get throws {
      try ClusterSums(
        clusters: number("G"), trials: number("sum_n"), successes: number("sum_y"),
        trialsSquared: number("sum_nn"), successesSquared: number("sum_yy"),
        trialsTimesSuccesses: number("sum_ny"))
    }
  }

  fileprivate func clusterTotals(_ successes: String, _ trials: String) throws -> ClusterTotals {
    try ClusterTotals(successes: self[successes].numbers, trials: self[trials].numbers)
  }

  /// The comparison of `treatment` with `control`; nil where either has no variance.
  var independentComparison: ClusteredComparison? {
    get throws {
      guard let rich = try self["treatment"].clusterSums.ratio(),
        let text = try self["control"].clusterSums.ratio()
      else { return nil }
      return ClusteredComparison(independent: rich, text)
    }
  }
}

private func clustered(_ ratio: ClusteredRatio?) -> [String: GoldenValue] {
  [
    "rate": .optional(ratio?.rate), "variance": .optional(ratio?.variance),
    "se": .optional(ratio?.standardError), "naive_variance": .optional(ratio?.naiveVariance),
    "design_effect": .optional(ratio?.designEffect), "df": .optional(ratio?.degreesOfFreedom),
  ]
}

let goldenClusters: [String: GoldenFunction] = [
  "delta_ratio_variance": { clustered(try $0.clusterTotals("y", "n").ratio()) },
  "delta_ratio_from_sufficient_stats": { clustered(try $0.clusterSums.ratio()) },
  "bucket_variance": {
    let ratio = try $0.clusterTotals("y", "n").ratio()
    return clustered(ratio).merging(["t_crit_95": .optional(try ratio?.criticalValue())]) { $1 }
  },
  "clustered_diff_and_log_ratio": {
    guard try $0.flag("independent_arms"), let comparison = try $0.independentComparison else {
      throw GoldenError("only independent arms can be compared by their sums")
    }
    let difference = try comparison.difference($0.level)
    let ratio = try comparison.ratio($0.level)
    return [
      "diff": .number(difference.value), "se_diff": .number(difference.standardError),
      "diff_lower": .number(difference.interval.lower),
      "diff_upper": .number(difference.interval.upper), "ratio": .optional(ratio?.value),
      "se_log_ratio": .optional(ratio?.logStandardError),
      "ratio_lower": .optional(ratio?.interval.lower),
      "ratio_upper": .optional(ratio?.interval.upper),
    ]
  },
  "clustered_diff_shared_devices": {
    let comparison = try ClusteredComparison(
      sharing: $0.clusterTotals("y1", "n1"), $0.clusterTotals("y0", "n0"))
    return [
      "diff": .optional(comparison?.difference().value),
      "variance": .optional(comparison?.varianceOfDifference),
      "variance_if_wrongly_independent": .optional(comparison?.varianceIfIndependent),
      "covariance": .optional(comparison?.covariance),
    ]
  },
  "sumsq_increment": {
    let (before, delta, state) = try ($0["before"], $0["delta"], $0["state"])
    var sums = try ClusterSums(
      clusters: 1, trials: before.number("n"), successes: before.number("y"),
      trialsSquared: state.number("sum_nn"), successesSquared: state.number("sum_yy"),
      trialsTimesSuccesses: state.number("sum_ny"))
    try sums.add(
      trials: delta.number("n"), successes: delta.number("y"),
      toClusterWith: before.number("n"), successes: before.number("y"))
    return [
      "sum_nn": .number(sums.trialsSquared), "sum_yy": .number(sums.successesSquared),
      "sum_ny": .number(sums.trialsTimesSuccesses),
    ]
  },
  "design_effect_icc": {
    let designEffect = try kishDesignEffect(
      clusterSize: $0.number("cluster_size"), intraclassCorrelation: $0.number("icc"))
    return ["deff": .number(designEffect)]
  },
]

let goldenSurvival: [String: GoldenFunction] = [
  "kaplan_meier": {
    let curve = try KaplanMeier(
      times: $0["time"].numbers, hasEvent: $0["event"].numbers.map { $0 == 1 })
    return [
      "time": .list(curve.steps.map { .number($0.time) }),
      "survival": .list(curve.steps.map { .number($0.survival) }),
      "naive_rate_all": .optional(curve.naiveRate),
      "km_cumulative_interaction": .optional(curve.cumulativeIncidence),
      "median": .optional(curve.median), "q1": .optional(curve.quartiles.lower),
      "q3": .optional(curve.quartiles.upper),
    ]
  }
]
