import EngagementEvents
import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct EventImportTests {
  @Test func importingTwiceIsANoOp() throws {
    let bench = try ImportBench()
    let text =
      ImportBench.line(1) + "\n\n" + #"{"id":"x"}"# + "\n" + ImportBench.line(2) + "\n" + ImportBench.line(1)
      + "\n"
      + ImportBench.line(2, "expanded", #","category":"other""#) + "\n"
    let first = try bench.run(text)
    #expect(first.stored == 2)
    #expect(first.duplicates == 1)
    #expect(first.rejected == 2)
    #expect(first.rejections.map(\.line) == [3, 6])
    #expect(first.rejections.map(\.code) == ["invalid_uuid", "conflict"])
    let events = try bench.exported()
    #expect(try bench.letterCount == 2)

    let second = try bench.run(text)
    #expect(second.stored == 0)
    #expect(second.duplicates == 3)
    #expect(second.rejected == 2)
    #expect(try bench.exported() == events)
    #expect(try bench.letterCount == 2)
  }

  @Test func aLineThatWasCutIsNotToldByWhatIsLeftOfIt() throws {
    let bench = try ImportBench()
    let long = ImportBench.line(1, "expanded", #","x":"\#(String(repeating: "x", count: 1 << 20))""#)
    let tally = try bench.run(long + "\n" + ImportBench.line(2), pieceSize: 1 << 16)
    #expect(tally.stored == 1)
    #expect(tally.rejections.map(\.message) == ["the event has 262144 or more bytes; send at most 32768"])
  }

  @Test func lettersHaveTheSourceAndTheLine() throws {
    let bench = try ImportBench()
    _ = try bench.run(ImportBench.line(1) + "\n" + ImportBench.line(2, "tapped"))
    let letter = try #require(
      try StoredDeadLetter.newest(.init(), limit: 5, on: bench.store.connect(.asking)).first?.letter)
    #expect(letter.source == "import")
    #expect(letter.index == 2)
    #expect(letter.field == "type")
  }

  /// Parts of one export, each cut off within its sixth line.
  @Test func lettersOfSeveralFilesAreKeptApart() throws {
    let bench = try ImportBench()
    for _ in 0..<2 {
      for part in 1...2 {
        let lines = (1...5).map { ImportBench.line(10 * part + $0) } + [#"{"id":"0000"#]
        var pieces = [Array(lines.joined(separator: "\n").utf8)]
        let source = ByteSource(name: "/somewhere/part-\(part).json", fileName: "part-\(part).json") {
          pieces.popLast() ?? []
        }
        var run = try EventImport(bench.store, app: bench.app, options: .init()) { ImportBench.arrival }
        try run.run(source, format: .ndjson)
        #expect(run.tally.rejected == 1)
      }
    }
    let letters = try StoredDeadLetter.newest(.init(), limit: 9, on: bench.store.connect(.asking)).map(
      \.letter)
    #expect(letters.map(\.file) == ["part-2.json", "part-1.json"])
    #expect(letters.map(\.index) == [6, 6])
  }

  @Test(arguments: ["part-1.json", "a folder/part-1.json"]) func aFileIsToldByItsNameAlone(path: String)
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("{}\n".utf8).write(to: file)
    let source = try ByteSource(path: file.path)
    #expect(source.fileName == "part-1.json")
    #expect(source.name == file.path)
    #expect(try ByteSource(path: "-").fileName == "-")
  }

  /// The letter of a line of our own export, replayed, is the device that it would have been without its fault.
  @Test func aRejectedLineOfAnExportKeepsItsDevice() throws {
    let bench = try ImportBench()
    _ = try bench.run(ImportBench.line(1, "delivered") + "\n" + ImportBench.line(2, "delivered"))
    let lines = try bench.exported().split(separator: "\n").map(String.init)
    let other = try App.findOrCreate("other", on: bench.store.connect(.administering))
    let faulty = lines[1].replacing(#""type":"delivered""#, with: #""type":"delivered","source":"toaster""#)
    let tally = try bench.run(lines[0] + "\n" + faulty, app: other)
    #expect((tally.stored, tally.rejected) == (1, 1))
    // The rule is relaxed.
    try bench.store.connectAsSuperuser().execute(
      "update dead_letter set body = convert_to(replace(convert_from(body, 'UTF8'), 'toaster', 'app'), 'UTF8')"
    )
    var outcomes: [DeadLetterReplay.Outcome] = []
    try DeadLetterReplay(bench.store).run(.init(), isDry: false) { outcomes.append($1) }
    #expect(outcomes == [.stored])
    #expect(
      try bench.value(
        "select count(distinct device_key) from event", as: Int.self) == 1)
  }

  @Test func anImportThatWasInterruptedGoesOn() throws {
    let bench = try ImportBench()
    let lines = (1...2_500).map { ImportBench.line($0) }
    // The file ends within a line, as a copy that is still under way does.
    let cut = Array(lines.joined(separator: "\n").utf8.prefix(300_000))
    let first = try bench.run(cut, pieceSize: 4_096)
    #expect(first.stored > 1_000)
    #expect(first.rejected == 1)
    let second = try bench.run(lines.joined(separator: "\n"), pieceSize: 4_096)
    #expect(second.duplicates == first.stored)
    #expect(second.stored + second.duplicates == 2_500)
    #expect(try bench.eventCount == 2_500)
  }

  @Test func whatStopsAnImportLeavesWholeBatches() throws {
    let bench = try ImportBench()
    let old = ImportBench.line(9_999).replacing("2026-11-20", with: "2021-05-04")
    let text = ((1...4_500).map { ImportBench.line($0) } + [old]).joined(separator: "\n")
    var run = try EventImport(bench.store, app: bench.app, options: .init(), now: { ImportBench.arrival })
    do {
      try run.run(ByteSource(name: "file", Array(text.utf8), pieceSize: 1 << 16), format: .ndjson)
      Issue.record("an event of 2021 was taken")
    } catch let error as ImportError {
      #expect(error.code == .history)
      #expect(error.message.contains("line 4501"))
      #expect(error.message.contains("--history-from 2021-01-01"))
    }
    #expect(run.tally.stored == 4_000)
    #expect(try bench.eventCount == 4_000)
  }

  @Test func historyCountsFromTheDayThatIsNamed() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.historyFrom = try Timestamp(rfc3339: "2021-01-01T00:00:00Z", field: "")
    let text = ["2021-05-04", "2020-12-31", "2026-11-20"].enumerated().map { number, day in
      ImportBench.line(number + 1).replacing("2026-11-20", with: day)
    }
    let tally = try bench.run(text.joined(separator: "\n"), .ndjson, options)
    #expect(tally.stored == 3)
    #expect(tally.tooOld == 1)
    let qualities = try bench.store.connect(.asking).query(
      "select time_quality from event order by event_id"
    ).map { row in try row.value(0, as: Int16.self) }
    #expect(qualities == [TimeQuality.client, .implausible, .client].map(\.rawValue))
    // History lies in partitions of its own; what is not believed does not make any.
    #expect(
      try bench.value("select count(*) from event where tableoid = 'event_default'::regclass", as: Int.self)
        == 1)
    #expect(try bench.value("select to_regclass('event_2021w18') is not null", as: Bool.self))
  }

  @Test func aRecentDayTakesNothingFromHistory() throws {
    let bench = try ImportBench()
    var options = EventImport.Options()
    options.historyFrom = try Timestamp(rfc3339: "2026-11-25T00:00:00Z", field: "")
    let tally = try bench.run(ImportBench.line(1), .ndjson, options)
    #expect((tally.stored, tally.tooOld) == (1, 0))
    #expect(try bench.value("select time_quality from event", as: Int16.self) == TimeQuality.client.rawValue)
  }

  @Test func memoryStaysBoundedHoweverLongTheFileIs() throws {
    let bench = try ImportBench()
    // One event again and again: all that grows is the file, which is made as it is read.
    let piece = Array(
      String(repeating: ImportBench.line(1, "action", #","actionId":"like""#) + "\n", count: 300).utf8)
    func run(pieces: Int) throws -> Int {
      var left = pieces
      var run = try EventImport(bench.store, app: bench.app, options: .init(), now: { ImportBench.arrival })
      let source = ByteSource(name: "file") {
        left -= 1
        return left >= 0 ? piece : []
      }
      try run.run(source, format: .ndjson)
      return run.tally.total
    }
    _ = try run(pieces: 20)
    let before = try bench.residentBytes()
    #expect(try run(pieces: 200) == 60_000)
    // 12 MB of text, and several times that as events, if any of it were kept. Other tests run beside this one.
    let growth = try bench.residentBytes() - before
    #expect(growth < 64 * 1_048_576)
  }
}
