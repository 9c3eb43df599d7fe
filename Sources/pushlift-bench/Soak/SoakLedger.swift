internal import Synchronization

/// What was sent in a soak, and what became of it as far as answers tell.
final class SoakLedger: Sendable {
  /// What is known of a batch once nobody sends it any more.
  enum Fate: Sendable {
    case acknowledged
    /// Given up without an answer of 200: stored as a whole or not at all.
    case abandoned
  }

  struct Entry: Sendable {
    let poster: Int
    let numbers: Range<Int>
    let fate: Fate
  }

  /// Counts for the table.
  struct Counts: Sendable {
    var requests = 0
    var events = 0
    var resent = 0
    var failedAttempts = 0
    var erasures = 0
    var dashboards = 0
    var reports = 0
    var reportFailures = 0
  }

  /// A device that was erased, and the events that had been acknowledged of it before.
  struct Erasure: Sendable {
    let device: String
    let poster: Int
    let numbers: Range<Int>
  }

  struct State: Sendable {
    var entries: [Entry] = []
    var erasures: [Erasure] = []
    var counts = Counts()
    /// What no answer may be, in words.
    var faults: [String] = []
  }

  private let state = Mutex(State())

  func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

  /// Notes an answer that may not be; the first few are enough.
  func fault(_ text: String) { change { if $0.faults.count < 20 { $0.faults.append(text) } } }

  var now: State { state.withLock { $0 } }
}
