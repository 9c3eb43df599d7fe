internal import Dispatch
internal import EventStore
internal import Foundation
internal import Postgres
internal import Synchronization

/// Works on reports, a few at a time, each on a thread and a connection of its own: whoever posts events waits for none.
final class ReportDesk: Sendable {
  /// What is to be done; the error says why it could not be.
  typealias Work = @Sendable (borrowing Connection) throws -> Void

  private struct Job: Sendable {
    let app: AppID?
    let work: Work
    let failed: @Sendable (any Error) -> Void

    func run(_ connection: borrowing Connection) {
      do { try work(connection) } catch { failed(error) }
    }
  }

  private struct State {
    var waiting: [Job] = []
    /// Jobs taken and not done.
    var busy = 0
    var isStopped = false
  }

  private let store: EventStore
  private let seats: Int
  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)

  /// - Parameter seats: reports at a time, at least 1.
  init(_ store: EventStore, seats: Int) {
    self.store = store
    self.seats = seats
    for number in 1...seats {
      let thread = Thread { [self] in serve() }
      thread.name = "pushlift-report-\(number)"
      thread.start()
    }
  }

  /// Takes a report on.
  ///
  /// - Parameters:
  ///   - app: whose rows the connection gives, and no others; nil for all apps'.
  ///   - failed: is told of an error of the work, or why there is no connection.
  /// - Returns: false where all seats are taken, or after `stop`; then nothing is done.
  func submit(
    of app: AppID?, _ work: @escaping Work, failed: @escaping @Sendable (any Error) -> Void
  ) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isStopped, state.busy < seats else { return false }
      state.busy += 1
      state.waiting.append(Job(app: app, work: work, failed: failed))
      return true
    }
    if isTaken { arrivals.signal() }
    return isTaken
  }

  /// Takes nothing more on. What is under way goes on until it is done or Postgres ends it.
  func stop() {
    state.withLock { $0.isStopped = true }
    for _ in 1...seats { arrivals.signal() }
  }

  /// Ends with `stop`.
  private func serve() {
    var job = next()
    while let current = job {
      do {
        let connection = try store.connect(.reporting(of: current.app))
        job = run(current, on: connection)
      } catch {
        current.failed(error)
        finish()
        job = next()
      }
    }
  }

  /// Runs one job after another.
  ///
  /// - Returns: the job of another app, or the one that finds the connection gone; nil after `stop`.
  private func run(_ first: Job, on connection: borrowing Connection) -> Job? {
    var job: Job? = first
    repeat {
      job?.run(connection)
      finish()
      job = next()
    } while job.map { $0.app == first.app } == true && connection.isAlive
      && connection.transactionStatus == .idle
    return job
  }

  private func finish() { state.withLock { $0.busy -= 1 } }

  /// Waits for a job.
  private func next() -> Job? {
    while true {
      arrivals.wait()
      let (job, isStopped) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isStopped)
      }
      if job != nil || isStopped { return job }
    }
  }
}
