import EngagementEvents
import EventStore
import ForeignEvents
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// What becomes of the cells of somebody's CSV, field by field.
@Suite(.store) struct MappedFieldsTests {
  private func mapping(_ columns: String, _ types: String) throws -> ColumnMapping {
    let names = #""T": "type", "P": "notificationId", "D": "deviceId", "W": "occurredAt""#
    let json = #"{"columns": {\#(names)\#(columns.isEmpty ? "" : ", " + columns)}, "types": {\#(types)}}"#
    return try ColumnMapping(ByteSource(name: "map", Array(json.utf8)))
  }

  private func options(
    _ columns: String, _ types: String, campaigns: String? = nil
  ) throws -> EventImport.Options {
    var options = EventImport.Options()
    options.foreign.mapping = try mapping(columns, types)
    options.foreign.campaigns = try campaigns.map { try Campaigns(ByteSource(name: "c", Array($0.utf8))) }
    return options
  }

  private static let time = "2026-11-20T10:00:00Z"

  @Test func anOpeningByAButtonIsThatButtonsAction() throws {
    let bench = try ImportBench()
    let rows = """
      T,P,D,W,B
      Sent,p-1,a-1,\(Self.time),like
      Click,p-1,a-1,2026-11-20T10:01:00Z,
      Click,p-1,a-1,2026-11-20T10:02:00Z,like
      Away,p-1,a-1,2026-11-20T10:03:00Z,like
      Btn,p-1,a-1,2026-11-20T10:04:00Z,like
      """
    let tally = try bench.run(
      rows, .csv,
      options(
        #""B": "actionId""#, #""Sent": "sent", "Click": "opened", "Away": "dismissed", "Btn": "action:no""#)
    )
    #expect(tally.rejections.isEmpty)
    #expect(
      try bench.events() == [
        "action p-1 a-1 dismiss", "action p-1 a-1 like", "action p-1 a-1 no", "action p-1 a-1 open",
        "delivered p-1 a-1 provider",
      ])
  }

