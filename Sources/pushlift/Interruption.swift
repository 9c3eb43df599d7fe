internal import Foundation
internal import Synchronization

/// SIGINT and SIGTERM, taken by a thread of their own, so that a command can be left in good order.
final class Interruption: Sendable {
  /// Starts to take the signals with its first use.
  static let current = Interruption()

  private let handlers = Mutex<[@Sendable () -> Void]>([])
  private let waiters = Mutex<[@Sendable (Int32) -> Void]>([])

  private init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let thread = Thread { [self] in run() }
    thread.name = "pushlift-signals"
    thread.start()
  }

  /// What to do before the process leaves, the last one added first.
  func onInterrupt(_ handler: @escaping @Sendable () -> Void) { handlers.withLock { $0.append(handler) } }

  /// Waits for a signal instead of being ended by it. Call it before anything that must be stopped in order starts.
  func makeSequence() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      waiters.withLock { $0.append { continuation.yield($0) } }
    }
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
    return set
  }

  private func run() {
    var signals = Self.signals
    while true {
      var signal: Int32 = 0
      guard sigwait(&signals, &signal) == 0 else { continue }
      let waiting = waiters.withLock { $0 }
      if waiting.isEmpty {
        for handler in handlers.withLock({ $0.reversed() }) { handler() }
        // As the shell reports a process that a signal ended.
        exit(128 + signal)
      }
      for waiter in waiting { waiter(signal) }
    }
  }
}
