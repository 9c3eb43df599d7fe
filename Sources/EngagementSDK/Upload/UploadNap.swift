internal import Synchronization

/// The wait between two tries, from which a run can be woken.
final class UploadNap: Sendable {
  private let sleeper = Mutex<Task<Void, any Error>?>(nil)

  /// Waits.
  ///
  /// - Parameter isLight: whether ``wake()`` ends it; a wait that the server asked for goes on.
  /// - Throws: `CancellationError` where the run is cancelled.
  func sleep(for duration: Duration, isLight: Bool, clock: any EngagementClock) async throws {
    let sleeping = Task { try await clock.sleep(for: duration) }
    if isLight { sleeper.withLock { $0 = sleeping } }
    await withTaskCancellationHandler {
      _ = await sleeping.result
    } onCancel: {
      sleeping.cancel()
    }
    sleeper.withLock { $0 = nil }
    try Task.checkCancellation()
  }

  func wake() { sleeper.withLock { $0 }?.cancel() }
}
