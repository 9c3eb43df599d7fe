internal import Foundation
internal import Synchronization

/// SIGINT, SIGTERM and SIGHUP, so that a command can be left in good order.
///
/// Blocking the signals and waiting for them on a thread would be simpler, but the main thread of an async program sleeps
/// in `dispatch_main` with every signal unblocked.
final class Interruption: Sendable {
  /// Starts to take the signals with its first use.
  static let current = Interruption()

  private let handlers = Mutex<[@Sendable () -> Void]>([])
  private let waiters = Mutex<[AsyncStream<Int32>.Continuation]>([])
  private let queue = DispatchQueue(label: "pushlift.signals")
  // Written once, as the object is made, and only kept so that the sources live.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  private init() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      Foundation.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
      source.setEventHandler { [weak self] in self?.take(signal) }
      source.resume()
      sources.append(source)
    }
  }

  /// What to do before the process leaves, the last one added first.
  func onInterrupt(_ handler: @escaping @Sendable () -> Void) { handlers.withLock { $0.append(handler) } }

  /// Waits for a signal instead of being ended by it. Call it before anything that must be stopped in order starts.
  func makeSequence() -> AsyncStream<Int32> {
    AsyncStream { continuation in waiters.withLock { $0.append(continuation) } }
  }

  private func take(_ signal: Int32) {
    let waiting = waiters.withLock { $0 }
    if waiting.isEmpty {
      for handler in handlers.withLock({ $0.reversed() }) { handler() }
      // As the shell reports a process that a signal ended.
      exit(128 + signal)
    }
    for waiter in waiting { waiter.yield(signal) }
  }
}