  /// A column alone tells nothing: a row of a type that looks at it has to be possible.
  @Test(arguments: [
    (#""B": "actionId""#, #""x": "sent", "y": "opened""#, false, true),
    ("", #""x": "sent", "y": "opened""#, true, true),
    (#""B": "actionId""#, #""x": "sent", "y": "dismissed""#, true, true),
    (#""B": "actionId""#, #""x": "sent", "y": "replied""#, true, false),
    ("", #""x": "sent", "y": "action:like""#, false, true),
    (#""R": "replyText""#, #""x": "sent", "y": "action:like""#, false, false),
    (#""R": "replyText""#, #""x": "sent", "y": "opened""#, true, true),
    (#""B": "actionId", "R": "replyText""#, #""x": "sent", "y": "opened""#, false, false),
  ])
  func whatAColumnTellsDependsOnTheTypes(
    _ columns: String, _ types: String, lacksButtons: Bool, lacksReplies: Bool
  ) throws {
    let limits = try mapping(columns, types).limits
    #expect(limits.contains(.action) == lacksButtons)
    #expect(limits.contains(.reply) == lacksReplies)
  }

  @Test(arguments: ["", #""R": "replyText", "B": "actionId""#])
  func aReplyIsOneWithoutItsText(_ columns: String) throws {
    let bench = try ImportBench()
    let rows = """
      T,P,D,W,R,B
      Answered,p-1,a-1,\(Self.time),,
      Answered,p-2,a-1,\(Self.time),hello,answer
      """
    let tally = try bench.run(rows, .csv, options(columns, #""Answered": "replied""#))
    #expect(tally.kinds == [.replied: 2])
    let lengths = try bench.store.connect(.asking).query(
      "select action_id || ' ' || reply_length from event order by notification_id"
    ).map { row in try row.value(0, as: String.self) }
    #expect(lengths == (columns.isEmpty ? ["reply 0", "reply 0"] : ["reply 0", "answer 5"]))
  }

  /// Field, cell, and what it is as JSON; nil where it is no value of that field.
  private static let cells: [(String, String, String?)] = [
    ("intended", #"["image"]"#, #""intended": ["image"]"#),
    ("intended", "image| gif ", #""intended": ["image", "gif"]"#),
    ("intended", "none", #""intended": []"#), ("intended", "[]", #""intended": []"#),
    ("intended", "picture", nil),
    ("attachments", #"[{"kind": "image", "bytes": 3}]"#, #""attachments": [{"kind": "image", "bytes": 3}]"#),
    ("attachments", "image", #""attachments": [{"kind": "image"}]"#),
    ("actions", #"["a|b"]"#, #""actions": ["a|b"]"#), ("actions", "a|b", #""actions": ["a", "b"]"#),
    ("customInterface", "1", #""customInterface": true"#),
    ("customInterface", "TRUE", #""customInterface": true"#),
    ("customInterface", "yes", nil), ("sequence", "7", #""sequence":7"#),
    ("sequence", "007", #""sequence":7"#),
    ("sequence", "+5", #""sequence":5"#), ("sequence", "1.5", nil), ("sequence", "x", nil),
    ("relevanceScore", ".5", #""relevanceScore": 0.5"#),
    ("relevanceScore", "0.25", #""relevanceScore": 0.25"#),
    ("relevanceScore", "0x1", nil), ("relevanceScore", "nan", nil),
  ]

  /// A delivery with such a cell under a column of somebody's, and under our own.
  private func importBothWays(_ field: String, _ cell: String, into bench: ImportBench) throws
    -> [ImportTally]
  {
    let quoted = "\"" + cell.replacing("\"", with: "\"\"") + "\""
    let mapped = try bench.run(
      "T,P,D,W,X\nGot,p-1,a-1,\(Self.time),\(quoted)\n", .csv,
      options(#""X": "\#(field)""#, #""Got": "delivered""#))
    var options = EventImport.Options()
    options.derivesIDs = true
    let own = try bench.run(
      "type,notificationId,deviceId,occurredAt,\(field)\ndelivered,p-2,a-1,\(Self.time),\(quoted)\n", .csv,
      options)
    return [mapped, own]
  }

  @Test(arguments: cells)
  func aCellMeansTheSameUnderAnyName(_ field: String, _ cell: String, _ expected: String?) throws {
    let bench = try ImportBench()
    let tallies = try importBothWays(field, cell, into: bench)
    for tally in tallies {
      #expect(tally.stored == (expected == nil ? 0 : 1), "\(tally.rejections)")
      #expect(tally.rejections.allSatisfy { $0.field.hasPrefix(field) && $0.code != "invalid_json" })
    }
    #expect(tallies[0].rejections.map(\.code) == tallies[1].rejections.map(\.code))
    guard let expected else { return }
    let events = try bench.exported().split(separator: "\n")
    #expect(events.count { $0.contains(expected) } == 2, "\(events)")
  }

  /// Columns of a fixed width come filled with blanks: nobody told anything there.
  @Test(arguments: ["intended", "attachments", "customInterface", "sequence"])
  func aBlankCellIsAnAbsentField(_ field: String) throws {
    let bench = try ImportBench()
    let tallies = try importBothWays(field, "  ", into: bench)
    #expect(tallies.allSatisfy { $0.stored == 1 })
    #expect(
      try bench.value("select count(*) from event where intended is null and sequence is null", as: Int.self)
        == 2)
    #expect(field != "attachments" || tallies[0].lacks[.richness] == 1)
  }

  @Test func anExperimentThatIsToldStaysWhateverTheCampaignHas() throws {
    let bench = try ImportBench()
    let columns = #""C": "campaign", "E": "experiment.name", "A": "experiment.arm""#
    let rows = """
      T,P,D,W,C,E,A
      Got,p-1,a-1,\(Self.time),spring,exp,one
      Got,p-2,a-1,\(Self.time),spring,exp,two
      Got,p-3,a-1,\(Self.time),spring,,
      Got,p-4,a-1,\(Self.time),spring,exp,
      """
    // Where the file has an arm's own media, these are the arm's.
    let tally = try bench.run(
      rows, .csv,
      options(
        columns, #""Got": "delivered""#, campaigns: "campaign,media\nspring,image\nexp/two,gif\n"))
    #expect(tally.rejections.map(\.line) == [5])
    #expect(tally.rejections.map(\.field) == ["experiment.arm"])
    let events = try bench.exported().split(separator: "\n").map(String.init)
    func event(_ notification: String) throws -> String {
      try #require(events.first { $0.contains("\"\(notification)\"") })
    }
    #expect(try event("p-1").contains(#""experiment":{"name":"exp","arm":"one"}"#))
    #expect(try event("p-1").contains(#""intended": ["image"]"#))
    #expect(try event("p-2").contains(#""experiment":{"name":"exp","arm":"two"}"#))
    #expect(try event("p-2").contains(#""intended": ["gif"]"#))
    #expect(try !event("p-3").contains("experiment"))
  }

  @Test func halfAnExperimentIsNoMapping() throws {
    let error = #expect(throws: ImportError.self) {
      try mapping(#""E": "experiment.name""#, #""Got": "delivered""#)
    }
    #expect(error?.message.contains("no column is mapped to: experiment.arm") == true)
  }

  /// An id is made of these, so that it is missing too; but nobody could supply that.
  @Test(arguments: [
    (",a-1,\(time)", "notificationId"), ("p-1,,\(time)", "deviceId"), ("p-1,a-1,", "occurredAt"),
  ])
  func whatTheRowLacksIsNamed(_ cells: String, _ field: String) throws {
    let bench = try ImportBench()
    let tally = try bench.run("T,P,D,W\nGot,\(cells)\n", .csv, options("", #""Got": "delivered""#))
    #expect(tally.rejections.map(\.field) == [field])
  }
}
