import EngagementEvents

/// What a report on the simulated events should find.
package struct SimulationTruth: Sendable, Hashable {
  package let plan: SimulationPlan
  package let seed: UInt64
  /// In the plan's order.
  package let categories: [CategoryTruth]

  /// One category: its rates are in `plan`, its counts here.
  package struct CategoryTruth: Sendable, Hashable {
    package let plan: SimulatedCategory
    /// The uplift over text where rich was really shown.
    package let upliftAsShown: Double
    /// Arms as intended.
    package let text: ArmCounts
    package let rich: ArmCounts
  }

  /// Realised counts of one arm. All but `orphans` are of units whose delivery is in the stream; interactions and
  /// dismissals are those within 24 hours of it, so they are what any number of late, doubled and shuffled events must
  /// come to.
  package struct ArmCounts: Sendable, Hashable {
    package fileprivate(set) var delivered = 0
    /// Intended rich, shown as text.
    package fileprivate(set) var fallbacks = 0
    package fileprivate(set) var interacted = 0
    package fileprivate(set) var expanded = 0
    package fileprivate(set) var opened = 0
    /// Units with any custom action, replies among them.
    package fileprivate(set) var acted = 0
    package fileprivate(set) var replied = 0
    package fileprivate(set) var dismissed = 0
    /// Of `delivered`, those at least 24 hours before the plan's end: their windows are closed and the rates hold.
    package fileprivate(set) var matureDelivered = 0
    /// Of `interacted`, those of `matureDelivered`.
    package fileprivate(set) var matureInteracted = 0
    /// Units with other events whose delivery was lost.
    package fileprivate(set) var orphans = 0
  }

  init(_ world: SimulatedWorld) {
    var counts = world.plan.categories.map { _ in (text: ArmCounts(), rich: ArmCounts()) }
    let matureBy = world.plan.end.microseconds - SimulationPlan.windowMicroseconds
    for index in 0..<world.plan.notifications {
      let unit = world.unit(at: index)
      let arrival = UnitArrival(of: unit, disorder: world.plan.disorder, seed: world.seed)
      let isDelivered = arrival.delays[0] != nil
      let isMature = unit.deliveredAt <= matureBy
      if unit.isRich {
        counts[unit.category].rich.add(unit, isDelivered: isDelivered, isMature: isMature)
      } else {
        counts[unit.category].text.add(unit, isDelivered: isDelivered, isMature: isMature)
      }
    }
    plan = world.plan
    seed = world.seed
    categories = zip(world.plan.categories, counts).map { category, counts in
      CategoryTruth(
        plan: category, upliftAsShown: category.uplift / (1 - world.plan.fallbackShare), text: counts.text,
        rich: counts.rich)
    }
  }
}

extension SimulationTruth.ArmCounts {
  fileprivate mutating func add(_ unit: SimulatedUnit, isDelivered: Bool, isMature: Bool) {
    guard isDelivered else {
      if !unit.happenings.isEmpty { orphans += 1 }
      return
    }
    let kinds = unit.happenings.filter(\.isWithinWindow).map(\.kind)
    let hasInteracted = kinds.contains(where: \.isInteraction)
    delivered += 1
    if unit.fallback != nil { fallbacks += 1 }
    if hasInteracted { interacted += 1 }
    if kinds.contains(.expanded) { expanded += 1 }
    if kinds.contains(.opened) { opened += 1 }
    if kinds.contains(.dismissed) { dismissed += 1 }
    if kinds.contains(where: \.isReply) { replied += 1 }
    if kinds.contains(where: { $0.isReply || $0.isButton }) { acted += 1 }
    if isMature {
      matureDelivered += 1
      if hasInteracted { matureInteracted += 1 }
    }
  }
}

extension SimulatedUnit.Kind {
  fileprivate var isReply: Bool {
    if case .replied = self { true } else { false }
  }
  fileprivate var isButton: Bool {
    if case .button = self { true } else { false }
  }
}
