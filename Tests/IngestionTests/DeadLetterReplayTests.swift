import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct DeadLetterReplayTests {
  private let good = ImportBench.line(1, "action", #","actionId":"reply""#)

  /// Stores the letter that an event would have left, had a rule of its time refused it.
  private func leaveLetter(
    of json: String, in bench: ImportBench, code: String = "unknown_value", sentAt: Timestamp? = nil,
    source: String = "http"
  ) throws {
    let redactor = EventRedactor(Array(json.utf8))
    let device = try DeviceID(try #require(redactor.deviceID))
    let letter = DeadLetter(
      app: bench.app.id, receivedAt: ImportBench.arrival, sentAt: sentAt, source: source, index: 0,
      eventID: redactor.id, deviceKey: bench.store.secret.deviceKey(app: bench.app.id, device: device),
      field: "source", code: code, message: "not yet", body: redactor.redacted)
    _ = try EventWriter(bench.store.connect(.writing)).append(
      AppendBatch(rows: [], indices: [], deadLetters: [letter], source: "http"))
  }

  private func replay(
    _ bench: ImportBench, ids: [Int64]? = nil, isDry: Bool = false, historyFrom: String? = nil
  ) throws -> [DeadLetterReplay.Outcome] {
    let replay = try DeadLetterReplay(
      bench.store,
      historyFrom: historyFrom.map { try Timestamp(rfc3339: "\($0)T00:00:00Z", field: "") })
    var outcomes: [DeadLetterReplay.Outcome] = []
    if let ids {
      try replay.run(ids: ids, isDry: isDry) { outcomes.append($1) }
    } else {
      try replay.run(.init(), isDry: isDry) { outcomes.append($1) }
    }
    return outcomes
  }

  @Test func aReplayedEventIsWhatTheOriginalWouldHaveBeen() throws {
    let bench = try ImportBench()
    let sentAt = Timestamp(microseconds: ImportBench.arrival.microseconds - 7_200_000_000)
    try leaveLetter(of: good, in: bench, sentAt: sentAt)
    #expect(try replay(bench, isDry: true) == [.stored])
    #expect(try bench.eventCount == 0)
    #expect(try replay(bench) == [.stored])
    let replayed = try bench.exported()
    #expect(replayed.contains(#""receivedAt":"2026-11-30T00:00:00Z""#))
    #expect(replayed.contains(#""timeQuality":"corrected""#))
    let letter = try #require(try StoredDeadLetter.find(1, on: bench.store.connect(.asking)))
    #expect(letter.replayedAt != nil)
  }

  @Test func replayingTwiceDoesNothing() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench)
    #expect(try replay(bench) == [.stored])
    #expect(try replay(bench) == [])
    #expect(try replay(bench, ids: [1]) == [.replayedBefore])
    #expect(try bench.eventCount == 1)
    #expect(try bench.letterCount == 1)
  }

  @Test func twoLettersOfOneEventStoreItOnce() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench)
    try leaveLetter(of: good, in: bench)
    #expect(try replay(bench) == [.stored, .duplicate])
    #expect(try bench.eventCount == 1)
  }

  @Test func aResendAfterTheReplayIsADuplicate() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench)
    _ = try replay(bench)
    #expect(try bench.run(good).duplicates == 1)
    #expect(try bench.eventCount == 1)
  }

  @Test func aReplayAfterTheResendIsADuplicate() throws {
    let bench = try ImportBench()
    #expect(try bench.run(good).stored == 1)
    try leaveLetter(of: good, in: bench)
    #expect(try replay(bench) == [.duplicate])
    #expect(try bench.eventCount == 1)
  }

  @Test func aResendWithTheReplyOfAReplayedEventIsAConflict() throws {
    let bench = try ImportBench()
    let withReply = ImportBench.line(1, "action", #","actionId":"reply","replyText":"Lovely!""#)
    try leaveLetter(of: withReply, in: bench)
    #expect(try replay(bench) == [.stored])
    #expect(try bench.value("select reply_length is null from event", as: Bool.self))
    #expect(try bench.run(withReply).rejections.map(\.code) == ["conflict"])
    #expect(try bench.eventCount == 1)
  }

  @Test func aStoredEventWithItsReplyStaysAndTheReplayLeavesNoLetter() throws {
    let bench = try ImportBench()
    let withReply = ImportBench.line(1, "action", #","actionId":"reply","replyText":"Lovely!""#)
    _ = try bench.run(withReply)
    try leaveLetter(of: withReply, in: bench)
    #expect(try replay(bench) == [.conflict])
    #expect(try bench.exported(withReplies: true).contains("Lovely!"))
    #expect(try bench.letterCount == 1)
  }

  @Test func conflictsAndWhatIsStillWrongStay() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench, code: "conflict")
    try leaveLetter(of: ImportBench.line(2, "tapped"), in: bench)
    let outcomes = try replay(bench)
    #expect(outcomes.count == 1)
    guard case .rejected(let fault)? = outcomes.first else {
      Issue.record("a tapped event was taken: \(outcomes)")
      return
    }
    #expect(fault.field == "type")
    #expect(try replay(bench, ids: [1]) == [.conflict])
    #expect(try bench.eventCount == 0)
    #expect(try bench.letterCount == 2)
  }

  @Test func aLetterWithoutABodyIsNotTried() throws {
    let bench = try ImportBench()
    _ = try bench.run("id,type,notificationId,deviceId,occurredAt\ntoo,few\n", .csv)
    _ = try bench.run("5\n\"text\"\n", .ndjson)
    let outcomes = try replay(bench)
    #expect(outcomes.count == 3)
    // The reasons are those that the letters were filed under.
    let reasons = try (1...3).map { id in
      try #require(try StoredDeadLetter.find(id, on: bench.store.connect(.asking))).letter.message
    }
    #expect(outcomes == reasons.map { .notKept(reason: $0) })
    #expect(try bench.eventCount == 0)
  }

  /// Without the text that broke it the event would keep every rule, and its corrected resend would be a conflict.
  @Test(arguments: [
    #""Grand\u0000mother""#, #""Grand\ud83d""#, "5", "[[[[1]]]]",
    "\"" + String(repeating: "x", count: 9_000) + "\"",
    "\"" + String(repeating: "x", count: 40_000) + "\"",
  ])
  func aLetterWhoseFaultLayInTheReplyIsNotReplayed(reply: String) throws {
    let bench = try ImportBench()
    let action = { (reply: String) in
      ImportBench.line(1, "action", #","actionId":"reply","replyText":\#(reply)"#)
    }
    #expect(try bench.run(action(reply)).rejected == 1)
    guard case .notKept? = try replay(bench).first else {
      Issue.record("an event was replayed without the text that was wrong")
      return
    }
    #expect(try bench.eventCount == 0)
    #expect(try bench.run(action(#""Grandmother""#)).stored == 1)
  }

  @Test func historyIsReplayedAsItIsImported() throws {
    let bench = try ImportBench()
    let old = ImportBench.line(1).replacing("2026-11-20", with: "2023-05-04")
    try leaveLetter(of: old, in: bench, source: "import")
    for isDry in [true, false] {
      guard case .unannouncedHistory(let reason)? = try replay(bench, isDry: isDry).first else {
        Issue.record("an event of 2023 was taken")
        return
      }
      #expect(reason.contains("2023-05-04") && reason.contains("--history-from 2023-01-01"))
    }
    #expect(try bench.eventCount == 0)
    #expect(try replay(bench, isDry: true, historyFrom: "2023-01-01") == [.stored])
    #expect(try replay(bench, historyFrom: "2023-01-01") == [.stored])
    #expect(try bench.value("select time_quality from event", as: Int16.self) == TimeQuality.client.rawValue)
    #expect(
      try bench.value("select tableoid = to_regclass('event_2023w18') from event", as: Bool.self))
  }

  /// A recent day takes nothing from what is believed anyway; and what is older than the history is kept, and told.
  @Test func theDayOfTheHistoryOnlyWidensWhatIsBelieved() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench, source: "import")
    try leaveLetter(
      of: ImportBench.line(2).replacing("2026-11-20", with: "2022-12-31"), in: bench, source: "import")
    #expect(try replay(bench, isDry: true, historyFrom: "2026-11-25") == [.stored, .storedUncounted])
    #expect(try replay(bench, historyFrom: "2023-01-01") == [.stored, .storedUncounted])
    #expect(try bench.value("select to_regclass('event_2022w52') is null", as: Bool.self))
  }

  /// What was posted is stored as it would have been, and it is said that it is never counted.
  @Test func aPostedEventOfAWrongClockIsReplayedAsOne() throws {
    let bench = try ImportBench()
    try leaveLetter(of: ImportBench.line(1).replacing("2026-11-20", with: "2023-05-04"), in: bench)
    #expect(try replay(bench) == [.storedUncounted])
    #expect(
      try bench.value("select time_quality from event", as: Int16.self) == TimeQuality.implausible.rawValue)
  }

  /// History is what files hold; a device's clock makes none, whatever is said of files.
  @Test func aWrongClockIsNoHistory() throws {
    let bench = try ImportBench()
    try leaveLetter(of: ImportBench.line(1).replacing("2026-11-20", with: "2023-05-04"), in: bench)
    #expect(try replay(bench, historyFrom: "2023-01-01") == [.storedUncounted])
    #expect(
      try bench.value("select time_quality from event", as: Int16.self) == TimeQuality.implausible.rawValue)
    #expect(try bench.value("select to_regclass('event_2023w18') is null", as: Bool.self))
  }

  @Test func anUnknownIdReplaysNothing() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench)
    #expect(throws: StoreError.self) { try replay(bench, ids: [1, 99]) }
    #expect(try bench.eventCount == 0)
  }
}
