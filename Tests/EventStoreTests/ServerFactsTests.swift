import EngagementEvents
import Testing

@testable import EventStore

/// What is said of a server's settings.
@Suite struct ServerFactsTests {
  private static func facts(
    number: Int32 = 150_014, syncs: Bool = true, fullPages: Bool = true, vacuums: Bool = true,
    age: Int32 = 1_000,
    connections: Int = 3, clock: Int64 = 0
  ) -> ServerFacts {
    ServerFacts(
      version: "15.14", number: number, syncs: syncs, writesFullPages: fullPages, vacuums: vacuums,
      bytes: 1 << 30,
      transactionAge: age, connections: connections, maximumConnections: 100,
      clock: Timestamp(microseconds: clock))
  }

  @Test func aSoundServerIsOk() {
    #expect(Self.facts().findings.map(\.severity) == [.ok, .ok])
  }

  @Test(arguments: [
    (facts(syncs: false), "durability", Finding.Severity.fault),
    (facts(fullPages: false), "durability", .fault),
    (facts(number: 140_009), "postgres", .warning), (facts(vacuums: false), "vacuum", .warning),
    (facts(age: 1_500_000_000), "vacuum", .fault), (facts(connections: 90), "connections", .warning),
  ])
  func whatEndangersIsToldWithItsRemedy(_ facts: ServerFacts, _ check: String, _ severity: Finding.Severity) {
    let odd = facts.findings.filter { $0.severity != .ok }
    #expect(odd.map(\.check) == [check])
    #expect(odd.map(\.severity) == [severity])
    #expect(odd.allSatisfy { $0.remedy != nil })
  }

  private static let clocks: [(microseconds: Int64, severity: Finding.Severity)] = [
    (0, .ok), (4_000_000, .ok), (-9_000_000, .warning), (30_000_000, .warning), (-300_000_000, .fault),
  ]

  @Test(arguments: clocks)
  func aClockThatIsOffIsTold(_ microseconds: Int64, _ severity: Finding.Severity) {
    let finding = Self.facts(clock: microseconds).clockFinding(
      between: Timestamp(microseconds: 0), and: Timestamp(microseconds: 1_000))
    #expect(finding.severity == severity)
    #expect(finding.message.contains("behind") == (microseconds < -5_000_000))
  }
}
