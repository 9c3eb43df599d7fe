import Statistics

/// Computes a row's answer from its inputs, with all the keys that a row may expect.
typealias GoldenFunction = @Sendable (GoldenValue) throws -> [String: GoldenValue]

/// Every function that `golden.csv` may name.
let goldenFunctions: [String: GoldenFunction] = [
  goldenProportions, goldenDifferences, goldenRatios, goldenTests, goldenFamilies,
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
  "wilson_clustered": {
    let effective = try $0.proportion("x", "n").effective(designEffect: $0.number("design_effect"))
    return try limits(effective.wilsonInterval($0.level))
  },
]

private let goldenDifferences: [String: GoldenFunction] = [
  "mn_diff": { try limits($0.arms.miettinenNurminenDifference($0.level)) },
  "mee_diff": { try limits($0.arms.meeDifference($0.level)) },
]

private let goldenRatios: [String: GoldenFunction] = [
  "mn_ratio": { try limits($0.arms.miettinenNurminenRatio($0.level)) },
  "koopman_ratio": { try limits($0.arms.koopmanRatio($0.level)) },
]

private func statistic(_ test: ZTest?) -> [String: GoldenValue] {
  guard let test else { return ["z": .null, "p": .null, "status": .string("no_data")] }
  return ["z": .optional(test.z), "p": .number(test.p)]
}

private let goldenTests: [String: GoldenFunction] = [
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
