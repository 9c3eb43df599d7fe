internal import Foundation
internal import Synchronization

/// Work on a thread of its own, for tests that watch something while it waits.
///
/// Not a task: the few threads that tasks share may all be waiting in tests.
package final class BackgroundWork<Value: Sendable>: Sendable {
  private let outcome = Mutex<Swift.Result<Value, any Error>?>(nil)

  package init(_ work: @escaping @Sendable () throws -> Value) {
    let thread = Thread { [self] in
      let result = Swift.Result { try work() }
      outcome.withLock { $0 = result }
    }
    thread.start()
  }

  package var isFinished: Bool { outcome.withLock { $0 != nil } }

  /// What the work gave or threw; at latest after a minute.
  package func value() throws -> Value {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
      guard ContinuousClock.now < deadline else { throw BackgroundWorkError() }
      usleep(2_000)
    }
  }
}

/// The work did not end in time.
package struct BackgroundWorkError: Error {}
