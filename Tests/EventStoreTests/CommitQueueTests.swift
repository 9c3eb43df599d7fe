import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EventStore

struct CommitQueueTests {
  private func entry(rows: Int = 1, source: String = "http") throws -> CommitQueue.Entry {
    let row = try EventSample.expanded(1).row(AppID(1))
    return CommitQueue.Entry(
      batch: AppendBatch(
        rows: Array(repeating: row, count: rows), indices: Array(0..<rows), deadLetters: [], source: source),
      completion: { _ in })
  }

  /// How many there were: they are held by nobody afterwards.
  private func takeAndFinish(_ queue: CommitQueue, rows: Int) -> Int? {
    let taken = queue.take(rows: rows)
    if let taken { queue.finish(taken) }
    return taken?.count
  }

  private func takeAndFinish(_ queue: CommitQueue) -> [CommitQueue.Entry]? {
    let taken = queue.take(rows: 10)
    if let taken { queue.finish(taken) }
    return taken
  }

  /// While one writer waits for a server that refuses it, another that has nothing to do must hear of every batch.
  @Test func aWriterThatWaitsForItsServerTakesNoOnesCall() throws {
    for _ in 0..<5 {
      let queue = CommitQueue(capacity: 10, writers: 9)
      let away = (0..<8).map { _ in Background { queue.wait(seconds: 30) } }
      // Whether a thread waits cannot be seen from outside; were one late, the test would only prove less.
      usleep(20_000)
      let taker = Background { queue.take(rows: 10)?.count }
      usleep(20_000)
      #expect(queue.add(try entry()) == nil)
      poll(upTo: .seconds(2), "the idle writer takes the batch") { taker.isFinished }
      for _ in 0..<9 { queue.writerLeft() }
      queue.close()
      for writer in away { try writer.value() }
      _ = try taker.value()
    }
  }

  @Test func entriesAreTakenInOrderUpToTheLimit() throws {
    let queue = CommitQueue(capacity: 100, writers: 1)
    for rows in [4, 5, 2, 20, 1] { #expect(queue.add(try entry(rows: rows)) == nil) }
    #expect(queue.depth == 32)
    let taken = (0..<3).map { _ in takeAndFinish(queue)?.map(\.batch.rows.count) }
    #expect(taken == [[4, 5], [2], [20]])
    #expect(takeAndFinish(queue)?.map(\.batch.rows.count) == [1])
    #expect(queue.depth == 0)
  }

  @Test func fewRowsWaitForTheTransactionUnderWayAndManyGetOneOfTheirOwn() throws {
    let queue = CommitQueue(capacity: 10_000, writers: 2)
    #expect(queue.add(try entry()) == nil)
    let first = try #require(queue.take(rows: 1_000))
    #expect(first.count == 1)
    #expect(queue.add(try entry()) == nil)
    let second = Background { queue.take(rows: 1_000) }
    usleep(20_000)
    #expect(!second.isFinished)
    #expect(queue.add(try entry(rows: 400)) == nil)
    poll(upTo: .seconds(2), "the second writer takes what is worth it") { second.isFinished }
    let taken = try #require(try second.value())
    #expect(taken.map(\.batch.rows.count) == [1, 400])
    #expect(queue.add(try entry()) == nil)
    let third = Background { queue.take(rows: 1_000)?.count }
    queue.finish(first)
    queue.finish(taken)
    poll(upTo: .seconds(2), "what waited is taken when nobody is at work") { third.isFinished }
    #expect(try third.value() == 1)
  }

  @Test func whereNobodyAnswersNobodyWaits() throws {
    let queue = CommitQueue(capacity: 100, writers: 1)
    let failures = Mutex<[Int]>([])
    let doubtful = Mutex<[Int]>([])
    func add(_ number: Int) throws -> StoreError? {
      let batch = try entry().batch
      return queue.add(
        CommitQueue.Entry(batch: batch) { result in
          guard case .failure(let error) = result else { return }
          failures.withLock { $0.append(number) }
          if error.mayBeStored { doubtful.withLock { $0.append(number) } }
        })
    }
    #expect(try add(1) == nil)
    let taken = try #require(queue.take(rows: 10))
    #expect(try add(2) == nil)
    queue.setAnswered(false, or: StoreError(.unavailable, "It hangs."))
    #expect(failures.withLock { $0.sorted() } == [1, 2])
    // What only waited is not stored.
    #expect(doubtful.withLock { $0 } == [1])
    #expect(try add(3)?.code == .unavailable)
    #expect(queue.depth == 0)
    // What was under way ends after all: nobody is told a second time.
    taken[0].complete(.failure(StoreError(.database, "Late.")))
    queue.finish(taken)
    queue.setAnswered(true, or: StoreError(.unavailable, "It hangs."))
    #expect(try add(4) == nil)
    #expect(queue.take(rows: 10)?.count == 1)
    #expect(failures.withLock { $0.count } == 2)
  }

  /// Under a load that never lets the queue run empty, what was taken must not pile up.
  @Test func whatIsTakenIsLetGoOf() throws {
    let queue = CommitQueue(capacity: 100, writers: 1)
    weak var first: EventRow?
    do {
      let entry = try entry()
      first = entry.batch.rows[0]
      #expect(queue.add(entry) == nil)
    }
    #expect(queue.add(try entry()) == nil)
    #expect(takeAndFinish(queue, rows: 1) == 1)
    #expect(first == nil)
  }

  @Test func batchesOfDifferentSourcesDoNotMix() throws {
    let queue = CommitQueue(capacity: 100, writers: 1)
    for source in ["http", "http", "import", "http"] { #expect(queue.add(try entry(source: source)) == nil) }
    let taken = (0..<3).map { _ in takeAndFinish(queue)?.map(\.batch.source) }
    #expect(taken == [["http", "http"], ["import"], ["http"]])
  }

  @Test func whileNoWriterIsServedNothingIsTaken() throws {
    let queue = CommitQueue(capacity: 100, writers: 2)
    queue.writerConnected(false)
    #expect(queue.add(try entry()) == nil)
    #expect(queue.isServed)
    queue.writerConnected(false)
    #expect(!queue.isServed)
    #expect(queue.add(try entry())?.code == .unavailable)
    queue.failAll(StoreError(.unavailable, "away"))
    #expect(queue.depth == 0)
    queue.writerConnected(true)
    #expect(queue.add(try entry()) == nil)
  }
}
