import Testing

@testable import pushlift_bench

/// Coverage is a matter of thousands of worlds and of minutes; here a few worlds whose devices repeat themselves so much
/// that chance cannot hide it.
@Suite struct CoverageTests {
  /// Ten notifications of one arm for each device, alike by half: a variance 5.5 times that of independent ones.
  private static let plan = CoveragePlan(
    replications: 40, devices: 200, perDevice: 10, correlation: 0.5, nights: 5, isOneArm: true, base: 0.2)

  @Test(.timeLimit(.minutes(2)))
  func clusteredIntervalsHoldTheTruthWhereNaiveOnesDoNot() throws {
    let tally = try CoverageRun(plan: Self.plan, workers: 1, unitsAtOnce: 40_000).tally()
    #expect(tally.replications == 40)
    // Expected 95 and 60 %, with standard errors of 3 and 8 points.
    for interval in [CoverageTally.Interval.rate, .difference, .uplift, .pooledUplift, .pooledDifference] {
      #expect(tally.clustered[interval.rawValue].value > 0.83, "\(interval)")
      #expect(tally.naive[interval.rawValue].value < 0.83, "\(interval)")
    }
    #expect(tally.designEffect > 3.5 && tally.designEffect < 7.5)
    #expect(tally.missed(.alwaysValidClustered, by: 5) <= tally.missed(.fixedClustered, by: 5))
    #expect(tally.missed(.fixedNaive, by: 5) > tally.missed(.fixedClustered, by: 5) + 0.15)
    let lines = CoverageBench.lines(Self.plan, tally).joined(separator: "\n")
    #expect(
      lines.contains("40 worlds of 200 devices with 10 notifications each over 5 days; a device gets one arm")
    )
    #expect(!lines.contains("undefined") && !lines.contains("nan"))
  }

  @Test func aWorldHasTheRatesOfItsPlan() {
    var plan = CoveragePlan(devices: 20_000, perDevice: 5, correlation: 0.1, nights: 30, base: 0.2)
    plan.uplift = 0.4
    let world = SimulatedReplication(plan, number: 3)
    for category in 0..<2 {
      for isRich in [false, true] {
        let cell = world.flags.filter { $0 & 1 == (isRich ? 1 : 0) && $0 >> 1 & 1 == UInt8(category) }
        let rate = Double(cell.count { $0 & 4 != 0 }) / Double(cell.count)
        // 25,000 units: four standard errors are 0.013 with the repeats.
        #expect(abs(rate - plan.rate(category, isRich: isRich)) < 0.013)
      }
    }
    #expect(world.richDevices == world.richDevices.sorted())
    #expect(world.richDevices.last.map { $0 > 19_000 && $0 <= 20_000 } == true)
    #expect(SimulatedReplication(plan, number: 3).flags == world.flags)
    #expect(SimulatedReplication(plan, number: 4).flags != world.flags)
  }

  @Test func inAnExperimentADeviceHasOneArm() {
    let world = SimulatedReplication(
      CoveragePlan(devices: 500, perDevice: 4, nights: 3, isOneArm: true), number: 0)
    for device in 0..<500 {
      #expect(Set(world.flags[device * 4..<device * 4 + 4].map { $0 & 1 }).count == 1)
    }
    #expect((world.richDevices.last ?? 0) + (world.textDevices.last ?? 0) == 500)
  }
}
