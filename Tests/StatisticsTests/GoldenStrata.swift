import Statistics

extension GoldenValue {
  /// A table as `x1, n1, x0, n0`.
  fileprivate var stratum: TwoProportions {
    get throws {
      TwoProportions(rich: try proportion("x1", "n1"), text: try proportion("x0", "n0"))
    }
  }

  fileprivate var strata: StratifiedProportions {
    get throws { StratifiedProportions(try self["strata"].elements.map { try $0.stratum }) }
  }

  fileprivate var buckets: BucketedProportions {
    get throws {
      try BucketedProportions(
        self["buckets"].elements.map { try $0.elements.map { try $0.stratum } })
    }
  }
}

private func difference(_ estimate: DifferenceEstimate?) -> [String: GoldenValue] {
  limits(estimate?.interval).merging(
    ["rd": .optional(estimate?.value), "se": .optional(estimate?.standardError)]
  ) { $1 }
}

private func ratio(_ key: String, _ estimate: RatioEstimate?) -> [String: GoldenValue] {
  limits(estimate?.interval).merging(
    [key: .optional(estimate?.value), "se_log": .optional(estimate?.logStandardError)]
  ) { $1 }
}

private func chiSquare(_ key: String, _ test: ChiSquareTest?) -> [String: GoldenValue] {
  [
    key: .optional(test?.statistic), "df": .optional(test.map { Double($0.degreesOfFreedom) }),
    "p": .optional(test?.p),
  ]
}

private func heterogeneity(
  _ inputs: GoldenValue, _ measure: EffectMeasure, _ center: HomogeneityCenter
) throws -> [String: GoldenValue] {
  let found = try inputs.strata.cochranQ(measure, center: center)
  let pooled: [String: GoldenValue] = [
    measure == .logRiskRatio ? "pooled_log_rr" : "pooled_rd": .optional(found?.center),
    "se": .optional(found?.inverseVarianceStandardError), "i2": .optional(found?.iSquared),
  ]
  return chiSquare("q", found?.test).merging(pooled) { $1 }
}

let goldenStrata: [String: GoldenFunction] = [
  "mh_rr": { ratio("rr", try $0.strata.mantelHaenszelRiskRatio($0.level)) },
  "mh_or": { ratio("or", try $0.strata.mantelHaenszelOddsRatio($0.level)) },
  "mh_rd_sato": {
    difference(try $0.strata.mantelHaenszelRiskDifference($0.level, variance: .sato))
  },
  "mh_rd_greenland_robins": {
    difference(try $0.strata.mantelHaenszelRiskDifference($0.level, variance: .greenlandRobins))
  },
  "cmh": {
    let correct = try $0.flag("correct")
    return chiSquare("chi2", try $0.strata.cochranMantelHaenszelTest(continuityCorrected: correct))
  },
  "standardised_rd": {
    let populations: [String: StandardPopulation] = [
      "n1+n0": .bothArms, "n1": .richArm, "n0": .textArm,
    ]
    guard let population = try populations[$0.text("weights")] else {
      throw GoldenError("unknown weights")
    }
    let rates = try $0.strata.directlyStandardised(to: population, $0.level)
    return difference(rates?.difference).merging(
      ["rate1": .optional(rates?.rich), "rate0": .optional(rates?.text)]
    ) { $1 }
  },
  "simpson_check": {
    guard let check = try $0.strata.simpsonCheck() else { return [:] }
    return [
      "crude_rr": .number(check.crudeRatio), "mh_rr": .number(check.adjustedRatio),
      "strata_with_rr_gt_1": .number(Double(check.strataAboveOne)),
      "sign_reversal": .bool(check.isReversed),
    ]
  },
]

let goldenHomogeneity: [String: GoldenFunction] = [
  "cochran_q_logrr_mh_centered": { try heterogeneity($0, .logRiskRatio, .mantelHaenszel) },
  "cochran_q_logrr_iv": { try heterogeneity($0, .logRiskRatio, .inverseVariance) },
  "cochran_q_rd_mh_centered": { try heterogeneity($0, .riskDifference, .mantelHaenszel) },
  "cochran_q_rd_iv": { try heterogeneity($0, .riskDifference, .inverseVariance) },
  "breslow_day": { chiSquare("q", try $0.strata.breslowDayTest(taroneCorrected: false)) },
  "breslow_day_tarone": { chiSquare("q", try $0.strata.breslowDayTest(taroneCorrected: true)) },
  "bucket_jackknife_mh_log_rr": { jackknife("log_rr", try $0.buckets.mantelHaenszelLogRiskRatio()) },
  "bucket_jackknife_mh_rd": { jackknife("rd", try $0.buckets.mantelHaenszelRiskDifference()) },
]

private func jackknife(_ key: String, _ estimate: JackknifeEstimate?) -> [String: GoldenValue] {
  [
    key: .optional(estimate?.value), "jackknife_se": .optional(estimate?.standardError),
    "df": .optional(estimate.map { Double($0.degreesOfFreedom) }),
  ]
}

let goldenSampleRatios: [String: GoldenFunction] = [
  "srm_chi2": {
    let ratio = try SampleRatio(observed: $0["observed"].numbers, weights: $0["weights"].numbers)
    return chiSquare("chi2", try ratio.chiSquareTest())
  },
  "srm_sequential_dirichlet": {
    guard try $0.text("dirichlet_concentration_per_cell") == "K*theta0 (sum=K cells)" else {
      throw GoldenError("unknown concentration")
    }
    let ratio = try SampleRatio(observed: $0["observed"].numbers, weights: $0["theta0"].numbers)
    let test = try ratio.sequentialDirichletTest()
    return ["log_bayes_factor": .number(test.logBayesFactor), "p_sequential": .number(test.p)]
  },
]
