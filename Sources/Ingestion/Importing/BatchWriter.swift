internal import Dispatch
internal import EventStore
internal import Foundation
internal import Postgres

/// Appends batches on a thread of its own, one at a time, so that the next one can be read and judged meanwhile.
///
/// Serves one thread.
final class BatchWriter {
  private let state: State
  private var isBusy = false

  init(_ connection: consuming Connection) {
    state = State(EventWriter(connection))
    let thread = Thread { [state] in state.run() }
    thread.name = "pushlift-import"
    thread.start()
  }

  deinit { state.hand(nil) }

  /// Takes a batch to write; the one before has to be finished.
  func start(_ batch: AppendBatch) {
    precondition(!isBusy, "a batch is written while another one is under way")
    isBusy = true
    state.hand(batch)
  }

  /// Waits until what was taken is on disk.
  ///
  /// - Returns: its outcomes; nil where nothing is under way.
  func finish() throws -> [AppendOutcome]? {
    guard isBusy else { return nil }
    isBusy = false
    return try state.takeResult()
  }

  /// What both threads share. A semaphore hands it from one to the other, so that only one looks at it at a time.
  private final class State: @unchecked Sendable {
    private let writer: EventWriter
    private var batch: AppendBatch?
    private var result: Result<[AppendOutcome], any Error> = .success([])
    private let isHanded = DispatchSemaphore(value: 0)
    private let isWritten = DispatchSemaphore(value: 0)

    init(_ writer: consuming EventWriter) { self.writer = writer }

    /// - Parameter batch: nil ends the thread.
    func hand(_ batch: AppendBatch?) {
      self.batch = batch
      isHanded.signal()
    }

    func takeResult() throws -> [AppendOutcome] {
      isWritten.wait()
      return try result.get()
    }

    func run() {
      while true {
        isHanded.wait()
        guard let batch else { return }
        result = Result { try write(batch) }
        isWritten.signal()
      }
    }

    /// Once more where Postgres itself asks for it.
    private func write(_ batch: AppendBatch) throws -> [AppendOutcome] {
      do {
        return try writer.append(batch)
      } catch let error as PostgresError where error.isRetryable && writer.isAlive {
        return try writer.append(batch)
      }
    }
  }
}
