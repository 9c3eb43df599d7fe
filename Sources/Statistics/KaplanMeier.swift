/// The product-limit estimate of how long units go without an event (Kaplan and Meier 1958, JASA 53:457): of
/// the time from delivery to the first interaction, with units whose window is still open counted for as long
/// as they were seen.
package struct KaplanMeier: Sendable, Hashable {
  /// A time at which events happened.
  package struct Step: Sendable, Hashable {
    /// In the unit of the times given.
    package let time: Double
    /// The share still without an event just after `time`.
    package let survival: Double
    /// Units under observation just before `time`.
    package let atRisk: Int
    /// Events at `time`.
    package let events: Int
  }

  /// One step for each distinct time of an event, in order.
  package let steps: [Step]
  /// All units.
  package let units: Int
  /// Units with an event.
  package let events: Int

  /// - Parameters:
  ///   - times: of the event, or of the last observation without one; 0 or more, in any order.
  ///   - hasEvent: which of the two, in the same order. A unit last seen at the time of an event was at risk
  ///     of it.
  /// - Throws: `lengthsDiffer`; `parameterOutOfRange` or `notFinite` for a time.
  /// - Complexity: O(*n* log *n*)
  package init(times: [Double], hasEvent: [Bool]) throws(StatisticsError) {
    guard times.count == hasEvent.count else {
      throw StatisticsError(
        .lengthsDiffer, "\(times.count) times against \(hasEvent.count) outcomes; give both for each unit")
    }
    for time in times {
      try StatisticsError.require(time, "time", "0 or a positive number") { $0 >= 0 }
    }
    let order = times.indices.sorted { times[$0] < times[$1] }
    var steps: [Step] = []
    var survival = 1.0
    var next = 0
    while next < order.count {
      let time = times[order[next]]
      let atRisk = order.count - next
      var events = 0
      while next < order.count, times[order[next]] == time {
        if hasEvent[order[next]] { events += 1 }
        next += 1
      }
      guard events > 0 else { continue }
      survival *= Double(atRisk - events) / Double(atRisk)
      steps.append(Step(time: time, survival: survival, atRisk: atRisk, events: events))
    }
    self.steps = steps
    units = times.count
    events = hasEvent.count { $0 }
  }

  /// The share of units that would have had an event by the last one observed, 0 … 1; `nil` without units.
  package var cumulativeIncidence: Double? {
    units > 0 ? 1 - (steps.last?.survival ?? 1) : nil
  }

  /// Events over all units, as if nobody were still waiting; `nil` without units.
  package var naiveRate: Double? {
    units > 0 ? Double(events) / Double(units) : nil
  }

  /// The first time by which at least `share` of all units had an event.
  ///
  /// - Returns: `nil` where the observations end before.
  /// - Throws: `probabilityOutOfRange` or `notFinite`, unless `share` lies strictly between 0 and 1.
  package func quantile(_ share: Double) throws(StatisticsError) -> Double? {
    try StatisticsError.requireOpenUnit(share, "share")
    return firstTime(by: share)
  }

  /// The median time; `nil` where fewer than half had an event.
  package var median: Double? { firstTime(by: 0.5) }

  /// The first and third quartiles of the time; `nil` where it was not reached.
  package var quartiles: (lower: Double?, upper: Double?) {
    (firstTime(by: 0.25), firstTime(by: 0.75))
  }

  private func firstTime(by share: Double) -> Double? {
    // Products of fractions may end a rounding error above the share that they equal.
    steps.first { $0.survival <= 1 - share + 1e-12 }?.time
  }
}
