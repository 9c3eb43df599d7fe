import Foundation
import Statistics

/// Steele, Lea and Flood's generator: the same seed gives the same cases on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

extension SplitMix64 {
  /// A number whose logarithm is uniform.
  mutating func logUniform(_ range: ClosedRange<Double>) -> Double {
    pow(10, Double.random(in: log10(range.lowerBound)...log10(range.upperBound), using: &self))
  }

  /// Up to 1e9 trials, with rates from 1e-6 to 1 − 1e-6 and, one time in six, none or all of them successes.
  mutating func proportion() throws -> Proportion {
    let trials = logUniform(1...1e9).rounded()
    let rate = logUniform(1e-6...1)
    let successes = min((trials * rate).rounded(), trials)
    return switch Int.random(in: 0..<12, using: &self) {
    case 0: try Proportion(successes: 0, trials: trials)
    case 1: try Proportion(successes: trials, trials: trials)
    case 2...5: try Proportion(successes: trials - successes, trials: trials)
    default: try Proportion(successes: successes, trials: trials)
    }
  }

  /// Two such arms; half the time the second has about the rate of the first, so that tests are near their
  /// limits.
  mutating func table() throws -> TwoProportions {
    let rich = try proportion()
    guard Bool.random(using: &self), let rate = rich.rate else {
      return TwoProportions(rich: rich, text: try proportion())
    }
    let trials = (rich.trials * Double.random(in: 0.3...3, using: &self)).rounded(.up)
    let spread = (trials * rate * (1 - rate)).squareRoot()
    let successes = (trials * rate + spread * Double.random(in: -4...4, using: &self)).rounded()
    let text = try Proportion(successes: min(max(successes, 0), trials), trials: trials)
    return TwoProportions(rich: rich, text: text)
  }
}
