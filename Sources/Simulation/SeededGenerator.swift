/// SplitMix64: small, fast, and the same numbers for the same seed for ever.
///
/// Guy L. Steele Jr., Doug Lea, Christine H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
/// constants as in Sebastiano Vigna's `splitmix64.c`. Not for secrets.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// An independent stream for one thing, so that what is drawn for it does not hang on what was drawn before.
  init(seed: UInt64, stream: Stream, index: Int) {
    let branch = Self.mix(Self.mix(seed) &+ stream.rawValue &* Self.increment)
    state = Self.mix(branch &+ UInt64(truncatingIfNeeded: index) &* Self.increment)
  }

  /// What a stream is for.
  enum Stream: UInt64 {
    case unit = 1
    case disorder, device, deviceRate, eventID, notificationID, deviceID
  }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mix(state)
  }

  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
