import Statistics

/// Whether two numbers agree to a relative tolerance, or both are the same infinity.
func agree(_ left: Double, _ right: Double, within tolerance: Double) -> Bool {
  left == right || abs(left - right) <= tolerance * max(abs(left), abs(right))
}

/// Whether two intervals agree in both limits, or neither exists.
func agree(
  _ left: ConfidenceInterval?, _ right: ConfidenceInterval?, within tolerance: Double
) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return agree(left.lower, right.lower, within: tolerance)
    && agree(left.upper, right.upper, within: tolerance)
}

/// One of the interval methods for a single rate.
struct RateMethod: Sendable, CustomStringConvertible {
  let description: String
  let interval: @Sendable (Proportion, ConfidenceLevel) throws -> ConfidenceInterval?

  static let all: [RateMethod] = [
    RateMethod(description: "Wilson") { $0.wilsonInterval($1) },
    RateMethod(description: "Wilson, corrected") { $0.wilsonContinuityCorrectedInterval($1) },
    RateMethod(description: "Clopper–Pearson") { try $0.clopperPearsonInterval($1) },
    RateMethod(description: "Jeffreys") { try $0.jeffreysInterval($1) },
    RateMethod(description: "Agresti–Coull") { $0.agrestiCoullInterval($1) },
  ]
}

/// One of the interval methods for two rates.
struct ComparisonMethod: Sendable, CustomStringConvertible {
  let description: String
  let interval: @Sendable (TwoProportions, ConfidenceLevel) -> ConfidenceInterval?

  static let differences: [ComparisonMethod] = [
    ComparisonMethod(description: "Wald") { $0.waldDifference($1) },
    ComparisonMethod(description: "Newcombe") { $0.newcombeDifference($1) },
    ComparisonMethod(description: "Newcombe, corrected") { $0.newcombeContinuityCorrectedDifference($1) },
    ComparisonMethod(description: "Agresti–Caffo") { $0.agrestiCaffoDifference($1) },
    ComparisonMethod(description: "Mee") { $0.meeDifference($1) },
    ComparisonMethod(description: "Miettinen–Nurminen") { $0.miettinenNurminenDifference($1) },
  ]

  static let ratios: [ComparisonMethod] = [
    ComparisonMethod(description: "Katz") { $0.katzRatio($1) },
    ComparisonMethod(description: "adjusted log") { $0.adjustedLogRatio($1) },
    ComparisonMethod(description: "MOVER-R") { $0.moverRatio($1) },
    ComparisonMethod(description: "Koopman") { $0.koopmanRatio($1) },
    ComparisonMethod(description: "Miettinen–Nurminen") { $0.miettinenNurminenRatio($1) },
  ]
}
