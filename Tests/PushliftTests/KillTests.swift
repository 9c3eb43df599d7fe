import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

/// What an answer is worth when the server is killed at any moment, again and again.
@Suite(.store) struct KillTests {
  private static let rounds = 20

  @Test(.timeLimit(.minutes(5))) func whatWasAnsweredOutlivesTheServer() throws {
    let database = try TestDatabase.current
    let sandbox = try Sandbox(database: database)
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 4_000, until: Day.text(daysAgo: 1))
    let current = Mutex<HTTPClient?>(nil)
    let isOver = Atomic(false)
    let posters = (0..<4).map { poster in
      BackgroundWork { () -> [String] in
        var answered: [String] = []
        for start in stride(from: poster * 10, to: events.count, by: 40) {
          let batch = events[start..<min(start + 10, events.count)]
          // The same bytes again, until there is an answer.
          while (try? current.withLock({ $0 })?.post(batch, key: key).status) != 200 {
            if isOver.load(ordering: .relaxed) { return answered }
            usleep(10_000)
          }
          answered += batch
        }
        return answered
      }
    }
    for _ in 0..<Self.rounds {
      let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
      let client = try server.client()
      current.withLock { $0 = client }
      usleep(UInt32.random(in: 10_000...250_000))
      server.send(SIGKILL)
      #expect(try server.output(within: .seconds(10)).status == 128 + SIGKILL)
    }
    isOver.store(true, ordering: .relaxed)
    let answered = try posters.flatMap { try $0.value() }
    #expect(answered.count > 100)
    let ids = try Set(answered.map { try #require($0.firstMatch(of: /"id":"([^"]*)"/)?.1).lowercased() })
    let counts = try Connection(database).query(
      "select event_id::text, count(*) from pushlift.event group by event_id"
    ).map { row in (try row.value(0, as: String.self), try row.value(1, as: Int.self)) }
    #expect(counts.allSatisfy { $0.1 == 1 })
    #expect(ids.subtracting(counts.map(\.0)).isEmpty)
  }
}
