import EngagementEvents
import EventStore
import TestSupport
import Testing

@testable import Ingestion

@Suite(.database) struct ImportWarningTests {
  private func register(_ names: String..., in bench: ImportBench) throws {
    let registry = try CategoryRegistry(names.map { try RegisteredCategory(Category($0), actions: []) })
    _ = try registry.import(into: bench.app.id, on: bench.store.connect(.administering))
  }

  private func line(_ number: Int, _ category: String) -> String {
    ImportBench.line(number, "expanded", #","category":"\#(category)""#)
  }

  @Test func eachUnregisteredNameIsToldOnceWithItsEvents() throws {
    let bench = try ImportBench()
    let lines = [
      line(1, "post"), line(2, "news"), line(3, "Post"), line(4, "news"),
      ImportBench.line(5, "action", #","category":"post","actionId":"share""#), ImportBench.line(6),
    ].joined(separator: "\n")
    // Nothing is registered, and nothing is told.
    #expect(try bench.run(lines).warnings.isEmpty)
    try register("post", in: bench)
    let warnings = try bench.run(lines).warnings
    #expect(
      warnings.named.map { "\($0.line) \($0.warning.code.rawValue) \($0.events)" } == [
        "2 unknown_category 2", "3 near_twin_category 1", "5 unknown_action 1",
      ])
    #expect(warnings.named[0].description.contains("category “news” is not registered for the app"))
    #expect(warnings.others == 0)
  }

  @Test func warningsBeyondTheFirstAreCounted() throws {
    let bench = try ImportBench()
    try register("post", in: bench)
    // Two batches, so that their warnings are added up.
    let lines = (0..<4_500).map { line($0, "c-\($0 % 30)") }.joined(separator: "\n")
    let warnings = try bench.run(lines, pieceSize: 1 << 16).warnings
    #expect(warnings.named.map(\.events) == Array(repeating: 150, count: 10))
    #expect(warnings.named.map(\.line) == Array(1...10))
    #expect(warnings.others == 3_000)
  }

  @Test func whatCannotBeSeenIsToldToo() throws {
    let bench = try ImportBench()
    let warnings = try bench.run(line(1, "ne\\u200bws")).warnings
    #expect(warnings.named.map(\.warning.code) == [.invisibleCharacters])
  }
}
