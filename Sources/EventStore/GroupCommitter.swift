internal import Foundation
internal import Postgres
internal import Synchronization

/// Appends the batches of many requests with few transactions: whatever waits while one commits shares the next.
///
/// Each writer has a thread and a connection of its own. A lone batch waits for nobody. The queue is bounded: what does
/// not fit is refused at once, so that a client is told to come back rather than kept hanging. Where the database goes
/// away, batches under way are tried once more on a new connection and then fail, further ones are refused, and the writers
/// come back by themselves.
package final class GroupCommitter: Sendable {
  /// Called on a writer's thread, once, after the commit or the failure.
  package typealias Completion = @Sendable (Result<[AppendOutcome], StoreError>) -> Void

  private let store: EventStore
  private let queue: CommitQueue
  private let observer: @Sendable (Commit) -> Void
  private let ledger = LimitLedger()
  /// What a writer met when it last looked for a connection; nil since one found one.
  private let lastOutage = Mutex<StoreError?>(nil)

  /// What is told of each transaction.
  package struct Commit: Sendable {
    package let batches: Int
    package let rows: Int
    package let seconds: Double
    /// Nil where it was committed.
    package let error: StoreError?
  }

  /// Rows that share a transaction, unless a single batch has more.
  static let rowsPerCommit = 1_000

  /// Opens the connections and starts the writers.
  ///
  /// - Parameters:
  ///   - writers: connections that commit side by side.
  ///   - capacity: rows that may wait.
  ///   - observer: told of each transaction, on a writer's thread.
  /// - Throws: `StoreError.unavailable` where the database cannot be reached now.
  package init(
    _ store: EventStore, writers: Int = 2, capacity: Int = 20_000,
    observer: @escaping @Sendable (Commit) -> Void = { _ in }
  ) throws {
    self.store = store
    self.observer = observer
    queue = CommitQueue(capacity: capacity, writers: writers)
    // Fails here, where somebody is looking, rather than in a thread.
    _ = try store.connect(.writing)
    for number in 1...writers {
      let thread = Thread { [self] in run() }
      thread.name = "pushlift-writer-\(number)"
      thread.start()
    }
  }

  /// Hands a batch over.
  ///
  /// - Returns: nil if it was taken, and then `completion` will be called; otherwise why it was not.
  package func submit(_ batch: AppendBatch, completion: @escaping Completion) -> StoreError? {
    queue.add(CommitQueue.Entry(batch: batch, completion: completion))
  }

  /// Whether the database is there, as far as the writers know.
  package var isReady: Bool { queue.isServed }

  /// Tells whether Postgres answers. While it does not, nobody is let in or kept waiting: what is under way may be committed
  /// once it does, and who sends it again then learns that.
  package func setAnswered(_ isAnswered: Bool) {
    queue.setAnswered(isAnswered, or: StoreError(.unavailable, "Postgres does not answer."))
  }

  /// Why there is no connection, where there is none.
  package var outage: StoreError? { lastOutage.withLock { $0 } }

  /// Rows that wait now.
  package var depth: Int { queue.depth }

  /// Takes no more, commits what was taken, and ends the writers. Returns when they are gone.
  package func stop() { queue.close() }

  private func run() {
    defer { queue.writerLeft() }
    var isConnected = true
    var delay = Backoff()
    // Cut off along with the connection: a Postgres that was restarted while all was quiet is noticed only by a commit.
    var interrupted: [CommitQueue.Entry] = []
    while !queue.isDrained || !interrupted.isEmpty {
      do {
        let writer = EventWriter(try store.connect(.writing))
        if !isConnected { queue.writerConnected(true) }
        isConnected = true
        lastOutage.withLock { $0 = nil }
        delay.reset()
        let again = interrupted
        interrupted = []
        interrupted = try serve(writer, first: again)
        if interrupted.isEmpty { return }
      } catch {
        if isConnected { queue.writerConnected(false) }
        isConnected = false
        let away = Self.away(error)
        lastOutage.withLock { $0 = away }
        if !interrupted.isEmpty { settle(interrupted, .failure(away.ofCommitUnderWay), since: .now) }
        interrupted = []
        queue.failAll(away)
        queue.wait(seconds: delay.next())
      }
    }
  }

  private static func away(_ error: any Error) -> StoreError {
    let cause = (error as? StoreError)?.cause ?? error as? PostgresError
    return StoreError(.unavailable, "The store is away: \(error)", cause: cause)
  }

  /// Commits batches until the queue is closed and empty.
  ///
  /// - Parameter first: what was taken before and lost its connection once.
  /// - Returns: what lost its connection now, to be tried once more on a new one.
  /// - Throws: where the connection is lost a second time.
  private func serve(
    _ writer: borrowing EventWriter, first: [CommitQueue.Entry]
  ) throws -> [CommitQueue.Entry] {
    if !first.isEmpty {
      let start = ContinuousClock.now
      let result = append(CommitQueue.Entry.merged(first), writer)
      // However this attempt ended, the one before may have come to its end.
      settle(first, result.mapError(\.ofCommitUnderWay), since: start)
      if case .failure(let error) = result, !writer.isAlive { throw error }
    }
    while let entries = queue.take(rows: Self.rowsPerCommit) {
      let start = ContinuousClock.now
      let result = append(CommitQueue.Entry.merged(entries), writer)
      if case .failure = result, !writer.isAlive { return entries }
      settle(entries, result, since: start)
    }
    declare(ledger.due([], isLast: true), writer)
    return []
  }

  /// Declares what deliveries do not tell, before they are stored. Where that fails it is owed, and the events go on.
  private func declare(_ due: [DeclaredLimit], _ writer: borrowing EventWriter) {
    guard !due.isEmpty else { return }
    do {
      try writer.declare(due)
      ledger.settle(due)
    } catch {
      // Where the connection is lost, so are the events, and both are tried again on the next.
      if writer.isAlive { ledger.postpone() }
    }
  }

  /// Tells everybody concerned what became of a transaction.
  private func settle(
    _ entries: [CommitQueue.Entry], _ result: Result<[AppendOutcome], StoreError>,
    since start: ContinuousClock.Instant
  ) {
    var failure: StoreError?
    switch result {
    case .success(let outcomes):
      var rest = outcomes[...]
      for entry in entries {
        let count = entry.batch.rows.count
        entry.complete(.success(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
      }
    case .failure(let error):
      failure = error
      for entry in entries { entry.complete(.failure(error)) }
    }
    queue.finish(entries)
    observer(
      Commit(
        batches: entries.count, rows: entries.reduce(0) { $0 + $1.batch.rows.count },
        seconds: (ContinuousClock.now - start) / .seconds(1), error: failure))
  }

  /// Appends, once more where Postgres itself asks for it on a connection that still stands.
  private func append(_ batch: AppendBatch, _ writer: borrowing EventWriter) -> Result<
    [AppendOutcome], StoreError
  > {
    declare(ledger.due(batch.limits), writer)
    do {
      return .success(try appendOrRetry(batch, writer))
    } catch {
      return .failure((error as? PostgresError).map(StoreError.init) ?? StoreError(.database, "\(error)"))
    }
  }

  private func appendOrRetry(
    _ batch: AppendBatch, _ writer: borrowing EventWriter
  ) throws -> [AppendOutcome] {
    do {
      return try writer.append(batch)
    } catch let error as PostgresError where error.isRetryable && writer.isAlive {
      return try writer.append(batch)
    }
  }
}

/// Waits that double from a quarter of a second on.
package struct Backoff {
  private static let shortest = 0.25

  private let longest: Double
  private var seconds = shortest

  /// - Parameter longest: the wait that is not exceeded, in seconds.
  package init(longest: Double = 8) { self.longest = longest }

  package mutating func next() -> Double {
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }

  package mutating func reset() { seconds = Self.shortest }
}
