internal import Synchronization

/// Sees to it that one run goes on at a time in a process, and that what is recorded during one is sent by a next.
///
/// However many ask, there is one run and at most one to come.
final class UploadSchedule: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  /// A run that goes on, or is to come, and who wants it.
  private struct Run {
    var waiters: [UInt64: Waiter] = [:]
    /// Whether it is wanted though nobody waits for it.
    var isScheduled = false
    var isWanted: Bool { isScheduled || !waiters.isEmpty }
  }

  private struct State {
    /// Nil where no run goes on.
    var task: Task<Void, Never>?
    var current = Run()
    var next = Run()
    var lastWaiter: UInt64 = 0
    /// Whether a delay has begun that ends in a run.
    var isDelayed = false
    var isStopped = false
  }

  private let state = Mutex(State())
  private let run: @Sendable () async throws -> Void
  private let dispose: @Sendable () -> Void

  /// - Parameter dispose: called once, when it has been stopped and no run goes on.
  init(
    run: @escaping @Sendable () async throws -> Void, dispose: @escaping @Sendable () -> Void = {}
  ) {
    self.run = run
    self.dispose = dispose
  }

  /// Runs now, after the run that may be going on.
  ///
  /// - Throws: what the run throws; `CancellationError` at once where the task is cancelled. The run ends then, unless others want it.
  func runNow() async throws {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join($0, as: id) }
    } onCancel: {
      leave(id)
    }
  }

  /// Runs after a delay, once for all who ask meanwhile.
  func runSoon(after delay: Duration, clock: any EngagementClock) {
    let isFirst = state.withLock { state in
      defer { state.isDelayed = true }
      return !state.isDelayed
    }
    guard isFirst else { return }
    Task(priority: .utility) { [weak self] in
      try? await clock.sleep(for: delay)
      // What fails, fails for the next time: the events are on disk.
      self?.runScheduled()
    }
  }

  /// Ends the run that goes on, and begins no other: who waits, and who asks later, gets a `CancellationError`.
  func stop() {
    let (waiters, isOver) = state.withLock { state in
      let isOver = state.task == nil && !state.isStopped
      state.isStopped = true
      state.task?.cancel()
      let waiters = [state.current, state.next].flatMap(\.waiters.values)
      state.current = Run()
      state.next = Run()
      return (waiters, isOver)
    }
    for waiter in waiters { waiter.resume(throwing: CancellationError()) }
    if isOver { dispose() }
  }

  private func runScheduled() {
    state.withLock { state in
      state.isDelayed = false
      add(&state) { $0.isScheduled = true }
    }
  }

  private func join(_ waiter: Waiter, as id: UInt64) {
    let isLate = state.withLock { state in
      // Whoever is cancelled from here on finds the waiter.
      if Task.isCancelled || state.isStopped { return true }
      add(&state) { $0.waiters[id] = waiter }
      return false
    }
    if isLate { waiter.resume(throwing: CancellationError()) }
  }

  private func leave(_ id: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      if let waiter = state.next.waiters.removeValue(forKey: id) { return waiter }
      let waiter = state.current.waiters.removeValue(forKey: id)
      if !state.current.isWanted { state.task?.cancel() }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  /// Wants a run that begins from now on.
  private func add(_ state: inout State, _ change: (inout Run) -> Void) {
    if state.isStopped { return }
    change(&state.next)
    if state.task == nil { beginNext(&state) }
  }

  private func beginNext(_ state: inout State) {
    state.task = nil
    state.current = state.next
    state.next = Run()
    guard state.current.isWanted else { return }
    state.task = Task {
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await run()) } catch { outcome = .failure(error) }
      end(with: outcome)
    }
  }

  private func end(with outcome: Result<Void, any Error>) {
    let (waiters, isStopped) = state.withLock { state in
      let waiters = Array(state.current.waiters.values)
      beginNext(&state)
      return (waiters, state.isStopped)
    }
    for waiter in waiters { waiter.resume(with: outcome) }
    if isStopped { dispose() }
  }
}
