internal import Statistics

/// What the data say of the often-quoted claim that rich notifications get 30–40 % more interactions.
package enum Claim: String, Sendable, Hashable {
  /// The interval lies within the claim.
  case inside
  /// The interval lies wholly above the claim.
  case above
  /// The interval lies wholly below the claim.
  case below
  /// The interval holds the claim or part of it, and other values too.
  case overlaps
  /// There is no interval, or too little behind it.
  case tooLittleData = "too little data"

  /// The claimed uplift.
  package static let range = 0.3...0.4

  init(_ uplift: ConfidenceInterval?, _ verdict: Verdict) {
    guard let uplift, verdict.reason == nil else {
      self = .tooLittleData
      return
    }
    if uplift.lower > Self.range.upperBound {
      self = .above
    } else if uplift.upper < Self.range.lowerBound {
      self = .below
    } else if uplift.lower >= Self.range.lowerBound, uplift.upper <= Self.range.upperBound {
      self = .inside
    } else {
      self = .overlaps
    }
  }

  /// A sentence about the claim.
  package var sentence: String {
    let claim = "the 30–40 % often claimed"
    return switch self {
    case .inside: "the interval lies inside \(claim)"
    case .above: "that is above \(claim)"
    case .below: "that is below \(claim)"
    case .overlaps: "the interval overlaps \(claim)"
    case .tooLittleData: "there is too little data to tell whether \(claim) hold"
    }
  }
}
