internal import Foundation
internal import Synchronization

/// The bounded queue between those who hand batches over and the threads that commit them.
final class CommitQueue: Sendable {
  final class Entry: Sendable {
    let batch: AppendBatch
    private let completion: Mutex<GroupCommitter.Completion?>

    init(batch: AppendBatch, completion: @escaping GroupCommitter.Completion) {
      self.batch = batch
      self.completion = Mutex(completion)
    }

    /// Answers who waits, unless that was done before: where Postgres hangs, nobody waits for what becomes of it.
    func complete(_ result: Result<[AppendOutcome], StoreError>) {
      completion.withLock { $0.take() }?(result)
    }

    /// One batch for one transaction; the rows stay in the order of the entries.
    static func merged(_ entries: [Entry]) -> AppendBatch {
      guard entries.count > 1 else { return entries[0].batch }
      var merged = AppendBatch(rows: [], indices: [], deadLetters: [], source: entries[0].batch.source)
      merged.rows.reserveCapacity(entries.reduce(0) { $0 + $1.batch.rows.count })
      for entry in entries {
        merged.rows += entry.batch.rows
        merged.indices += entry.batch.indices
        merged.deadLetters += entry.batch.deadLetters
        merged.limits += entry.batch.limits
      }
      return merged
    }
  }

  private let capacity: Int
  private let condition = NSCondition()

  // Only touched between `condition.lock()` and `unlock()`, by `withLock`.
  private nonisolated(unsafe) let state: State

  /// A class, since a thread that waits for the condition must see what others change meanwhile: a value lent `inout`
  /// would be the waiter's alone until it returns.
  private final class State {
    /// Nil where taken already: those places are dropped in one go, their rows at once.
    var entries: [Entry?] = []
    /// Where the queue starts in `entries`.
    var head = 0
    var weight = 0
    var isClosed = false
    /// What writers have taken and are at work on.
    var underWay: [[Entry]] = []
    var busyWriters: Int { underWay.count }
    /// Whether Postgres answers; where it hangs, nothing is let in.
    var isAnswered = true
    var writers: Int
    /// Taken to be there until one of them finds out otherwise.
    var servedWriters: Int

    init(writers: Int) {
      self.writers = writers
      servedWriters = writers
    }

    /// Whether a writer should take what waits. While another is at work, only once it is worth a transaction of its own:
    /// below that, the rows cost less in the next one of the other.
    var isWorthTaking: Bool {
      head < entries.count && (busyWriters == 0 || isClosed || weight >= CommitQueue.ownTransactionWeight)
    }

    func removeWaiting() -> [Entry] {
      defer { (entries, head, weight) = ([], 0, 0) }
      return entries[head...].compactMap(\.self)
    }

    func dropTaken() {
      entries.removeFirst(head)
      head = 0
    }
  }

  /// Rows at which a second transaction beside the one under way gains more than it costs.
  static let ownTransactionWeight = 256

  init(capacity: Int, writers: Int) {
    self.capacity = capacity
    state = State(writers: writers)
  }

  private func withLock<Value>(_ body: (State) -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    return body(state)
  }

  func add(_ entry: Entry) -> StoreError? {
    withLock { state in
      if state.isClosed { return StoreError(.overloaded, "The store is stopping.") }
      if state.servedWriters == 0 || !state.isAnswered {
        return StoreError(.unavailable, "The store is away.")
      }
      // A batch larger than the whole queue is taken when it is alone.
      if state.weight > 0, state.weight + entry.batch.weight > capacity {
        return StoreError(.overloaded, "\(state.weight) events are waiting to be stored already.")
      }
      state.entries.append(entry)
      state.weight += entry.batch.weight
      // A signal could wake a writer that waits for its server to come back, and the idle one would sleep on.
      if state.isWorthTaking { condition.broadcast() }
      return nil
    }
  }

  /// Waits for entries, and takes as many as have up to `rows` rows together, but at least one. Each is followed by
  /// ``finish(_:)``.
  ///
  /// - Returns: nil once the queue is closed and empty.
  func take(rows: Int) -> [Entry]? {
    withLock { state in
      while !state.isWorthTaking {
        if state.isClosed { return nil }
        condition.wait()
      }
      var taken: [Entry] = []
      var weight = 0
      while state.head < state.entries.count, let entry = state.entries[state.head] {
        let fits = weight + entry.batch.weight <= rows && entry.batch.source == taken.first?.batch.source
        guard taken.isEmpty || fits else { break }
        taken.append(entry)
        weight += entry.batch.weight
        state.entries[state.head] = nil
        state.head += 1
      }
      state.weight -= weight
      state.underWay.append(taken)
      if state.head == state.entries.count || state.head > 1_024 { state.dropTaken() }
      return taken
    }
  }

  /// Tells that what was taken together is done with.
  func finish(_ taken: [Entry]) {
    withLock { state in
      state.underWay.removeAll { $0.first === taken.first }
      if state.isWorthTaking { condition.broadcast() }
    }
  }

  /// Fails whatever waits, unless another writer still serves.
  func failAll(_ error: StoreError) {
    let failed = withLock { state -> [Entry] in
      guard state.servedWriters == 0 else { return [] }
      return state.removeWaiting()
    }
    for entry in failed { entry.complete(.failure(error)) }
  }

  /// Lets entries in again, or none in and nobody wait: what is under way then may still be committed, or not.
  func setAnswered(_ isAnswered: Bool, or error: @autoclosure () -> StoreError) {
    let (waiting, underWay) = withLock { state -> ([Entry], [Entry]) in
      state.isAnswered = isAnswered
      return isAnswered ? ([], []) : (state.removeWaiting(), state.underWay.flatMap(\.self))
    }
    for entry in waiting { entry.complete(.failure(error())) }
    for entry in underWay { entry.complete(.failure(error().ofCommitUnderWay)) }
  }

  /// Tells that a writer has, or has lost, its connection. A writer tells each change once.
  func writerConnected(_ isConnected: Bool) {
    withLock { state in state.servedWriters += isConnected ? 1 : -1 }
  }

  var isServed: Bool { withLock { $0.servedWriters > 0 && !$0.isClosed } }
  var depth: Int { withLock { $0.weight } }
  var isDrained: Bool { withLock { $0.isClosed && $0.head == $0.entries.count } }

  /// Sleeps, but not beyond the closing of the queue.
  func wait(seconds: Double) {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !state.isClosed, condition.wait(until: deadline) {}
  }

  func writerLeft() {
    withLock { state in
      state.writers -= 1
      condition.broadcast()
    }
  }

  /// Lets nothing more in, and returns when the writers have left.
  func close() {
    withLock { state in
      state.isClosed = true
      condition.broadcast()
      while state.writers > 0 { condition.wait() }
    }
  }
}
