internal import Synchronization

/// Sees to it that one run goes on at a time in a process, and that what is recorded during one is sent by a next.
final class UploadSchedule: Sendable {
  private struct State {
    var running: Task<Void, any Error>?
    var isScheduled = false
  }

  private let state = Mutex(State())
  private let run: @Sendable () async throws -> Void

  init(run: @escaping @Sendable () async throws -> Void) { self.run = run }

  /// Runs now, after the run that may be going on.
  func runNow() async throws {
    let run = run
    let task = state.withLock { state in
      let previous = state.running
      let task = Task {
        _ = await previous?.result
        try await run()
      }
      state.running = task
      return task
    }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs after a delay, once for all who ask meanwhile.
  func runSoon(after delay: Duration, clock: any EngagementClock) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isFirst else { return }
    Task(priority: .utility) { [weak self] in
      try? await clock.sleep(for: delay)
      self?.state.withLock { $0.isScheduled = false }
      // What fails, fails for the next time: the events are on disk.
      try? await self?.runNow()
    }
  }
}
