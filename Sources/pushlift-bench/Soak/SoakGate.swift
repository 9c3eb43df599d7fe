internal import Synchronization

/// Lets all workers of a soak hold still together, so that what the server occupies can be compared.
final class SoakGate: Sendable {
  private let isClosed = Atomic(false)
  private let isOver = Atomic(false)
  private let isGivenUp = Atomic(false)
  private let busy = Atomic(0)

  /// Waits while the gate is closed.
  ///
  /// - Returns: false once the soak is over.
  func enter() -> Bool {
    while true {
      busy.add(1, ordering: .sequentiallyConsistent)
      if isOver.load(ordering: .sequentiallyConsistent) {
        leave()
        return false
      }
      if !isClosed.load(ordering: .sequentiallyConsistent) { return true }
      leave()
      pause(.milliseconds(5))
    }
  }

  func leave() { busy.subtract(1, ordering: .sequentiallyConsistent) }

  /// Whether the soak ended early, so that nothing is tried again.
  var givesUp: Bool { isGivenUp.load(ordering: .sequentiallyConsistent) }

  func giveUp() {
    isGivenUp.store(true, ordering: .sequentiallyConsistent)
    end()
  }

  func end() { isOver.store(true, ordering: .sequentiallyConsistent) }

  /// Lends a moment in which nobody sends anything.
  func withQuiet<Value>(_ body: () throws -> Value) throws -> Value {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    defer { isClosed.store(false, ordering: .sequentiallyConsistent) }
    let deadline = ContinuousClock.now + .seconds(120)
    while busy.load(ordering: .sequentiallyConsistent) > 0 {
      guard ContinuousClock.now < deadline else {
        throw BenchError("a client has waited for its answer for two minutes")
      }
      pause(.milliseconds(5))
    }
    return try body()
  }
}
