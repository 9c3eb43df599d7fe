import EngagementEvents
import EventStore
import Postgres
import Simulation
import Synchronization
import TestSupport
import Testing

@Suite(.store)
struct ConcurrentAppendTests {
  private func rows(_ count: Int, _ app: AppID) throws -> [EventRow] {
    try (1...count).map { number in
      try EventSample.expanded(
        UInt64(number) &* 0x9E37_79B9_7F4A_7C15, of: ("n\(number % 97)", "d\(number % 31)")
      )
      .row(app)
    }
  }

  @Test func overlappingShuffledBatchesDoNotDeadlock() throws {
    let store = try EventStore.prepared()
    let all = try rows(2_000, store.app().id)
    let writers = (0..<8).map { number in
      Background { () throws -> [AppendOutcome] in
        var generator = SeededGenerator(seed: UInt64(number))
        let shuffled = all.shuffled(using: &generator)
        let writer = EventWriter(try store.connect(.writing))
        var outcomes: [AppendOutcome] = []
        for start in stride(from: 0, to: shuffled.count, by: 250) {
          outcomes += try writer.append(.of(Array(shuffled[start..<start + 250])))
        }
        return outcomes
      }
    }
    let outcomes = try writers.flatMap { try $0.value() }
    #expect(outcomes.filter { $0 == .stored }.count == 2_000)
    #expect(outcomes.filter { $0 == .duplicate }.count == 7 * 2_000)
    #expect(try store.connectAsSuperuser().value(of: "select count(*) from event", as: Int.self) == 2_000)
  }

  @Test func aReaderBehindTheBarrierMissesNothing() throws {
    let store = try EventStore.prepared()
    let all = try rows(20_000, store.app().id)
    let rounds = Atomic<Int>(0)
    let writers = (0..<4).map { number in
      Background {
        let writer = EventWriter(try store.connect(.writing))
        let mine = all[(number * 5_000)..<((number + 1) * 5_000)]
        // Of uneven lengths, so that transactions overlap in ever other ways.
        var rest = mine
        while !rest.isEmpty {
          let part = rest.prefix(50 + 37 * (rest.count % 5))
          _ = try writer.append(.of(Array(part)))
          let hadHalf = rest.count <= 2_500
          rest = rest.dropFirst(part.count)
          // Writers may be done before the reader has had its first turn.
          if !hadHalf && rest.count <= 2_500 {
            poll(upTo: .seconds(30), "the reader reads meanwhile") { rounds.load(ordering: .relaxed) > 1 }
          }
        }
      }
    }
    let reader = try store.connect(.aggregating)
    var seen: [Int64] = []
    var checkpoint: Int64 = 0
    func read() throws {
      guard let last = try PositionBarrier.lastPosition(on: reader) else { return }
      seen += try reader.query(
        "select position from event where position > \(checkpoint) and position <= \(last)"
      )
      .map { row in try row.value(0, as: Int64.self) }
      checkpoint = last
    }
    while !writers.allSatisfy(\.isFinished) {
      try read()
      rounds.add(1, ordering: .relaxed)
    }
    for writer in writers { try writer.value() }
    try read()
    #expect(seen.count == 20_000)
    #expect(Set(seen).count == 20_000)
  }

  /// A writer that has taken its position and not committed is what a reader by position alone walks past.
  @Test func aReaderByPositionAloneMissesALateCommit() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let reply = try EventSample.action("answer", 1, reply: "hi")
    let blocker = try store.blockReply(of: reply, in: app)
    let reader = try store.connect(.aggregating)
    func positions(after position: Int64) throws -> [Int64] {
      try reader.query("select position from event where position > \(position) order by position")
        .map { row in try row.value(0, as: Int64.self) }
    }
    // Its event is written; its reply has to wait.
    let slow = Background { try store.append([reply], to: app) }
    try store.waitForBlocked("insert into reply%")
    try store.append([.expanded(2)], to: app)
    let checkpoint = try #require(try positions(after: 0).last)
    #expect(try positions(after: 0).count == 1)
    // The barrier gives no position while that writer is under way.
    #expect(try PositionBarrier.lastPosition(on: reader, patience: 50) == nil)
    try blocker.script("rollback")
    #expect(try slow.value() == [.stored])
    #expect(try positions(after: checkpoint) == [])
    #expect(try positions(after: 0).count == 2)
    #expect(try PositionBarrier.lastPosition(on: reader) == checkpoint)
  }

  @Test func anEmptyStoreIsReadUpToNothing() throws {
    let store = try EventStore.prepared()
    #expect(try PositionBarrier.lastPosition(on: store.connect(.aggregating)) == 0)
  }

  @Test func gapsOfRolledBackBatchesDoNotHoldTheReaderUp() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    try store.append([.expanded(1)], to: app)
    try store.append([.expanded(1), .expanded(1)], to: app)
    _ = try store.connect(.administering).query("select nextval('event_position')")
    let last = try #require(try PositionBarrier.lastPosition(on: store.connect(.aggregating)))
    let highest = try store.connectAsSuperuser().value(of: "select max(position) from event", as: Int64.self)
    #expect(last > highest)
  }
}
