import Synchronization
import Testing

@testable import EngagementSDK

/// One run at a time, and one to come, however many ask.
struct UploadScheduleTests {
  /// Runs that go on until they are let go of, whether they are cancelled or not.
  private final class Runs: Sendable {
    private struct State {
      var begun = 0
      var cancelled = 0
      var isOpen = false
      var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var begun: Int { state.withLock { $0.begun } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    func run() async {
      state.withLock { $0.begun += 1 }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isOpen = state.withLock { state in
            if !state.isOpen { state.held.append(continuation) }
            return state.isOpen
          }
          if isOpen { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.cancelled += 1 }
      }
    }

    /// Lets all go, and all that come.
    func open() {
      let held = state.withLock { state in
        state.isOpen = true
        defer { state.held = [] }
        return state.held
      }
      for continuation in held { continuation.resume() }
    }
  }

  private let runs = Runs()
  private let schedule: UploadSchedule

  init() { schedule = UploadSchedule { [runs] in await runs.run() } }

  private func ask() -> Task<Void, any Error> { Task { [schedule] in try await schedule.runNow() } }

  @Test(.timeLimit(.minutes(1))) func whoIsCancelledReturnsThoughARunGoesOn() async throws {
    let first = ask()
    while runs.begun == 0 { await Task.yield() }
    let second = ask()
    for _ in 0..<100 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(runs.cancelled == 0)
    // The run takes no notice of it, but is told once nobody wants it.
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(runs.cancelled == 1)
    let late = ask()
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(runs.begun == 1)
    runs.open()
    try await ask().value
    #expect(runs.begun == 2)
  }

  @Test(.timeLimit(.minutes(1))) func whatManyWantIsOneMoreRun() async throws {
    let first = ask()
    while runs.begun == 0 { await Task.yield() }
    let others = (0..<50).map { _ in ask() }
    let clock = ManualClock()
    while clock.naps.count < 50 {
      schedule.runSoon(after: .seconds(1), clock: clock)
      await Task.yield()
    }
    for _ in 0..<1_000 { await Task.yield() }
    runs.open()
    try await first.value
    for other in others { try await other.value }
    try await ask().value
    #expect(runs.begun <= 3)
  }

  /// One that is wanted by others as well goes on when one of them leaves.
  @Test(.timeLimit(.minutes(1))) func aRunGoesOnForThoseWhoStay() async throws {
    let first = ask()
    while runs.begun == 0 { await Task.yield() }
    let leaving = ask()
    let staying = ask()
    for _ in 0..<1_000 { await Task.yield() }
    leaving.cancel()
    runs.open()
    try await first.value
    try await staying.value
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect(runs.begun == 2)
    #expect(runs.cancelled == 0)
  }
}
