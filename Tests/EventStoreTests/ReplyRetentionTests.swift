import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@Suite(.store) struct ReplyRetentionTests {
  @Test func textsGoByWhenTheyCameAndNothingElseGoes() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    let now = Timestamp(
      try store.connect(.administering).value(of: "select now()", as: PostgresTimestamp.self))
    func reply(_ text: String, daysAgo: Double, datedDaysAgo: Double? = nil) throws -> EventSample {
      var sample = try EventSample.action("answer", of: (text, "d"), reply: text)
      sample.occurredAt = now.advanced(bySeconds: -86_400 * (datedDaysAgo ?? daysAgo))
      sample.receivedAt = now.advanced(bySeconds: -86_400 * daysAgo)
      return sample
    }
    // The last one's clock is years ahead.
    let samples = [
      try reply("new", daysAgo: 89), try reply("old", daysAgo: 91),
      try reply("odd", daysAgo: 91, datedDaysAgo: -2_000),
    ]
    try store.append(samples, to: app.id)
    let owner = try store.connect(.owning)
    #expect(try ReplyRetention.run(keptDays: 90, on: owner) == 2)
    #expect(try ReplyRetention.run(keptDays: 90, on: owner) == 0)
    #expect(try owner.query("select text from reply").map { try $0.value(0, as: String.self) } == ["new"])
    #expect(try owner.value(of: "select count(*) from event where reply_length = 3", as: Int.self) == 3)
    // A retry is a duplicate, and brings no text back.
    #expect(try store.append(samples, to: app.id) == [.duplicate, .duplicate, .duplicate])
    #expect(try owner.value(of: "select count(*) from reply", as: Int.self) == 1)
  }

  @Test func onlyTheOwnerMayRemoveTexts() throws {
    let store = try EventStore.prepared()
    let error = #expect(throws: PostgresError.self) {
      try ReplyRetention.run(keptDays: 1, on: store.connect(.administering))
    }
    #expect(error?.sqlState == "42501")
  }
}
