import Statistics

extension GoldenValue {
  /// The level that leaves `alpha` outside.
  fileprivate var levelOfAlpha: ConfidenceLevel {
    get throws { try ConfidenceLevel(1 - number("alpha")) }
  }

  fileprivate func number(_ key: String, or fallback: Double) throws -> Double {
    try has(key) ? number(key) : fallback
  }
}

let goldenSequences: [String: GoldenFunction] = [
  "asymptotic_cs": {
    let sequence = try AsymptoticConfidenceSequence($0.levelOfAlpha, tunedTo: $0.number("tuning_n"))
    let standardError = try $0.number("se")
    let found = try sequence.bounds(
      estimate: $0.number("estimate"), standardError: standardError, observations: $0.number("N"))
    return limits(found?.interval).merging(
      [
        "rho": .number(sequence.rho), "multiplier": .optional(found?.multiplier), "p": .optional(found?.p),
        "halfwidth": .optional(found.map { ($0.interval.upper - $0.interval.lower) / 2 }),
      ]
    ) { $1 }
  },
  "msprt_p_value": {
    let test = try MixtureSequentialTest(mixingVariance: $0.number("tau2"))
    let p = try test.pValue(
      estimate: $0.number("estimate"), variance: $0.number("variance"),
      previous: $0.number("previous_p", or: 1))
    return ["p": .number(p)]
  },
  "bernoulli_confseq": {
    let sequence = try BernoulliConfidenceSequence(
      $0.levelOfAlpha, tunedTo: $0.number("t_opt"), tuningAlpha: $0.number("alpha_opt", or: 0.05))
    return limits(sequence.interval(try $0.proportion("x", "n")))
  },
  "normal_mixture_bound": {
    let boundary = try NormalMixtureBoundary(
      tunedTo: $0.number("v_opt"), tuningAlpha: $0.number("alpha_opt"), isOneSided: $0.flag("is_one_sided"))
    return [
      "bound": .number(try boundary.bound(variance: $0.number("v"), alpha: $0.number("alpha")))
    ]
  },
]

let goldenPlans: [String: GoldenFunction] = [
  "sample_size_two_prop": {
    let formulas: [String: SampleSizeFormula] = [
      "pooled_null": .pooledNull, "unpooled": .unpooled, "evan_miller": .baselineNull, "cohen_h": .arcsine,
    ]
    guard let formula = try formulas[$0.text("variant")] else { throw GoldenError("unknown variant") }
    let design = try TwoProportionDesign(
      first: $0.number("p1"), second: $0.number("p2"), allocation: $0.number("ratio", or: 1),
      $0.levelOfAlpha)
    let size = try design.sampleSize(
      power: $0.number("power"), formula: formula, designEffect: $0.number("deff", or: 1))
    return [
      "n_per_arm": .number(size), "n1": .number(size), "n2": .number(size * design.allocation),
      "n_per_arm_rounded": .number(size.rounded()),
    ]
  },
  "power_two_prop": {
    let isEqual = try $0.has("n_per_arm")
    let trials = try $0.number(isEqual ? "n_per_arm" : "n1")
    let design = try TwoProportionDesign(
      first: $0.number("p1"), second: $0.number("p2"),
      allocation: isEqual ? 1 : $0.number("n2") / trials, $0.levelOfAlpha)
    let isOneTailed = try $0.has("tails") && $0.text("tails").hasPrefix("one")
    return ["power": .number(try design.power(trials: trials, bothTails: !isOneTailed))]
  },
]
