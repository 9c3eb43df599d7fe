import EventStore
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct ExportTests {
  /// A line of an export without what the store adds, and without the device.
  private func content(_ export: String) -> [String] {
    export.split(separator: "\n").map { line in
      String(line).replacing(#/"deviceId":"key:[^"]*"/#, with: "").replacing(#/,"position":.*/#, with: "")
    }.sorted()
  }

  private let events = [
    ImportBench.line(
      1, "delivered",
      #","category":"news","intended":["image"],"attachments":[{"kind":"image","bytes":12}],"relevanceScore":0.1"#
    ),
    ImportBench.line(
      2, "action", #","category":"\"q\" \\ ü\u0001","actionId":"reply","replyText":"hé\n🙂""#, device: "d-2"),
    ImportBench.line(3, "expanded", #","category":"news","experiment":{"name":"e\"","arm":"a"}"#),
  ].joined(separator: "\n")

  @Test func anExportIsInPositionOrderAndHasNoReplyUnlessAsked() throws {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let plain = try bench.exported()
    #expect(!plain.contains("replyText"))
    #expect(plain.contains(#""replyLength":8"#))
    #expect(!plain.contains("d-2"))
    let positions = plain.split(separator: "\n").compactMap { line in
      line.split(separator: #""position":"#).last?.prefix { $0.isNumber }
    }.compactMap { Int($0) }
    #expect(positions.count == 3)
    #expect(positions == positions.sorted())
    #expect(try bench.exported(withReplies: true).contains(#""replyText":"hé\n🙂""#))
  }

  @Test func anExportCanBeImportedIntoAnotherApp() throws {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let export = try bench.exported(withReplies: true)
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    let tally = try bench.run(export, app: other)
    #expect(tally.stored == 3)
    let again = try bench.exported(other, withReplies: true)
    #expect(content(again) == content(export))
    #expect(content(export).count == 3)
    #expect(try bench.run(export, app: other).duplicates == 3)
    #expect(
      try bench.value(
        "select count(distinct device_key) from event where app_id = \(other.id.rawValue)", as: Int.self)
        == 2)
  }

  @Test func aRangeOfPositionsIsInclusive() throws {
    let bench = try ImportBench()
    _ = try bench.run((1...5).map { ImportBench.line($0) }.joined(separator: "\n"))
    var found: [Int64] = []
    try StoredEvent.forEach(of: bench.app.id, in: 2...4, withReplies: false, on: bench.store.connect(.asking))
    {
      found.append($0.position)
    }
    #expect(found == [2, 3, 4])
  }
}
