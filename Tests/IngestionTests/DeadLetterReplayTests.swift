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
    of json: String, in bench: ImportBench, code: String = "unknown_value", sentAt: Timestamp? = nil
  ) throws {
    let redactor = EventRedactor(Array(json.utf8))
    let device = try DeviceID(try #require(redactor.deviceID))
    let letter = DeadLetter(
      app: bench.app.id, receivedAt: ImportBench.arrival, sentAt: sentAt, source: "http", index: 0,
      eventID: redactor.id, deviceKey: bench.store.secret.deviceKey(app: bench.app.id, device: device),
      field: "source", code: code, message: "not yet", body: redactor.redacted)
    _ = try EventWriter(bench.store.connect(.writing)).append(
      AppendBatch(rows: [], indices: [], deadLetters: [letter], source: "http"))
  }

  private func replay(
    _ bench: ImportBench, ids: [Int64]? = nil, isDry: Bool = false
  ) throws -> [DeadLetterReplay.Outcome] {
    let replay = try DeadLetterReplay(bench.store)
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

  @Test func anUnknownIdReplaysNothing() throws {
    let bench = try ImportBench()
    try leaveLetter(of: good, in: bench)
    #expect(throws: StoreError.self) { try replay(bench, ids: [1, 99]) }
    #expect(try bench.eventCount == 0)
  }
}
