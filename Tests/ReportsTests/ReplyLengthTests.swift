import EngagementEvents
import EventStore
import Postgres
import Statistics
import TestSupport
import Testing

@testable import Projections
@testable import Reports

@Suite(.store) struct ReplyLengthTests {
  /// A source may tell that there was a reply and not what it says: it is counted, and nobody knows how long it was.
  @Test func aReplyWithoutTextCountsAndHasNoLength() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    let events = try ["", "yes", ""].enumerated().flatMap { number, text -> [EventSample] in
      let unit = ("n\(number)", "d")
      return [try .delivered(of: unit), try .action("reply", of: unit, reply: text)]
    }
    try store.append(events.map { $0.received(after: 200_000) }, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    let (result, lengths, waiting) = try RateReader.readReplies(
      RateQuery(app: app), on: store.connect(.asking))
    #expect(try RateReport(result).crude.text.counts.successes == 3)
    #expect(lengths.map(\.replies) == [1])
    #expect(lengths.map(\.lowerQuartile) == [3])
    let report = ReplyReport(try RateReport(result), lengths, waiting)
    let lines = report.table().split(separator: "\n").map { $0.split(separator: " ") }
    #expect(
      lines.contains {
        $0.starts(with: ["news", "text", "3", "3", "100.00", "%"])
          && $0.suffix(6) == ["1", "1", "3", "3", "3", "3"]
      })
    let words = try RateReader.readReplyWords(
      RateQuery(app: app), limit: 9, on: store.connect(.readingReplies)
    ).words
    #expect(words.map(\.text) == ["yes"])
  }

  /// A text may come twice for a notification, and with what is no reply at all.
  @Test func notificationsAndTextsAreCountedApart() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    let events: [EventSample] = [
      try .delivered(of: ("n1", "d1")), try .action("reply", of: ("n1", "d1"), reply: "once"),
      try .action("answer", of: ("n1", "d1"), at: 5, reply: "twice"),
      try .action(ActionID.defaultAction.text, of: ("n1", "d1"), at: 6, reply: "opened"),
      try .action(ActionID.dismiss.text, of: ("n1", "d1"), at: 7, reply: "dismissed"),
    ]
    try store.append(events.map { $0.received(after: 200_000) }, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    let (result, lengths, waiting) = try RateReader.readReplies(
      RateQuery(app: app), on: store.connect(.asking))
    #expect(lengths.map(\.units) == [1] && lengths.map(\.replies) == [2] && lengths.map(\.longest) == [5])
    #expect(waiting.sentence == nil)
    let row = try #require(
      ReplyReport(try RateReport(result), lengths, waiting).rows.rows.first { $0["arm"] == .text("text") })
    #expect(
      row["replied"] == .integer(1) && row["replied_with_text"] == .integer(1)
        && row["replies"] == .integer(2))
    let words = try RateReader.readReplyWords(
      RateQuery(app: app), limit: 9, on: store.connect(.readingReplies)
    ).words
    #expect(words.map(\.text) == ["twice", "once"])
  }

  @Test func repliesThatWaitAreTold() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    let events: [EventSample] = [
      try .action("reply", of: ("lost", "d1"), in: "a", reply: "lost"),
      try .delivered(of: ("new", "d1"), in: "b", at: 100_000),
      try .action("reply", of: ("new", "d1"), in: "b", at: 100_009, reply: "new"),
      try .action(ActionID.dismiss.text, of: ("lost", "d2"), in: "a", reply: "no reply"),
    ]
    try store.append(events, to: app.id)
    _ = try EngagementProjection().run(on: store.connect(.aggregating))
    var query = RateQuery(app: app)
    let both =
      "Not counted yet: 1 reply with text on notifications that nobody has reported as delivered, and 1 reply with text on "
      + "notifications whose window is still open."
    let (words, waiting) = try RateReader.readReplyWords(query, limit: 9, on: store.connect(.readingReplies))
    #expect(words.isEmpty && waiting.sentence == both)
    let (result, lengths, same) = try RateReader.readReplies(query, on: store.connect(.asking))
    #expect(ReplyReport(try RateReport(result), lengths, same).table().contains(both))
    query.category = "b"
    let recent = try RateReader.readReplies(query, on: store.connect(.asking)).waiting
    #expect(recent == WaitingReplies(undelivered: 0, recent: 1))
  }
}
