import EngagementEvents

/// One notification on one device and all that happens to it, in numbers only.
struct SimulatedUnit: Sendable {
  let index: Int
  let device: Int
  /// Its place in the plan's categories.
  let category: Int
  /// The arm as intended: what the notification carries, nil for text only.
  let media: MediaKind?
  /// Why the media was not shown; nil where it was, or none was meant.
  let fallback: FallbackReason?
  /// Microseconds since 1970, whole milliseconds.
  let deliveredAt: Int64
  /// In order of time, none after the plan's end.
  let happenings: [Happening]

  var isRich: Bool { media != nil }

  /// Something that a person did, and how many microseconds after the delivery.
  struct Happening: Sendable {
    let kind: Kind
    let delay: Int64

    /// Whether it counts for the rates.
    var isWithinWindow: Bool { delay < SimulationPlan.windowMicroseconds }
  }

  enum Kind: Sendable, Equatable {
    case expanded
    case opened
    /// The button's place in the category's.
    case button(Int)
    /// A reply with the phrase of this number.
    case replied(Int)
    case dismissed

    var isInteraction: Bool { self != .dismissed }
  }
}
