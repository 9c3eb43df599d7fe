internal import Foundation
internal import Synchronization

/// Work on a thread of its own, so that blocking in it costs the tests' few threads nothing.
package final class Background<Value: Sendable>: Sendable {
  private let outcome = Mutex<Swift.Result<Value, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts at once.
  package init(_ body: @escaping @Sendable () throws -> Value) {
    let thread = Thread { [self] in
      let result = Swift.Result { try body() }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    thread.start()
  }

  package var isFinished: Bool { outcome.withLock { $0 != nil } }

  /// Waits for the end, a minute at most.
  ///
  /// - Throws: what the body threw; `Hanging` where it does not end.
  package func value() throws -> Value {
    guard isDone.wait(timeout: .now() + 60) == .success else { throw Hanging() }
    isDone.signal()
    return try outcome.withLock { $0 }!.get()
  }

  package struct Hanging: Error {}
}
