import EventStore
import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.store)
struct GroupCommitterTests {
  /// A batch that was handed over, and its answer once that is there.
  private final class Handed: Sendable {
    let refusal: StoreError?
    private let box = Box()

    init(
      _ samples: [EventSample], _ app: AppID, to committer: GroupCommitter,
      before: @escaping @Sendable () -> Void = {}
    ) throws {
      let box = self.box
      refusal = committer.submit(.of(try samples.map { try $0.row(app) })) { result in
        before()
        box.set(result)
      }
    }

    private final class Box: Sendable {
      private let result = Mutex<Result<[AppendOutcome], StoreError>?>(nil)
      func set(_ value: Result<[AppendOutcome], StoreError>) { result.withLock { $0 = value } }
      var value: Result<[AppendOutcome], StoreError>? { result.withLock { $0 } }
    }

    var isAnswered: Bool { box.value != nil }

    func outcomes() throws -> [AppendOutcome] {
      poll(upTo: .seconds(30), "an answer") { isAnswered }
      return try #require(box.value).get()
    }
  }

  private func events(_ range: ClosedRange<Int>) -> [EventSample] {
    range.map { .expanded(UInt64($0), of: ("n\($0)", "d\($0)")) }
  }

  private func count(_ store: EventStore) throws -> Int {
    try store.connectAsSuperuser().value(of: "select count(*) from event", as: Int.self)
  }

