internal import Synchronization

/// What a process has declared of limits, so that Postgres is asked once for each and not with each request, and what it
/// still owes.
final class LimitLedger: Sendable {
  private struct State {
    var declared: Set<DeclaredLimit> = []
    var owed: Set<DeclaredLimit> = []
    /// Where Postgres would not take it, when to try again.
    var postponedUntil: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// Days and categories go on and on. What is forgotten is declared once more, which changes nothing.
  private static let capacity = 10_000
  private static let delay: Duration = .seconds(1)

  /// What is to be declared now: these, unless they were, and what is owed of former batches.
  ///
  /// - Parameter isLast: whether there is no later time to postpone it to.
  func due(_ limits: [DeclaredLimit], isLast: Bool = false) -> [DeclaredLimit] {
    state.withLock { state in
      for limit in limits where !state.declared.contains(limit) && state.owed.count < Self.capacity {
        state.owed.insert(limit)
      }
      if state.owed.isEmpty { return [] }
      if let time = state.postponedUntil, time > .now, !isLast { return [] }
      return Array(state.owed)
    }
  }

  func settle(_ limits: [DeclaredLimit]) {
    state.withLock { state in
      state.owed.subtract(limits)
      state.postponedUntil = nil
      if state.declared.count + limits.count > Self.capacity { state.declared = [] }
      state.declared.formUnion(limits)
    }
  }

  func postpone() { state.withLock { $0.postponedUntil = .now + Self.delay } }
}
