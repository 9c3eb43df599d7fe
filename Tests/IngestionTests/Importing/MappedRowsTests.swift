import EngagementEvents
import EventStore
import ForeignEvents
import Foundation
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct MappedRowsTests {
  private let mapping = """
    {"columns": {"What": "type", "Push": "notificationId", "Install": "deviceId", "When": "occurredAt",
      "Kind": "category", "Camp": "campaign", "Button": "actionId"},
     "types": {"Sent": "sent", "Click": "opened", "Btn:like": "action:like", "Noise": "ignored"}}
    """

  private func options(
    _ mapping: String? = nil, campaigns: String? = nil, zone: String? = "UTC"
  ) throws -> EventImport.Options {
    var options = EventImport.Options()
    options.foreign.mapping = try ColumnMapping(
      ByteSource(name: "map", Array((mapping ?? self.mapping).utf8)))
    options.foreign.campaigns = try campaigns.map { try Campaigns(ByteSource(name: "c", Array($0.utf8))) }
    options.zone = zone.flatMap { TimeZone(identifier: $0) }
    return options
  }

  /// With a byte-order mark, blanks in the header, semicolons, CR LF, and a column that is nobody's.
  private let file = """
    \u{FEFF} What ;Push;Install; When;Kind;Camp;Button;Junk\r
    Sent;p-1;a-1;2026-11-20 10:00:00;news;spring;;1\r
    Click;p-1;a-1;2026-11-20 10:05:00;news;spring;;2\r
    Btn:like;p-1;a-1;2026-11-20 10:06:00;news;;;3\r
    Noise;p-1;a-1;2026-11-20 10:06:00;;;;4\r
    Huh;p-1;a-1;2026-11-20 10:06:00;;;;5\r
    Click;p-1;a-1;;news;;;6\r
    Click;p-1;a-1\r

    """

  @Test func aMappingMakesEventsOfAnyColumns() throws {
    let bench = try ImportBench()
    let options = try options(campaigns: "campaign,media\nspring,image\n")
    let tally = try bench.run(file, .csv, options)
    #expect(
      try bench.events() == ["action p-1 a-1 like", "action p-1 a-1 open", "delivered p-1 a-1 provider"])
    #expect(tally.ignored == ["Noise": 1])
    #expect(tally.rejections.map(\.line) == [6, 7, 8])
    #expect(tally.rejections.map(\.code) == ["unknown_value", "missing_field", "wrong_column_count"])
    #expect(tally.lacks == [.delivery: 1, .expansion: 1, .dismissal: 1, .reply: 1, .display: 1])
    let again = try bench.run(file, .csv, options)
    #expect((again.stored, again.duplicates) == (0, 3))
    #expect(try bench.letterCount == 3)
  }

  @Test func theOrderOfTheColumnsIsNoPartOfARow() throws {
    let bench = try ImportBench()
    _ = try bench.run(file, .csv, options())
    let turned = file.split(separator: "\r\n").map { row in
      row.split(separator: ";", omittingEmptySubsequences: false).reversed().joined(separator: ";")
    }.joined(separator: "\n").replacing("\u{FEFF}", with: "")
    let again = try bench.run(turned, .csv, options())
    #expect((again.stored, again.duplicates) == (0, 3))
  }

  @Test func timesNeedAZoneOrAUnit() throws {
    let bench = try ImportBench()
    #expect(try bench.fault(file, .csv, options(zone: nil))?.code == .missingZone)
    let numbers = mapping.replacing("\"types\":", with: #""timeUnit": "milliseconds", "types":"#)
    let text = "What,Push,Install,When,Kind,Camp,Button\nSent,p,a-1,1795168800250,,,\n"
    #expect(try bench.run(text, .csv, options(numbers)).stored == 1)
    #expect(try bench.exported().contains("2026-11-20T10:00:00.250Z"))
    // Nobody knows what a number means where the mapping does not tell.
    let untold = try bench.run(text, .csv, options()).rejections
    #expect(untold.map(\.field) == ["occurredAt"])
    #expect(
      untold.first?.message == "the time is “1795168800250”, a number, and the mapping has no timeUnit; "
        + #"if it counts milliseconds, the mapping needs "timeUnit": "milliseconds""#)
    let seconds = numbers.replacing("milliseconds", with: "seconds")
    let mistaken = try #require(try bench.run(text, .csv, options(seconds)).rejections.first?.message)
    #expect(
      mistaken.contains("“1795168800250”, too large or small a number for seconds; if it counts milliseconds")
    )
  }

  @Test func aMissingColumnStopsTheImportBeforeAnythingIsWritten() throws {
    let bench = try ImportBench()
    let fault = try bench.fault("What,Push,When\nSent,p,2026-11-20T10:00:00Z\n", .csv, options())
    #expect(fault?.code == .columns)
    #expect(fault?.message.contains("Button, Camp, Install, Kind") == true)
    #expect(try bench.eventCount == 0)
    #expect(try bench.letterCount == 0)
  }

  @Test(arguments: [
    (#"{"columns": {"a": "type"}}"#, "notificationId, deviceId, occurredAt"),
    (#"{"columns": {"a": "typ"}}"#, "unknown field 'typ'"),
    (#"{"columns": {"a": "type"}, "types": {"x": "clicked"}}"#, "'clicked'"),
    (#"{"column": {}}"#, "unknown member 'column'"), ("[]", "no JSON object"), ("{", "is no mapping"),
    ("{\n\"columns\" {}}", "the file is not valid JSON at byte 12 of the file"),
    (#"{"columns": {"a": "type", "b": "type"}}"#, "two columns"),
  ])
  func aMappingThatWillNotDoIsRefusedWithItsReason(_ mapping: String, _ reason: String) throws {
    let error = #expect(throws: ImportError.self) { try options(mapping) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("name,media\n", "columns campaign and media"), ("campaign,media\na,picture\n", "line 2"),
    ("campaign,media\na,image\na,gif\n", "line 3: the campaign “a” stands twice"), ("", "it is empty"),
    ("Campaign,Media\n", "its first line has: “Campaign”, “Media”"),
    ("campaign,media\n,gif\n", "line 2: the campaign is empty"), ("campaign,media\na\n", "line 2"),
  ])
  func aCampaignsFileThatWillNotDoIsRefusedWithItsReason(_ text: String, _ reason: String) throws {
    let error = #expect(throws: ImportError.self) { try options(campaigns: text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }
}
