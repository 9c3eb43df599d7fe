#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// The standard library's own `random(in:)` may change its algorithm between versions, so these do not use it.
extension SeededGenerator {
  /// Uniform on [0, 1), in steps of 2⁻⁵³.
  package mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Uniform on 0..<bound, by Lemire's multiplication; its bias is below bound · 2⁻⁶⁴.
  package mutating func index(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True with this probability.
  package mutating func chance(_ probability: Double) -> Bool {
    uniform() < probability
  }

  /// Standard normal, by Marsaglia's polar method (1964).
  package mutating func normal() -> Double {
    while true {
      let x = 2 * uniform() - 1
      let y = 2 * uniform() - 1
      let square = x * x + y * y
      if square > 0, square < 1 { return x * (-2 * log(square) / square).squareRoot() }
    }
  }

  /// Log-normal: its logarithm is normal around the logarithm of the median, with standard deviation `sigma`.
  package mutating func logNormal(median: Double, sigma: Double) -> Double {
    median * exp(sigma * normal())
  }

  /// Log-uniform: every magnitude between the two, both above 0, is equally likely.
  mutating func logUniform(from low: Double, to high: Double) -> Double {
    low * pow(high / low, uniform())
  }

  /// Gamma with the shape, above 0, and scale 1: Marsaglia and Tsang, "A Simple Method for Generating Gamma
  /// Variables", ACM TOMS 26 (2000), with their boost for shapes below 1.
  package mutating func gamma(shape: Double) -> Double {
    if shape < 1 { return gamma(shape: shape + 1) * pow(1 - uniform(), 1 / shape) }
    let d = shape - 1 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      guard root > 0 else { continue }
      let cube = root * root * root
      if log(1 - uniform()) < x * x / 2 + d - d * cube + d * log(cube) { return d * cube }
    }
  }

  /// Beta with this mean, and with the intra-class correlation that its mixture of coins has: with parameters a and b
  /// the mean is a/(a+b) and the correlation 1/(a+b+1). The mean itself where the correlation is 0 or the mean 0 or 1.
  package mutating func beta(mean: Double, correlation: Double) -> Double {
    guard correlation > 0, mean > 0, mean < 1 else { return mean }
    let size = (1 - correlation) / correlation
    let a = gamma(shape: mean * size)
    return a / (a + gamma(shape: (1 - mean) * size))
  }

  /// Geometric: failures before the first success, each trial succeeding with this probability, above 0.
  package mutating func geometric(_ probability: Double) -> Int {
    var failures = 0
    while !chance(probability) { failures += 1 }
    return failures
  }

  /// 128 bits with the version and variant of a random UUID set.
  mutating func uuid() -> (high: UInt64, low: UInt64) {
    let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return (high, low)
  }
}
