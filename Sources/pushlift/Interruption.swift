internal import Foundation
internal import Synchronization

/// SIGINT and SIGTERM, taken by a thread of their own, so that a command can be left in good order.
final class Interruption: Sendable {
  /// Starts to take the signals with its first use.
  static let current = Interruption()

  private let handlers = Mutex<[@Sendable () -> Void]>([])
  private let waiters = Mutex<[@Sendable (Int32) -> Void]>([])

  private init() {
    let reading = Self.pipe.reading
    for signal in [SIGINT, SIGTERM, SIGHUP] { _ = Foundation.signal(signal, Self.note) }
    let thread = Thread { [self] in run(reading) }
    thread.name = "pushlift-signals"
    thread.start()
  }

  /// From the handler to the thread. Blocking the signals and waiting for them would not do: Dispatch's main loop lets
  /// every signal through to the main thread.
  private static let pipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { preconditionFailure("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// The handler; it does nothing that a handler may not.
  private static let note: @convention(c) (Int32) -> Void = { signal in
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(Interruption.pipe.writing, &byte, 1)
    errno = interrupted
  }

  /// What to do before the process leaves, the last one added first.
  func onInterrupt(_ handler: @escaping @Sendable () -> Void) { handlers.withLock { $0.append(handler) } }

  /// Waits for a signal instead of being ended by it. Call it before anything that must be stopped in order starts.
  func makeSequence() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      waiters.withLock { $0.append { continuation.yield($0) } }
    }
  }

  private func run(_ reading: Int32) {
    while true {
      var byte: UInt8 = 0
      guard read(reading, &byte, 1) == 1 else { continue }
      let signal = Int32(byte)
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
