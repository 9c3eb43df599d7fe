internal import EngagementEvents
internal import EventStore
internal import Synchronization

/// What the service has counted since it started.
///
/// A request is counted with one lock held for a few additions; nothing is kept for an event, a key or a device.
final class ServiceMetrics: Sendable {
  /// What became of events that could be read.
  enum EventVerdict: Int, CaseIterable {
    case stored, duplicate, conflict, rejected
  }

  /// The events of one app.
  struct AppCounts: Sendable {
    /// By verdict and type, in the order of their cases.
    var events = [Int](repeating: 0, count: EventVerdict.allCases.count * EventType.allCases.count)
    /// Rejected before their type was certain.
    var unread = 0
    var rejections: [String: Int] = [:]
    var warnings: [String: Int] = [:]
    var unknownFields = 0
    /// Calls of Segment-compatible clients about something else.
    var ignored: [String: Int] = [:]

    /// By arithmetic, since it is asked for each event.
    static func place(_ verdict: EventVerdict, _ type: EventType) -> Int {
      let column =
        switch type {
        case .delivered: 0
        case .expanded: 1
        case .action: 2
        }
      return verdict.rawValue * 3 + column
    }
  }

  struct Commits: Sendable {
    var committed = 0
    var failed = 0
    var seconds = Histogram(Histogram.seconds)
    var rows = Histogram(Histogram.sizes)
    var requests = Histogram(Histogram.sizes)
  }

  struct Requests: Sendable {
    struct Kind: Hashable, Comparable {
      let route: String
      let status: Int

      static func < (left: Kind, right: Kind) -> Bool {
        left.route != right.route ? left.route < right.route : left.status < right.status
      }
    }

    var answered: [Kind: Int] = [:]
    var timedOut = 0
    var turnedAway = 0
  }

  let apps = Mutex<[AppID: AppCounts]>([:])
  let commits = Mutex(Commits())
  let requests = Mutex(Requests())
  let startedAt = Clock.wallMicroseconds

  /// Counts a request's events, whose outcomes are known.
  func count(_ submission: Submission, app: AppID, _ outcomes: [AppendOutcome]) {
    apps.withLock { apps in
      submission.count(outcomes, into: &apps[app, default: AppCounts()])
    }
  }

  func count(_ commit: GroupCommitter.Commit) {
    commits.withLock { commits in
      guard commit.error == nil else {
        commits.failed += 1
        return
      }
      commits.committed += 1
      commits.seconds.observe(commit.seconds)
      commits.rows.observe(Double(commit.rows))
      commits.requests.observe(Double(commit.batches))
    }
  }

  func countAnswer(route: String, status: Int) {
    requests.withLock { $0.answered[Requests.Kind(route: route, status: status), default: 0] += 1 }
  }
}

extension Submission {
  /// How many events were not stored as they were sent, by code.
  func rejections(_ outcomes: [AppendOutcome]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for outcome in outcomes {
      switch outcome {
      case .stored, .duplicate: break
      case .conflict: counts[AppendOutcome.conflictCode, default: 0] += 1
      case .refused: counts[AppendOutcome.refusedCode, default: 0] += 1
      }
    }
    for letter in batch.deadLetters { counts[letter.code, default: 0] += 1 }
    return counts
  }

  func count(_ outcomes: [AppendOutcome], into counts: inout ServiceMetrics.AppCounts) {
    for (row, outcome) in zip(batch.rows, outcomes) {
      let verdict: ServiceMetrics.EventVerdict
      switch outcome {
      case .stored: verdict = .stored
      case .duplicate: verdict = .duplicate
      case .conflict: verdict = .conflict
      case .refused: verdict = .rejected
      }
      counts.events[ServiceMetrics.AppCounts.place(verdict, row.event.type)] += 1
    }
    counts.unread += batch.deadLetters.count
    for (code, count) in rejections(outcomes) { counts.rejections[code, default: 0] += count }
    for entry in warnings { counts.warnings[entry.warning.code.rawValue, default: 0] += 1 }
    counts.unknownFields += unknownFields
    for (call, count) in ignored {
      // A client can name a call as it likes, and no label holds what a client chose.
      let isKnown = SegmentEndpoint.calls.contains(call) || call == "bounced"
      counts.ignored[isKnown ? call : "other", default: 0] += count
    }
  }
}
