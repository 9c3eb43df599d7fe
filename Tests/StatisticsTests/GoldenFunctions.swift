import Statistics

/// Computes a row's answer from its inputs, with all the keys that a row may expect.
typealias GoldenFunction = @Sendable (GoldenValue) throws -> [String: GoldenValue]

/// Every function that `golden.csv` may name.
let goldenFunctions: [String: GoldenFunction] = [
  goldenProportions, goldenDifferences, goldenRatios, goldenUplifts, goldenTests, goldenFamilies,
  goldenStrata,
  goldenHomogeneity, goldenSampleRatios, goldenClusters, goldenSequences, goldenPlans, goldenSurvival,
].reduce(into: [:]) { all, part in all.merge(part) { _, new in new } }

extension GoldenValue {
  var level: ConfidenceLevel {
    get throws { try has("conf") ? ConfidenceLevel(number("conf")) : .ninetyFive }
  }

  func proportion(_ successes: String, _ trials: String) throws -> Proportion {
    try Proportion(successes: number(successes), trials: number(trials))
  }

  /// Two arms as `x1, n1, x2, n2`.
  var arms: TwoProportions {
    get throws {
      TwoProportions(rich: try proportion("x1", "n1"), text: try proportion("x2", "n2"))
    }
  }
}

func limits(_ interval: ConfidenceInterval?) -> [String: GoldenValue] {
  guard let interval else { return ["lower": .null, "upper": .null, "status": .string("no_data")] }
  return ["lower": .number(interval.lower), "upper": .number(interval.upper)]
}

private let goldenProportions: [String: GoldenFunction] = [
  "wilson": { try limits($0.proportion("x", "n").wilsonInterval($0.level)) },
  "wilson_cc": { try limits($0.proportion("x", "n").wilsonContinuityCorrectedInterval($0.level)) },
  "clopper_pearson": { try limits($0.proportion("x", "n").clopperPearsonInterval($0.level)) },
  "jeffreys": { try limits($0.proportion("x", "n").jeffreysInterval($0.level)) },
  "agresti_coull": { try limits($0.proportion("x", "n").agrestiCoullInterval($0.level)) },
  "wilson_clustered": {
    let effective = try $0.proportion("x", "n").effective(designEffect: $0.number("design_effect"))
    return try limits(effective.wilsonInterval($0.level))
  },
]

private let goldenDifferences: [String: GoldenFunction] = [
  "wald_diff": { try limits($0.arms.waldDifference($0.level)) },
  "newcombe_diff": { try limits($0.arms.newcombeDifference($0.level)) },
  "newcombe_cc_diff": { try limits($0.arms.newcombeContinuityCorrectedDifference($0.level)) },
  "agresti_caffo_diff": { try limits($0.arms.agrestiCaffoDifference($0.level)) },
  "mn_diff": { try limits($0.arms.miettinenNurminenDifference($0.level)) },
  "mee_diff": { try limits($0.arms.meeDifference($0.level)) },
]

private let goldenRatios: [String: GoldenFunction] = [
  "mn_ratio": { try limits($0.arms.miettinenNurminenRatio($0.level)) },
  "koopman_ratio": { try limits($0.arms.koopmanRatio($0.level)) },
  "katz_ratio": { try limits($0.arms.katzRatio($0.level)) },
  "adjusted_log_ratio": { try limits($0.arms.adjustedLogRatio($0.level)) },
  "mover_r_ratio": { try limits($0.arms.moverRatio($0.level)) },
]

private let goldenUplifts: [String: GoldenFunction] = [
  "relative_uplift": {
    let uplift = try $0.arms.relativeUplift($0.level)
    return limits(uplift?.interval).merging(
      ["uplift": .optional(uplift?.value), "method": .string("mn_ratio-1")]
    ) { $1 }
  },
  "relative_uplift_delta_t": { tUplift(try $0.arms.deltaMethodUplift($0.level)) },
  "ratio_metric_relative_uplift": {
    tUplift(try $0.independentComparison?.deltaMethodUplift($0.level))
  },
]

private func tUplift(_ uplift: DeltaMethodUplift?) -> [String: GoldenValue] {
  limits(uplift?.interval).merging(["uplift": .optional(uplift?.value), "p": .optional(uplift?.p)]) { $1 }
}

private func statistic(_ test: ZTest?) -> [String: GoldenValue] {
  guard let test else { return ["z": .null, "p": .null, "status": .string("no_data")] }
  return ["z": .optional(test.z), "p": .number(test.p)]
}

extension GoldenValue {
  /// A table whose columns are the arms and whose first row holds the successes.
  fileprivate var table: TwoProportions {
    get throws {
      let rows = try self["table"].elements.map { try $0.numbers }
      func arm(_ column: Int) throws -> Proportion {
        try Proportion(
          successes: rows[0][column], trials: rows[0][column] + rows[1][column])
      }
      return TwoProportions(rich: try arm(0), text: try arm(1))
    }
  }

  fileprivate var alternative: Alternative {
    get throws {
      switch try text("alternative") {
      case "less": .less
      case "greater": .greater
      case "two-sided": .twoSided
      default: throw GoldenError("unknown alternative")
      }
    }
  }
}

private func fisher(_ inputs: GoldenValue, _ p: (FisherTest) -> Double) throws -> [String: GoldenValue] {
  guard let test = try inputs.arms.fisherExactTest() else { return statistic(nil) }
  return ["p": .number(p(test)), "exact": .number(p(test))]
}

private let goldenTests: [String: GoldenFunction] = [
  "fisher_two_sided": { try fisher($0) { $0.p } },
  "fisher_midp": { try fisher($0) { $0.midP } },
  "barnard_exact": {
    // The reference is scipy's, which leaves ties to rounding.
    let test = try $0.table.barnardExactTest(
      $0.alternative, pooled: $0.flag("pooled"), tieTolerance: 0)
    return ["p": .number(test.p), "statistic": .number(test.statistic)]
  },
  "boschloo_exact": {
    let test = try $0.table.boschlooExactTest($0.alternative)
    return ["p": .number(test.p), "fisher_statistic": .number(test.statistic)]
  },
  "n_minus_1_chi2": { try statistic($0.arms.nMinusOneChiSquareTest()) },
  "pooled_z": { try statistic($0.arms.pooledZTest()) },
]

private func adjusted(_ values: [Double]) -> [String: GoldenValue] {
  ["adjusted": .list(values.map(GoldenValue.number))]
}

private func rejected(_ values: [Double], _ inputs: GoldenValue) throws -> [String: GoldenValue] {
  let alpha = try inputs.number("alpha")
  return ["rejected": .number(Double(values.count { $0 <= alpha }))]
}

private let goldenFamilies: [String: GoldenFunction] = [
  "holm": { adjusted(try PValueFamily($0["p"].numbers).holm()) },
  "bonferroni": { adjusted(try PValueFamily($0["p"].numbers).bonferroni()) },
  "bh": { adjusted(try PValueFamily($0["p"].numbers).benjaminiHochberg()) },
  "by": { adjusted(try PValueFamily($0["p"].numbers).benjaminiYekutieli()) },
  "bh_reject_count": {
    try rejected(PValueFamily($0["p"].numbers).benjaminiHochberg(), $0)
  },
  "bonferroni_reject_count": { try rejected(PValueFamily($0["p"].numbers).bonferroni(), $0) },
  "holm_reject_count": { try rejected(PValueFamily($0["p"].numbers).holm(), $0) },
  "by_reject_count": { try rejected(PValueFamily($0["p"].numbers).benjaminiYekutieli(), $0) },
]
