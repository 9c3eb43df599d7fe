import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// What leaves in another system's form comes back as what it was.
@Suite(.store) struct RoundTripTests {
  private let events = [
    ImportBench.line(
      1, "delivered",
      #","category":"news","intended":["image"],"attachments":[{"kind":"image","bytes":12}],"relevanceScore":0.1,"#
        + #""customInterface":true,"actions":["like","re\"ply"],"appVersion":"7.1","locale":"de","threadId":"t""#
    ),
    ImportBench.line(
      2, "action", #","category":"=q\" \\ ü\u0001","actionId":"reply","replyText":"hé\n🙂, \"so\"""#,
      device: "d-2"),
    ImportBench.line(
      3, "expanded", #","sequence":7,"source":"contentExtension","experiment":{"name":"e\"","arm":"a"}"#),
    ImportBench.line(4, "delivered"), ImportBench.line(5, "action", #","actionId":"Open""#),
    ImportBench.line(
      6, "action", #","actionId":"com.apple.UNNotificationDefaultActionIdentifier""#),
    ImportBench.line(
      7, "action", #","actionId":"com.apple.UNNotificationDismissActionIdentifier""#),
  ].joined(separator: "\n")

  private func segment(_ bench: ImportBench) throws -> String {
    var bytes: [UInt8] = []
    let export = EventExport()
    try bench.forEachStored { event in
      export.appendSegmentCall(of: event, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func content(_ bench: ImportBench, _ app: App) throws -> [String] {
    try bench.exported(app, withReplies: true).split(separator: "\n").map {
      String($0).replacing(#/,"position":.*/#, with: "")
    }.sorted()
  }

  @Test func segmentCallsImportedAgainChangeNothing() throws {
    let bench = try ImportBench()
    #expect(try bench.run(events).stored == 7)
    let calls = try segment(bench)
    let again = try bench.run(calls, .segment)
    #expect((again.stored, again.duplicates, again.rejected) == (0, 7, 0), "\(again.rejections)")
    // And the same units in another app, with nothing left open.
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    #expect(try bench.run(calls, .segment, app: other).stored == 7)
    #expect(try content(bench, other) == content(bench, bench.app))
    #expect(try bench.value("select count(*) from source_limit", as: Int.self) == 0)
    #expect(calls.contains(#""event":"Push Notification Replied""#))
    #expect(calls.contains(#""context":{"device":{"id":"key:"#))
  }

  /// Of which the app keeps nothing but that it was one.
  @Test func aReplyThatIsWithheldIsStillOneElsewhere() throws {
    let bench = try ImportBench()
    _ = try CategoryRegistry(replyText: .none, []).import(
      into: bench.app.id, on: bench.store.connect(.administering))
    _ = try bench.run(ImportBench.line(1, "action", #","actionId":"reply","replyText":"marked""#))
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    #expect(try bench.run(segment(bench), .segment, app: other).kinds == [.replied: 1])
  }

  @Test func ourOwnLinesImportedAgainChangeNothing() throws {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let again = try bench.run(try bench.exported(withReplies: true))
    #expect((again.stored, again.duplicates) == (0, 7))
  }

  @Test func rowsImportedAgainChangeNothing() throws {
    let bench = try ImportBench()
    _ = try bench.run(events)
    var rows = [EventExport.columns]
    try bench.forEachStored { rows.append(EventExport().cells(of: $0).map { $0 ?? "" }) }
    let text = rows.map { row in
      row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
    }.joined(separator: "\r\n")
    let again = try bench.run(text, .csv)
    #expect((again.stored, again.duplicates, again.rejected) == (0, 7, 0), "\(again.rejections)")
  }
}

extension ImportBench {
  /// Lends the app's events with the texts of their replies.
  func forEachStored(_ body: (StoredEvent) throws -> Void) throws {
    let connection = try store.connect(.readingReplies)
    let last = try PositionBarrier.lastPosition(on: connection) ?? 0
    try StoredEvent.forEach(of: app.id, in: 1...max(last, 1), withReplies: true, on: connection, body)
  }
}