  @Test func theAnswerComesAfterTheCommit() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let committer = try GroupCommitter(store)
    defer { committer.stop() }
    let seen = Mutex<Int?>(nil)
    let handed = try Handed(events(1...3), app, to: committer) {
      let count = try? store.connect(.asking).value(of: "select count(*) from event", as: Int.self)
      seen.withLock { $0 = count }
    }
    #expect(try handed.outcomes() == [.stored, .stored, .stored])
    #expect(seen.withLock { $0 } == 3)
    #expect(committer.isReady)
    #expect(committer.depth == 0)
  }

  @Test func aFullQueueRefusesAtOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let committer = try GroupCommitter(store, writers: 1, capacity: 10)
    defer { committer.stop() }
    let blocker = try store.connectAsSuperuser()
    try blocker.script("begin; lock table event in access exclusive mode")
    let first = try Handed(events(1...3), app, to: committer)
    try store.waitForBlocked("insert into event%")
    let second = try Handed(events(4...11), app, to: committer)
    let third = try Handed(events(12...16), app, to: committer)
    #expect(second.refusal == nil)
    #expect(third.refusal?.code == .overloaded)
    #expect(committer.depth == 8)
    // What fits still gets in.
    let fourth = try Handed(events(12...13), app, to: committer)
    #expect(fourth.refusal == nil)
    try blocker.script("commit")
    #expect(try first.outcomes().count == 3)
    #expect(try second.outcomes().count == 8)
    #expect(try fourth.outcomes().count == 2)
    #expect(!third.isAnswered)
    #expect(try count(store) == 13)
  }

  @Test func aBatchBeyondTheCapacityIsTakenAlone() throws {
    let store = try EventStore.prepared()
    let committer = try GroupCommitter(store, writers: 1, capacity: 10)
    defer { committer.stop() }
    let handed = try Handed(events(1...50), store.app().id, to: committer)
    #expect(try handed.outcomes().count == 50)
  }

  @Test func whatWaitsSharesATransaction() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let commits = Mutex<[GroupCommitter.Commit]>([])
    let committer = try GroupCommitter(store, writers: 1) { commit in commits.withLock { $0.append(commit) } }
    let blocker = try store.connectAsSuperuser()
    try blocker.script("begin; lock table event in access exclusive mode")
    let first = try Handed(events(1...1), app, to: committer)
    try store.waitForBlocked("insert into event%")
    // The third repeats what the second brings.
    let waiting = try [2...4, 2...4, 5...9, 10...10].map { try Handed(events($0), app, to: committer) }
    try blocker.script("commit")
    #expect(try first.outcomes() == [.stored])
    #expect(
      try waiting.map { try $0.outcomes() } == [
        [.stored, .stored, .stored], [.duplicate, .duplicate, .duplicate],
        Array(repeating: .stored, count: 5), [.stored],
      ])
    committer.stop()
    #expect(commits.withLock { $0.map(\.batches) } == [1, 4])
    #expect(commits.withLock { $0.map(\.rows) } == [1, 12])
    #expect(commits.withLock { $0.allSatisfy { $0.error == nil && $0.seconds > 0 } })
    let transactions = try store.connectAsSuperuser().value(
      of: "select count(distinct xmin::text) from event", as: Int.self)
    #expect(transactions == 2)
  }

  private func killWriters(_ store: EventStore) throws -> Int {
    try store.connectAsSuperuser().value(
      of: """
        select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity
        where datname = current_database() and application_name = 'pushlift writer'
        """, as: Int.self)
  }

  /// As after a restart of Postgres while nothing came in.
  @Test func aConnectionThatWentAwayUnnoticedCostsNobodyAnything() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let committer = try GroupCommitter(store, writers: 1)
    defer { committer.stop() }
    #expect(try Handed(events(1...2), app, to: committer).outcomes() == [.stored, .stored])
    #expect(try killWriters(store) == 1)
    #expect(try Handed(events(3...4), app, to: committer).outcomes() == [.stored, .stored])
    #expect(try count(store) == 4)
    #expect(committer.isReady)
  }

  @Test func aConnectionLostTwiceFailsItsBatchAndComesBack() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let committer = try GroupCommitter(store, writers: 1)
    defer { committer.stop() }
    let blocker = try store.connectAsSuperuser()
    try blocker.script("begin; lock table event in access exclusive mode")
    let handed = try Handed(events(1...2), app, to: committer)
    for _ in 0..<2 {
      try store.waitForBlocked("insert into event%")
      #expect(try killWriters(store) == 1)
    }
    let error = #expect(throws: StoreError.self) { try handed.outcomes() }
    #expect(error?.code == .unavailable)
    #expect(error?.mayBeStored == true)
    try blocker.script("commit")
    #expect(try count(store) == 0)
    // The same bytes again, as a client does: in the end they are stored, once.
    var answer: [AppendOutcome]?
    try poll(upTo: .seconds(20), "the writer has come back") {
      let again = try Handed(events(1...2), app, to: committer)
      answer = again.refusal == nil ? try? again.outcomes() : nil
      return answer != nil
    }
    #expect(answer == [.stored, .stored])
    #expect(committer.isReady)
  }

  @Test func stoppingCommitsWhatWasTaken() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let committer = try GroupCommitter(store, writers: 2)
    let blocker = try store.connectAsSuperuser()
    try blocker.script("begin; lock table event in access exclusive mode")
    let handed = try (1...30).map { try Handed(events($0...$0), app, to: committer) }
    let stopping = Background { committer.stop() }
    poll(upTo: .seconds(10), "nothing more gets in") { !committer.isReady }
    let late = try Handed(events(31...31), app, to: committer)
    #expect(late.refusal?.code == .overloaded)
    #expect(!stopping.isFinished)
    try blocker.script("commit")
    try stopping.value()
    #expect(handed.allSatisfy { $0.isAnswered })
    #expect(try handed.flatMap { try $0.outcomes() } == Array(repeating: .stored, count: 30))
    #expect(try count(store) == 30)
    committer.stop()
  }

  @Test func aStoreThatIsNotThereIsNoticedAtTheStart() throws {
    let store = EventStore(
      database: try TestDatabase.current.with(database: "there_is_no_such_database"), secret: .test)
    let error = #expect(throws: StoreError.self) { _ = try GroupCommitter(store) }
    #expect(error?.code == .unavailable)
  }
}
