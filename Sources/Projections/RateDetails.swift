/// What else is known of the units that a report counts: how the arms differ in other things than media, and how soon
/// people interact.
package struct RateDetails: Sendable, Hashable {
  /// One for each dimension, in the order of its cases.
  package let breakdowns: [Breakdown]
  /// By category, and all together last; none where nobody interacted.
  package let times: [InteractionTimes]

  /// What units are told apart by.
  package enum Dimension: String, Sendable, Hashable, CaseIterable {
    case category
    case intendedMedia
    case shownMedia
    case experiment
    case appVersion
    case source
    /// Of the delivery, in the report's zone.
    case hour
    case interruptionLevel

    /// Whether it could be a reason of its own for what is put down to media. The others make the arms what they are.
    package var isConfounder: Bool {
      switch self {
      case .category, .appVersion, .source, .hour, .interruptionLevel: true
      case .intendedMedia, .shownMedia, .experiment: false
      }
    }
  }

  /// The units by one dimension.
  package struct Breakdown: Sendable, Hashable {
    package let dimension: Dimension
    /// Ordered by value, nil first.
    package let groups: [Group]
  }

  /// The units of one value.
  package struct Group: Sendable, Hashable {
    /// Nil where the events did not tell.
    package let value: String?
    package var rich = ArmCount()
    package var text = ArmCount()

    /// Whether these are the units of several values that are not shown one by one.
    package var isRest = false

    package init(value: String?) { self.value = value }
  }

  package struct ArmCount: Sendable, Hashable {
    package var units = 0
    /// With the metric's event.
    package var successes = 0

    package init() {}
  }

  /// How long after the delivery people first interacted, among units with an interaction within the window.
  package struct InteractionTimes: Sendable, Hashable {
    /// Nil for all categories together.
    package let category: String?
    /// Nil where nobody interacted.
    package var rich: Quartiles?
    package var text: Quartiles?

    package init(category: String?, rich: Quartiles? = nil, text: Quartiles? = nil) {
      self.category = category
      self.rich = rich
      self.text = text
    }
  }

  /// Of times in seconds, each one that was observed.
  package struct Quartiles: Sendable, Hashable {
    package let units: Int
    package let lower: Double
    package let median: Double
    package let upper: Double
  }
}
