import EngagementEvents
import EventStore
import Postgres
import Reports
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
    ImportBench.line(8, "action", #","actionId":"reply","replyText":"""#),
  ].joined(separator: "\n")

  /// The app's events as an export writes them.
  private func export(
    _ bench: ImportBench, _ format: EventExport.Format, withReplies: Bool
  ) throws -> (text: String, format: EventImport.Format) {
    let export = EventExport()
    var bytes: [UInt8] = []
    var csv = CSV(header: EventExport.columns)
    try bench.forEachStored(withReplies: withReplies) { event in
      switch format {
      case .ndjson: event.appendJSON(to: &bytes)
      case .segment: export.appendSegmentCall(of: event, to: &bytes)
      case .csv: csv.append(export.cells(of: event).map { $0.map(CSV.Cell.text) ?? .empty })
      }
      if format != .csv { bytes.append(UInt8(ascii: "\n")) }
    }
    if format == .csv { bytes = csv.drain() }
    let back: EventImport.Format = format == .csv ? .csv : format == .segment ? .segment : .ndjson
    return (String(decoding: bytes, as: UTF8.self), back)
  }

  private func content(_ bench: ImportBench, _ app: App) throws -> [String] {
    try bench.exported(app, withReplies: true).split(separator: "\n").map {
      String($0).replacing(#/,"position":.*/#, with: "")
    }.sorted()
  }

  /// Whether texts come along or not, what is there already stays as it is, and nothing is refused.
  @Test(arguments: EventExport.Format.allCases, [true, false])
  func anExportImportedAgainChangesNothing(_ form: EventExport.Format, withReplies: Bool) throws {
    let bench = try ImportBench()
    #expect(try bench.run(events).stored == 8)
    let before = try content(bench, bench.app)
    let (text, format) = try export(bench, form, withReplies: withReplies)
    #expect(text.contains("hé") == withReplies)
    let again = try bench.run(text, format)
    #expect((again.stored, again.duplicates, again.rejected) == (0, 8, 0), "\(again.rejections)")
    #expect(try bench.letterCount == 0)
    #expect(try content(bench, bench.app) == before)
  }

  /// A text stays with whatever it came, also where none is asked for.
  @Test(arguments: EventExport.Format.allCases, [true, false])
  func aTextStaysWithTheActionThatItCameWith(_ form: EventExport.Format, withReplies: Bool) throws {
    let bench = try ImportBench()
    let actions = ["like", "Dismiss", ActionID.defaultAction.text, ActionID.dismiss.text]
    let lines = actions.flatMap { action in
      ["", #","replyText":"hé""#, #","replyText":"""#].map { #","actionId":"\#(action)"\#($0)"# }
    }
    let file = lines.enumerated().map { ImportBench.line($0 + 1, "action", $1) }.joined(separator: "\n")
    #expect(try bench.run(file).stored == 12)
    let before = try content(bench, bench.app)
    let (text, format) = try export(bench, form, withReplies: withReplies)
    let again = try bench.run(text, format)
    #expect((again.stored, again.duplicates, again.rejected) == (0, 12, 0), "\(again.rejections)")
    #expect(try content(bench, bench.app) == before)
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    #expect(try bench.run(text, format, app: other).stored == 12)
    if withReplies { #expect(try content(bench, other) == before) }
  }

  /// And the same units in another app, with nothing left open.
  @Test(arguments: EventExport.Format.allCases) func anotherAppGetsAllOfIt(_ form: EventExport.Format) throws
  {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let (text, format) = try export(bench, form, withReplies: true)
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    #expect(try bench.run(text, format, app: other).stored == 8)
    #expect(try content(bench, other) == content(bench, bench.app))
    #expect(try bench.value("select count(*) from source_limit", as: Int.self) == 0)
  }

  /// Where its text is left out, a reply is one of its length; one of nothing is known whole.
  @Test(arguments: EventExport.Format.allCases)
  func anotherAppHasRepliesWithoutTheirTexts(_ form: EventExport.Format) throws {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let (text, format) = try export(bench, form, withReplies: false)
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    let first = try bench.run(text, format, app: other)
    #expect((first.stored, first.rejected, first.kinds[.replied]) == (8, 0, 2), "\(first.rejections)")
    let replies = try bench.store.connectAsSuperuser().query(
      """
      select reply_length || coalesce(' ' || text, '') from event left join reply using (event_id, unit_id, day)
      where event.app_id = \(other.id.rawValue) and reply_length is not null order by event_id
      """
    ).map { row in try row.value(0, as: String.self) }
    #expect(replies == ["14", "0 "])
    #expect(try bench.run(text, format, app: other).duplicates == 8)
    #expect(try bench.letterCount == 0)
  }

  /// An app that keeps no more of replies than that there were some.
  @Test(arguments: EventExport.Format.allCases)
  func repliesOfWhichNothingIsKeptComeBackAsSuch(_ form: EventExport.Format) throws {
    let bench = try ImportBench()
    _ = try CategoryRegistry(replyText: .none, []).import(
      into: bench.app.id, on: bench.store.connect(.administering))
    _ = try bench.run(events)
    let (text, format) = try export(bench, form, withReplies: true)
    let again = try bench.run(text, format)
    #expect((again.stored, again.duplicates, again.rejected) == (0, 8, 0), "\(again.rejections)")
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    #expect(try bench.run(text, format, app: other).stored == 8)
    #expect(
      try bench.value(
        "select count(*) from event where app_id = \(other.id.rawValue) and reply_length = -1", as: Int.self)
        == 2)
  }

  /// What was erased is in an export as of nobody, and there is a way back only to where it is already.
  @Test(arguments: EventExport.Format.allCases) func erasedEventsAreNotDoubled(_ form: EventExport.Format)
    throws
  {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let record = try DeviceErasure(bench.store).run(DeviceID("d-1"), of: bench.app.id, requester: "test")
    #expect(record.events == 7)
    let before = try content(bench, bench.app)
    let (text, format) = try export(bench, form, withReplies: true)
    let again = try bench.run(text, format)
    #expect((again.stored, again.duplicates, again.rejected) == (0, 8, 0), "\(again.rejections)")
    #expect(try content(bench, bench.app) == before)
    // Another app does not have them because this one does.
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    #expect(try bench.run(text, format, app: other).stored == 8)
    #expect(try bench.run(text, format, app: other).duplicates == 8)
  }

  /// Whoever else writes a length has no reply for it.
  @Test func onlyOurOwnLinesTellOfRepliesWithoutTexts() throws {
    let bench = try ImportBench()
    let line = ImportBench.line(1, "action", #","actionId":"reply","replyLength":5"#)
    #expect(try bench.run(line).unknownFields == 1)
    #expect(try bench.value("select reply_length is null from event", as: Bool.self))
    let withText = ImportBench.line(1, "action", #","actionId":"reply","replyText":"hello""#)
    #expect(try bench.run(withText).rejections.map(\.code) == ["conflict"])
  }

  @Test func segmentCallsHaveTheNamesOfTheSpec() throws {
    let bench = try ImportBench()
    _ = try bench.run(events)
    let calls = try export(bench, .segment, withReplies: true).text
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
    #expect(
      try bench.run(export(bench, .segment, withReplies: true).text, .segment, app: other).kinds == [
        .replied: 1
      ])
  }
}

extension ImportBench {
  /// Lends the app's events.
  fileprivate func forEachStored(withReplies: Bool, _ body: (StoredEvent) throws -> Void) throws {
    let connection = try store.connect(.readingReplies)
    let last = try PositionBarrier.lastPosition(on: connection) ?? 0
    try StoredEvent.forEach(of: app.id, in: 1...max(last, 1), withReplies: withReplies, on: connection, body)
  }
}
