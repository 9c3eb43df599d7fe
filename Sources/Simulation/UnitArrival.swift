/// What the network does to the events of one unit; drawn apart from the unit itself, so that disorder changes nothing
/// that happened.
struct UnitArrival {
  /// Microseconds from occurrence to arrival of each event, the delivery first; nil where it never arrives.
  let delays: [Int64?]
  /// The same for the second copies; nil where there is none.
  let copyDelays: [Int64?]

  init(of unit: SimulatedUnit, disorder: Disorder, seed: UInt64) {
    var generator = SeededGenerator(seed: seed, stream: .disorder, index: unit.index)
    let isLost = generator.chance(disorder.lostDeliveryShare)
    let isLast = generator.chance(disorder.deliveryLastShare)
    var delays: [Int64?] = []
    var copyDelays: [Int64?] = []
    for _ in 0...unit.happenings.count {
      let delay = Self.delay(disorder, &generator)
      let copy = Self.delay(disorder, &generator)
      delays.append(delay)
      copyDelays.append(generator.chance(disorder.doubledShare) ? max(delay, copy) + 2_000_000 : nil)
    }
    if isLast, let first = unit.happenings.first, let arrival = delays[1], let delay = delays[0] {
      delays[0] = max(delay, first.delay + arrival + 1_000_000)
      copyDelays[0] = copyDelays[0].map { $0 + first.delay + arrival + 1_000_000 }
    }
    if isLost {
      delays[0] = nil
      copyDelays[0] = nil
    }
    self.delays = delays
    self.copyDelays = copyDelays
  }

  /// Up to the shuffling horizon, or, for late ones, from an hour to 29 days, each magnitude equally often.
  private static func delay(_ disorder: Disorder, _ generator: inout SeededGenerator) -> Int64 {
    let usual = Int64(generator.uniform() * disorder.shuffleSeconds * 1_000_000)
    guard generator.chance(disorder.lateShare) else { return usual }
    return Int64(generator.logUniform(from: 3600, to: 29 * 86_400) * 1_000_000)
  }
}
