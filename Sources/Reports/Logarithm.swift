#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Ratios are estimated on their logarithm, where they are closest to normal.
enum Logarithm {
  static func natural(_ value: Double) -> Double { log(value) }
  static func exponential(_ value: Double) -> Double { exp(value) }
}
