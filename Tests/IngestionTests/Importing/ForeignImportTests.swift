import EngagementEvents
import EventStore
import ForeignEvents
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct ForeignImportTests {
  @Test(arguments: ForeignFixture.all) func aSystemsRecordsBecomeEvents(_ fixture: ForeignFixture) throws {
    let bench = try ImportBench()
    let tally = try bench.run(fixture.text, fixture.format)
    #expect(tally.rejections.map(\.line) == [fixture.malformedLine], "\(tally.rejections)")
    #expect(try bench.events() == fixture.events.sorted())
    let letter = try #require(
      try StoredDeadLetter.newest(.init(), limit: 5, on: bench.store.connect(.asking)).first?.letter)
    #expect(letter.index == fixture.malformedLine)
    #expect(letter.source == "import")
    #expect(letter.body.isEmpty)
  }

  @Test(arguments: ForeignFixture.all) func aSecondImportChangesNothing(_ fixture: ForeignFixture) throws {
    let bench = try ImportBench()
    let first = try bench.run(fixture.text, fixture.format)
    let before = try bench.exported()
    // An export of an overlapping range has the same records in another order and other lines.
    let overlapping = fixture.lines.reversed().joined(separator: "\n")
    for text in [fixture.text, overlapping] {
      let again = try bench.run(text, fixture.format)
      #expect(again.stored == 0)
      #expect(again.duplicates == first.stored)
    }
    #expect(try bench.exported() == before)
  }

  @Test func whatIsNotMeasuredIsCountedAndLeftOut() throws {
    let bench = try ImportBench()
    #expect(try bench.run(ForeignFixture.segment.text, .segment).ignored == ["bounced": 1, "identify": 1])
    #expect(
      try bench.run(ForeignFixture.onesignal.text, .onesignal).ignored == ["message.email.sent": 1])
  }

  @Test func campaignsTellCategoryAndMedia() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.foreign.campaigns = try Campaigns(
      ByteSource(name: "c", Array("\u{FEFF}campaign;category;media\r\ntpl-1;news;image|gif\r\n".utf8)))
    let tally = try bench.run(ForeignFixture.onesignal.text, .onesignal, options)
    // The nested record has no template.
    #expect(tally.lacks[.richness] == 1)
    let export = try bench.exported()
    #expect(export.split(separator: "\n").count { $0.contains(#""category":"news""#) } == 3)
    #expect(export.split(separator: "\n").count { $0.contains(#""intended": ["image", "gif"]"#) } == 2)
  }

  @Test func campaignsThatDoNotMeetAreNamed() throws {
    let bench = try ImportBench()
    func findings(_ lines: String) throws -> [String] {
      var options = EventImport.Options()
      options.isDry = true
      options.foreign.campaigns = try Campaigns(
        ByteSource(name: "c", Array(("campaign,category,media\n" + lines).utf8)))
      return try bench.run(ForeignFixture.onesignal.text, .onesignal, options).campaigns.findings
    }
    #expect(try findings("msg-1,news,image\n").isEmpty)
    #expect(
      try findings("TPL-1,news,image\nautumn,news,\ntpl-2,news,\n") == [
        "campaigns that have no line in the campaigns file: "
          + "“msg-1” or “tpl-1” or “weekly” (3 events; did you mean “TPL-1”?), “msg-1” (1 event)",
        "3 lines of the campaigns file met no record: “TPL-1”, “autumn”, “tpl-2”",
      ])
    let many = (10..<30).map { "c-\($0),news,\n" }.joined()
    #expect(try findings(many + "msg-1,news,\n").first?.hasSuffix("“c-19”, and 10 more") == true)
    #expect(try bench.run(ForeignFixture.onesignal.text, .onesignal).campaigns.findings.isEmpty)
  }

  @Test func recordsWithOtherMediaThanBeforeAreForANewApp() throws {
    let bench = try ImportBench()
    _ = try bench.run(ForeignFixture.braze.text, .braze)
    var options = EventImport.Options()
    options.foreign.campaigns = try Campaigns(
      ByteSource(name: "c", Array("campaign,category,media\nc-1,news,image\n".utf8)))
    let again = try bench.run(ForeignFixture.braze.text, .braze, options)
    let conflict = try #require(again.rejections.first { $0.code == "conflict" })
    #expect(conflict.message.hasSuffix("import them into a new app"))
    let messages = try bench.value("select string_agg(message, '|') from dead_letter", as: String.self)
    #expect(messages.contains("import them into a new app") && !messages.contains("an id of its own"))
  }

  @Test(arguments: ForeignFixture.all) func aFileLooksLikeWhatItIs(_ fixture: ForeignFixture) throws {
    #expect(
      try EventImport.Format(lookingAt: ByteSource(name: "f", Array(fixture.text.utf8))) == fixture.format)
  }

  @Test func ownFilesLookLikeWhatTheyAreToo() throws {
    func format(_ text: String) throws -> EventImport.Format? {
      try EventImport.Format(lookingAt: ByteSource(name: "f", Array(text.utf8)))
    }
    #expect(try format(ImportBench.line(1)) == .ndjson)
    #expect(try format("id,type,deviceId\n") == .csv)
    #expect(try format("{\"a\": 1}\nnot JSON\n") == nil)
  }

  /// Swift takes both for one; whoever made the file does not.
  @Test func campaignsThatDifferInTheirBytesAreTwo() throws {
    let file = "campaign,category,media\ncaf\u{e9},one,image\ncafe\u{301},two,\n"
    let campaigns = try Campaigns(ByteSource(name: "c", Array(file.utf8)))
    #expect(campaigns["caf\u{e9}"]?.category == "one" && campaigns["cafe\u{301}"]?.category == "two")
    #expect(campaigns.count == 2 && campaigns.ids.count == 2)
  }

  @Test func aVariationIsAnArmUnlessTheCampaignHasItsMedia() throws {
    let bench = try ImportBench()
    func arms(_ campaigns: String?, app: String) throws -> Int {
      var options = EventImport.Options()
      options.foreign.campaigns = try campaigns.map {
        try Campaigns(ByteSource(name: "c", Array(("campaign,category,media\n" + $0).utf8)))
      }
      let app = try App.findOrCreate(app, on: bench.store.connect(.administering))
      _ = try bench.run(ForeignFixture.braze.text, .braze, options, app: app)
      return try bench.exported(app).split(separator: "\n").count { $0.contains(#""arm":"v-1""#) }
    }
    #expect(try arms(nil, app: "a") == 2)
    #expect(try arms("v-1,news,image\nv-2,news,\n", app: "b") == 2)
    #expect(try arms("c-1,news,image\n", app: "c") == 0)
  }

  @Test func whatWasOnlySentCanBeLeftOut() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.foreign.ignoresSent = true
    #expect(try bench.run(ForeignFixture.firebase.text, .firebase, options).stored == 1)
    #expect(try bench.events() == ["delivered m-1 i-1 serviceExtension"])
  }

  @Test func aRecordWithoutATimeIsRejectedAndNeverDatedToday() throws {
    let bench = try ImportBench()
    let tally = try bench.run(
      #"{"event_type":"users.messages.pushnotification.Send","id":"b","dispatch_id":"d","device_id":"x"}"#,
      .braze)
    #expect(tally.rejections.map(\.field) == ["occurredAt"])
    #expect(tally.stored == 0)
  }

  @Test func timesWithoutAZoneAreRefusedUnlessOneIsNamed() throws {
    let bench = try ImportBench()
    let record = ForeignFixture.segmentCall(1, "Received", "2026-11-20 10:00:00", "")
    #expect(try bench.fault(record, .segment)?.code == .missingZone)
    var options = EventImport.Options()
    options.zone = TimeZone(identifier: "Europe/Berlin")
    #expect(try bench.run(record, .segment, options).stored == 1)
    #expect(try bench.exported().contains("2026-11-20T10:00:00+01:00"))
  }

  @Test func anArchivesCorrectedTimeIsTakenWhereTheClockWasWrong() throws {
    let bench = try ImportBench()
    let record = ForeignFixture.segmentCall(1, "Received", "2026-11-20T10:00:00Z", "")
    let corrected = record.replacing(#""timestamp":"2026-11-20T10"#, with: #""timestamp":"2026-11-20T13"#)
    let delayed = record.replacing("next-1", with: "next-2").replacing(
      #""timestamp":"2026-11-20T10:00"#, with: #""timestamp":"2026-11-20T10:20"#)
    _ = try bench.run(corrected + "\n" + delayed, .segment)
    let export = try bench.exported()
    #expect(export.contains(#""occurredAt":"2026-11-20T13:00:00Z""#))
    #expect(export.contains(#""occurredAt":"2026-11-20T10:00:00Z""#))
  }

  @Test func theFolderTellsBrazesType() throws {
    let bench = try ImportBench()
    let record = #"{"id":"b-1","time":1795168800,"dispatch_id":"d","device_id":"x"}"#
    var run = try EventImport(bench.store, app: bench.app, options: .init(), now: { ImportBench.arrival })
    let path = "b/event_type=users.messages.pushnotification.Send/date=2026-11-20/part-1.json"
    try run.run(ByteSource(name: path, Array(record.utf8)), format: .braze)
    #expect(run.tally.stored == 1)
  }

  @Test func aDryRunWritesNothing() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.isDry = true
    let tally = try bench.run(ForeignFixture.braze.text, .braze, options)
    #expect(tally.stored == 5)
    #expect(tally.kinds == [.sent: 1, .delivered: 1, .opened: 1, .action: 1, .dismissed: 1])
    #expect(tally.lacks[.delivery] == 1)
    #expect(tally.lacks[.richness] == 2)
    #expect(tally.samples.count == 3)
    #expect(try bench.eventCount == 0)
    #expect(try bench.letterCount == 0)
    #expect(try bench.value("select count(*) from source_limit", as: Int.self) == 0)
  }

  @Test func whatASourceDoesNotTellIsWrittenDownOnceADay() throws {
    let bench = try ImportBench()
    for _ in 0..<2 { _ = try bench.run(ForeignFixture.onesignal.text, .onesignal) }
    let limits = try bench.store.connect(.asking).query(
      "select distinct source || ' ' || day || ' ' || lack from source_limit order by 1"
    ).map { row in try row.value(0, as: String.self) }
    #expect(
      limits
        == ["action", "delivery", "dismissal", "display", "expansion", "reply", "richness"].map {
          "onesignal 2026-11-20 \($0)"
        })
    #expect(try bench.value("select count(*) from source_limit", as: Int.self) == 7)
  }

  @Test func memoryStaysBoundedHoweverLongTheFileIs() throws {
    let bench = try ImportBench()
    let record = ForeignFixture.braze.lines[0] + "\n"
    let piece = Array(String(repeating: record, count: 200).utf8)
    func run(pieces: Int) throws -> Int {
      var left = pieces
      var run = try EventImport(bench.store, app: bench.app, options: .init(), now: { ImportBench.arrival })
      try run.run(
        ByteSource(name: "file") {
          left -= 1
          return left >= 0 ? piece : []
        }, format: .braze)
      return run.tally.total
    }
    _ = try run(pieces: 20)
    let before = try bench.residentBytes()
    #expect(try run(pieces: 200) == 40_000)
    #expect(try bench.residentBytes() - before < 64 * 1_048_576)
  }
}

extension ImportBench {
  /// Type, notification, device and what else tells them apart, sorted: a batch is written in the order of its keys.
  func events() throws -> [String] {
    let export = try exported(withReplies: true)
    var names: [String: String] = [:]
    for device in ["sub-1", "sub-2", "dev-1", "dev-2", "ch-1", "i-1", "a-1", "x"] {
      let key = store.secret.deviceKey(app: app.id, device: try DeviceID(device))
      names["key:\(key)"] = device
    }
    return try export.split(separator: "\n").map { line in
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      func text(_ name: String) -> String? { object[name] as? String }
      let action: String? =
        switch text("actionId") {
        case ActionID.defaultAction.text?: "open"
        case ActionID.dismiss.text?: "dismiss"
        case let other: other
        }
      let parts = [
        text("type"), text("notificationId"), names[text("deviceId") ?? ""] ?? "?", action ?? text("source"),
      ]
      return parts.compactMap(\.self).joined(separator: " ")
    }.sorted()
  }

  func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return (Int(pages) ?? 0) * 4_096
  }
}
