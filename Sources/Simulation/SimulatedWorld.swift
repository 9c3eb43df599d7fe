import EngagementEvents

/// Draws each unit from the plan and the seed alone, independently of all others.
struct SimulatedWorld: Sendable {
  let plan: SimulationPlan
  let seed: UInt64
  private let categoryShares: [Double]
  private let hours: DeliveryHours

  init(plan: SimulationPlan, seed: UInt64) {
    self.plan = plan
    self.seed = seed
    var sum = 0.0
    categoryShares = plan.categories.map {
      sum += $0.share
      return sum
    }
    hours = DeliveryHours(days: plan.days, end: plan.end.microseconds)
  }

  /// The unit at 0..<notifications; a later index is never delivered earlier.
  func unit(at index: Int) -> SimulatedUnit {
    var generator = SeededGenerator(seed: seed, stream: .unit, index: index)
    let position = (Double(index) + generator.uniform()) / Double(plan.notifications)
    let deliveredAt = hours.instant(at: position)
    let device = device(at: generator.uniform())
    let categoryIndex = category(at: generator.uniform())
    let category = plan.categories[categoryIndex]
    let isRich =
      plan.experiment.map { isRichDevice(device, $0) } ?? generator.chance(category.richShare)
    var media: MediaKind?
    var fallback: FallbackReason?
    if isRich {
      media = category.media[generator.index(below: category.media.count)]
      if generator.chance(plan.fallbackShare) { fallback = Self.fallback(at: generator.uniform()) }
    }
    let isShownRich = isRich && fallback == nil
    let mean = isShownRich ? category.shownRate(fallbackShare: plan.fallbackShare) : category.textRate
    let happenings = happenings(in: category, rate: rate(of: device, mean: mean), &generator)
    let lastDelay = plan.end.microseconds - deliveredAt
    return SimulatedUnit(
      index: index, device: device, category: categoryIndex, media: media, fallback: fallback,
      deliveredAt: deliveredAt, happenings: happenings.filter { $0.delay <= lastDelay })
  }

  /// The device's arm in an experiment, the same for all its notifications.
  func isRichDevice(_ device: Int, _ experiment: SimulatedExperiment) -> Bool {
    var generator = SeededGenerator(seed: seed, stream: .device, index: device)
    return generator.chance(experiment.richShare)
  }

  /// The device's own rate around a mean. The same stream for every mean makes a keen device keen in all categories and
  /// arms, while each rate by itself is exactly beta-distributed.
  private func rate(of device: Int, mean: Double) -> Double {
    var generator = SeededGenerator(seed: seed, stream: .deviceRate, index: device)
    return generator.beta(mean: mean, correlation: plan.deviceCorrelation)
  }

  /// Pareto-like: the weight of the device at x of 0...1 falls as (x + 0.002)^(−2/3), so that the busiest gets some 24
  /// times the mean and the quietest a third of it. This is the inverse of its distribution function.
  private func device(at uniform: Double) -> Int {
    let low = 0.125_992_104_989_487_3  // cube root of 0.002
    let high = 1.000_666_222_715_8  // cube root of 1.002
    let root = low + uniform * (high - low)
    let x = min(max(root * root * root - 0.002, 0), 1)
    return min(Int(x * Double(plan.deviceCount)), plan.deviceCount - 1)
  }

  private func category(at uniform: Double) -> Int {
    let target = uniform * (categoryShares.last ?? 0)
    return categoryShares.firstIndex { target < $0 } ?? categoryShares.count - 1
  }

  private static func fallback(at uniform: Double) -> FallbackReason {
    uniform < 0.4 ? .tooLarge : uniform < 0.75 ? .timedOut : .downloadFailed
  }
}

extension SimulatedWorld {
  private typealias Happening = SimulatedUnit.Happening

  private func happenings(
    in category: SimulatedCategory, rate: Double, _ generator: inout SeededGenerator
  ) -> [SimulatedUnit.Happening] {
    if generator.chance(rate) { return interactions(in: category, &generator) }
    if generator.chance(rate * plan.afterWindowShare) {
      let hours = generator.logNormal(median: 6, sigma: 1)
      return [
        Happening(
          kind: .opened, delay: SimulationPlan.windowMicroseconds + Self.milliseconds(hours * 3600))
      ]
    }
    if let rate = category.dismissalRate, generator.chance(rate) {
      return [Happening(kind: .dismissed, delay: delayWithinWindow(&generator))]
    }
    return []
  }

  /// A first interaction within the window and what follows from it: after an expansion perhaps an action, after an
  /// action rarely the same again.
  private func interactions(
    in category: SimulatedCategory, _ generator: inout SeededGenerator
  ) -> [SimulatedUnit.Happening] {
    var delay = delayWithinWindow(&generator)
    var happenings: [Happening] = []
    if category.hasContentExtension, generator.chance(0.35) {
      happenings.append(Happening(kind: .expanded, delay: delay))
      guard generator.chance(0.6) else { return happenings }
      delay += Self.milliseconds(generator.logNormal(median: 8, sigma: 0.8))
    }
    let kind = action(in: category, &generator)
    for _ in 0...generator.geometric(0.96) {
      happenings.append(Happening(kind: kind, delay: delay))
      delay += Self.milliseconds(generator.logNormal(median: 20, sigma: 2))
    }
    return happenings
  }

  private func action(
    in category: SimulatedCategory, _ generator: inout SeededGenerator
  ) -> SimulatedUnit.Kind {
    let count = category.offeredButtons.count
    guard count > 0, generator.chance(0.45) else { return .opened }
    let button = generator.index(below: count)
    guard button == category.buttons.count else { return .button(button) }
    return .replied(generator.index(below: Phrases.replies.count))
  }

  /// Log-normal around eight minutes, drawn again where it would pass the window.
  private func delayWithinWindow(_ generator: inout SeededGenerator) -> Int64 {
    while true {
      let delay = Self.milliseconds(generator.logNormal(median: 480, sigma: 1.8))
      if delay < SimulationPlan.windowMicroseconds { return delay }
    }
  }

  /// Seconds as microseconds in whole milliseconds, at least one, at most a year.
  private static func milliseconds(_ seconds: Double) -> Int64 {
    Int64(min(max(seconds, 0.001), 31_536_000) * 1000) * 1000
  }
}
