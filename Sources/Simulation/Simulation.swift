package import EngagementEvents

/// A stream of events whose true rates are known, the same for the same plan and seed (on the same platform: the last
/// bits of logarithms may differ between C libraries).
///
/// Iterating gives the events in the order of their arrival. Memory is bounded by what is under way: the late events and
/// one counter for each device, some tens of megabytes for a million notifications.
package struct Simulation: Sequence, Sendable {
  package let plan: SimulationPlan
  package let seed: UInt64
  let world: SimulatedWorld
  private let composer: EventComposer

  /// - Throws: `SimulationError` for a plan that cannot be, such as a rate above 1.
  package init(plan: SimulationPlan, seed: UInt64) throws(SimulationError) {
    try plan.validate()
    self.plan = plan
    self.seed = seed
    world = SimulatedWorld(plan: plan, seed: seed)
    composer = try EventComposer(world)
  }

  package func makeIterator() -> Iterator {
    Iterator(world: world, composer: composer)
  }

  /// All events at once, in the order of their arrival; about a kilobyte each.
  package func makeEvents() -> [EngagementEvent] {
    Array(self)
  }

  /// The plan's rates and what came of them. It draws every unit once more, without composing its events.
  package func makeTruth() -> SimulationTruth {
    SimulationTruth(world)
  }

  package struct Iterator: IteratorProtocol, Sendable {
    private let world: SimulatedWorld
    private let composer: EventComposer
    private var nextUnit = 0
    /// By the time of occurrence, to count each device's events in its own order.
    private var occurrences = EventQueue()
    /// By the time of arrival.
    private var arrivals = EventQueue()
    /// Everything that happened up to here is in `arrivals` or gone.
    private var frontier = Int64.min
    private var counters: [Int32]

    fileprivate init(world: SimulatedWorld, composer: EventComposer) {
      self.world = world
      self.composer = composer
      counters = Array(repeating: 0, count: world.plan.deviceCount)
    }

    package mutating func next() -> EngagementEvent? {
      while true {
        if let first = arrivals.first, first.time <= frontier, let event = arrivals.pop() {
          return composer.event(event.ordinal, of: event.unit, sequence: event.sequence)
        }
        guard frontier < .max else { return nil }
        advance()
      }
    }

    /// Takes the next unit in; as deliveries are in order, nothing that comes later happens before this one.
    private mutating func advance() {
      if nextUnit < world.plan.notifications {
        let unit = world.unit(at: nextUnit)
        nextUnit += 1
        frontier = unit.deliveredAt
        for ordinal in 0...unit.happenings.count {
          var event = PendingEvent(unit: unit, ordinal: ordinal, time: 0)
          event.time = event.occurredAt
          occurrences.push(event)
        }
      } else {
        frontier = .max
      }
      while let first = occurrences.first, first.time <= frontier, let event = occurrences.pop() {
        happen(event)
      }
    }

    /// Numbers the event and sends it on its way, once, twice or never.
    private mutating func happen(_ event: PendingEvent) {
      var event = event
      counters[event.unit.device] += 1
      event.sequence = Int64(counters[event.unit.device])
      let occurredAt = event.time
      let arrival = UnitArrival(of: event.unit, disorder: world.plan.disorder, seed: world.seed)
      if let delay = arrival.delays[event.ordinal] {
        event.time = occurredAt + delay
        arrivals.push(event)
      }
      if let delay = arrival.copyDelays[event.ordinal] {
        event.time = occurredAt + delay
        event.isCopy = true
        arrivals.push(event)
      }
    }
  }
}
