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
    let (result, lengths) = try RateReader.readReplies(
      RateQuery(app: app), on: store.connect(.asking))
    #expect(try RateReport(result).crude.text.counts.successes == 3)
    #expect(lengths.map(\.replies) == [1])
    #expect(lengths.map(\.lowerQuartile) == [3])
    let report = ReplyReport(try RateReport(result), lengths)
    let lines = report.table().split(separator: "\n").map { $0.split(separator: " ") }
    #expect(
      lines.contains {
        $0.starts(with: ["news", "text", "3", "3", "100.00", "%"])
          && $0.suffix(5) == ["1", "3", "3", "3", "3"]
      })
    let words = try RateReader.readReplyWords(
      RateQuery(app: app), limit: 9, on: store.connect(.readingReplies))
    #expect(words.map(\.text) == ["yes"])
  }
}
