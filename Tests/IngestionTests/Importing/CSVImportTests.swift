import EngagementEvents
import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct CSVImportTests {
  private let header = "id,type,notificationId,deviceId,occurredAt"
  private let row = "7c42ca9b-9eab-4d04-80b3-40f10b0c54aa,expanded,n1,d1,2026-11-20T10:00:00Z"

  @Test func everyColumnBecomesItsField() throws {
    let bench = try ImportBench()
    let text = """
      \u{FEFF} id ; type ;notificationId;deviceId;category;occurredAt;sequence;source;experiment.name;experiment.arm;\
      attachments;intended;fallback;customInterface;actions;interruptionLevel;relevanceScore;threadId;appVersion;locale;\
      actionId;replyText
      7c42ca9b-9eab-4d04-80b3-40f10b0c54aa;delivered;n1;d1;'=news;2026-11-20T10:00:00Z;7;serviceExtension;exp;rich;\
      image| gif;"[""image""]";timedOut;TRUE;like|reply;active;0.5;t;1.0;de_DE;;
      7c42ca9b-9eab-4d04-80b3-40f10b0c54ab;action;n1;d1;'tis;2026-11-20T10:01:00Z;;;;;;;;;;;;;;;reply;"a ""b""
      c"
      """
    let tally = try bench.run(text.replacing("\n", with: "\r\n"), .csv)
    #expect(tally.rejections.isEmpty)
    #expect(tally.stored == 2)
    let lines = try bench.exported(withReplies: true).split(separator: "\n").map(String.init)
    let byID = lines.sorted()
    #expect(byID[0].contains(#""category":"=news""#))
    #expect(
      byID[0].contains(#""sequence":7,"source":"serviceExtension","experiment":{"name":"exp","arm":"rich"}"#))
    #expect(byID[0].contains(#""attachments": [{"kind": "image"}, {"kind": "gif"}]"#))
    #expect(byID[0].contains(#""intended": ["image"]"#))
    #expect(byID[0].contains(#""customInterface": true"#))
    #expect(byID[0].contains(#""actions": ["like", "reply"]"#))
    #expect(byID[0].contains(#""relevanceScore": 0.5"#))
    #expect(byID[1].contains(#""category":"'tis""#))
    #expect(byID[1].contains(#""actionId":"reply","replyText":"a \"b\"\r\nc","replyLength":8"#))
  }

  @Test func columnsThatWillNotDoStopTheImportByTheirNames() throws {
    let bench = try ImportBench()
    let unknown = try bench.fault("id,type,notification_id,deviceId,occurredAt,colour\n")
    #expect(unknown?.code == .columns)
    #expect(unknown?.message.contains("notification_id (did you mean notificationId?); colour") == true)
    let missing = try bench.fault("type,deviceId,category\n")
    #expect(missing?.message.contains("missing: id (or let --derive-ids make one") == true)
    #expect(missing?.message.contains("notificationId, occurredAt.") == true)
    let twice = try bench.fault(header + ",type\n")
    #expect(twice?.message.contains("twice: type") == true)
    #expect(try bench.fault("")?.message.contains("empty") == true)
    let nameless = try bench.fault(header + ",\n")
    #expect(nameless?.message.contains("column 6, which has no name") == true)
    var options = EventImport.Options()
    options.ignoresUnknownColumns = true
    #expect(try bench.run(header + ",colour,\n" + row + ",red,\n", .csv, options).stored == 1)
  }

  @Test func aRowThatMakesNoEventIsRejectedAlone() throws {
    let bench = try ImportBench()
    let rows = [
      row, "too,few", row + ",many", #""a"b,expanded,n1,d1,2026-11-20T10:00:00Z"#,
      "7c42ca9b-9eab-4d04-80b3-40f10b0c54ac,expanded,n1,d1,",
      "7c42ca9b-9eab-4d04-80b3-40f10b0c54ad,expanded,n1,d1,2026-02-30 10:00Z",
      "x,expanded,n1,d1,2026-11-20T10:00:00Z",
    ]
    let tally = try bench.run(([header] + rows).joined(separator: "\n"), .csv)
    #expect(tally.stored == 1)
    #expect(
      tally.rejections.map(\.code) == [
        "wrong_column_count", "wrong_column_count", "invalid_csv", "missing_field", "day_out_of_range",
        "invalid_uuid",
      ])
    #expect(tally.rejections.map(\.line) == [3, 4, 5, 6, 7, 8])
    #expect(try bench.letterCount == 6)
  }

  private static let header = "id,type,notificationId,deviceId,category,occurredAt\n"

  private static func row(
    id: String = "00000000-0000-4000-8000-000000000001", notification: String = "n", device: String = "d",
    category: String = "c"
  ) -> String { "\(id),expanded,\(notification),\(device),\(category),2026-11-20T10:00:00Z\n" }

  /// Two notifications would be one, or a device all of them.
  @Test func anIDThatASpreadsheetHasRoundedIsRejectedByName() throws {
    let bench = try ImportBench()
    for number in ["9.99999E+17", "1E+18", "\"9,99999E+17\"", "9.99999e+17"] {
      let rows = Self.row(id: number) + Self.row(notification: number) + Self.row(device: number)
      let tally = try bench.run(Self.header + rows, .csv)
      try #require(tally.rejections.map(\.code) == Array(repeating: "rounded_number", count: 3), "\(number)")
      #expect(tally.rejections.map(\.field) == ["id", "notificationId", "deviceId"])
      #expect(tally.rejections[1].message.contains("as spreadsheets round it, in which digits are lost"))
      #expect(!tally.rejections[2].message.contains("E+") && !tally.rejections[2].message.contains("e+"))
    }
    // What only looks a little like it is an id, and a category may be called anything.
    for id in ["9E17", "1E-5", "E+17", "12E+17", "1.E+17", "1E+", "a1E+17", "1E+17b"] {
      #expect(try bench.run(Self.header + Self.row(notification: id), .csv).stored == 1, "\(id)")
    }
    #expect(try bench.run(Self.header + Self.row(category: "9.99999E+17"), .csv).stored == 1)
  }

  @Test func aCellInAnotherEncodingIsNamedByItsColumn() throws {
    let bench = try ImportBench()
    let bytes = Array((Self.header + Self.row(category: "Gr|") + Self.row()).utf8)
    let latin = bytes.flatMap { $0 == UInt8(ascii: "|") ? [0xFC] : [$0] }
    let tally = try bench.run(latin, .csv)
    #expect(tally.stored == 1)
    #expect(
      tally.rejections.map(\.description) == [
        "file, line 2: invalid_utf8 (category): the cell of category is not valid UTF-8; save the file as UTF-8, or convert it"
      ])
  }

  @Test func aLineForSpreadsheetsIsNamed() throws {
    let bench = try ImportBench()
    for separator in ";,\t" {
      let error = try bench.fault("sep=\(separator)\r\n" + Self.header + Self.row())
      #expect(
        error?.message.contains(
          "begins with the line sep=\(separator), which is for spreadsheets alone: remove it") == true)
    }
  }

  @Test func lettersOfRowsHaveNeitherDeviceNorReply() throws {
    let bench = try ImportBench()
    let text =
      header + ",actionId,replyText\nx,action,n1,secret-device,2026-11-20T10:00:00Z,reply,secret words\n"
      + "x,secret-device,secret words\n"
    _ = try bench.run(text, .csv)
    let letters = try StoredDeadLetter.newest(.init(), limit: 9, on: bench.store.connect(.asking))
    #expect(letters.count == 2)
    for stored in letters {
      let kept = String(decoding: stored.letter.body, as: UTF8.self) + stored.letter.message
      #expect(!kept.contains("secret"))
    }
  }

  @Test func timesWithoutAZoneStopTheImportUnlessOneIsNamed() throws {
    let bench = try ImportBench()
    let text = header + "\n" + row.replacing("2026-11-20T10:00:00Z", with: "2026-11-20 10:00:00") + "\n"
    let fault = try bench.fault(text)
    #expect(fault?.code == .missingZone)
    #expect(fault?.message.contains("line 2") == true)
    #expect(fault?.message.contains("--timezone") == true)
    var options = EventImport.Options()
    options.zone = TimeZone(identifier: "Europe/Berlin")
    let twice = "7c42ca9b-9eab-4d04-80b3-40f10b0c54ac,expanded,n1,d1,2026-10-25 02:30:00\n"
    let never = "7c42ca9b-9eab-4d04-80b3-40f10b0c54ad,expanded,n1,d1,2026-03-29 02:30:00\n"
    let tally = try bench.run(text + twice + never, .csv, options)
    #expect(tally.stored == 2)
    #expect(tally.ambiguousTimes == 1)
    #expect(tally.rejections.map(\.code) == ["clock_out_of_range"])
    let raw = try bench.store.connect(.asking).query("select occurred_at_raw from event order by 1").map {
      row in
      try row.value(0, as: String.self)
    }
    #expect(raw == ["2026-10-25T02:30:00+02:00", "2026-11-20T10:00:00+01:00"])
  }

  @Test func derivedIDsAreTheSameTheNextTimeAndDifferBetweenEvents() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.derivesIDs = true
    let text = """
      type,notificationId,deviceId,occurredAt,category,actionId
      delivered,n1,d1,2026-11-20T10:00:00Z,news,
      expanded,n1,d1,2026-11-20T10:00:00Z,news,
      action,n1,d1,2026-11-20T10:00:00Z,news,like
      action,n1,d1,2026-11-20T10:00:00Z,news,share
      action,n1,d2,2026-11-20T10:00:00Z,news,share
      action,n1,d2,2026-11-20T10:00:00Z,news,share
      """
    let first = try bench.run(text, .csv, options)
    #expect(first.stored == 5)
    #expect(first.duplicates == 1)
    // Columns in another order, and one of no account changed.
    let turned = """
      actionId,category,occurredAt,deviceId,notificationId,type
      ,news,2026-11-20T10:00:00Z,d1,n1,delivered
      ,weather,2026-11-20T10:00:00Z,d1,n1,expanded
      """
    let second = try bench.run(turned, .csv, options)
    #expect(second.duplicates == 1)
    #expect(second.rejections.map(\.code) == ["conflict"])
    #expect(
      try bench.value("select bool_and(event_id::text like '________-____-8___-%') from event", as: Bool.self)
    )
  }
}
