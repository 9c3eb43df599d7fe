internal import EventStore
internal import HTTPServer
internal import Postgres
internal import Synchronization

/// Counts what happens in the service, and tells the log what is worth telling.
final class ServiceObserver: Sendable {
  let metrics = ServiceMetrics()
  let log: ServiceLog
  private let routes: Set<String>
  /// Whether events could be stored when `watch` last looked, and since when they could not.
  private let lostAt = Mutex<Int64?>(nil)

  private static let slowSeconds = 1.0

  /// - Parameter routes: the paths that requests are counted by.
  init(log: ServiceLog, routes: Set<String>) {
    self.log = log
    self.routes = routes
  }

  /// A request's events have their outcomes.
  func note(_ submission: Submission, _ outcomes: [AppendOutcome], app: AppID, requestID: String) {
    metrics.count(submission, app: app, outcomes)
    let refused = outcomes.count {
      if case .stored = $0 { false } else if case .duplicate = $0 { false } else { true }
    }
    let rejected = refused + submission.batch.deadLetters.count
    guard rejected > 0 else { return }
    let letter = submission.batch.deadLetters.first
    log.summarise(
      .info, "events rejected", count: rejected,
      [
        "pushlift.app.id": .integer(Int(app.rawValue)),
        "pushlift.rejection.code": .string(letter?.code ?? AppendOutcome.conflictCode),
        "http.request.id": .string(requestID),
      ])
  }

  /// A transaction has ended.
  func note(_ commit: GroupCommitter.Commit) {
    metrics.count(commit)
    let fields: JSONValue = [
      "pushlift.commit.rows": .integer(commit.rows), "pushlift.commit.requests": .integer(commit.batches),
      "pushlift.commit.seconds": .number(commit.seconds),
    ]
    if let error = commit.error {
      log.summarise(.error, "commit failed", fields.merging(Self.fields(of: error)))
    } else if commit.seconds > Self.slowSeconds {
      log.summarise(.warning, "slow commit", fields)
    }
  }

  /// The SQLSTATE, and never the message: Postgres quotes values in it.
  static func fields(of error: StoreError) -> JSONValue {
    let code: JSONValue = ["error.code": .string(error.code.rawValue)]
    guard let state = error.cause?.sqlState else { return code }
    return code.merging(["db.response.status_code": .string(state)])
  }

  func note(_ event: HTTPServerEvent) {
    switch event {
    case .answered(let method, let path, let status, _, let requestID, let duration):
      let route = routes.contains(path) ? path : "other"
      metrics.countAnswer(route: route, status: status.rawValue)
      log.write(
        .debug, "request answered",
        [
          "http.request.id": .string(requestID), "http.request.method": .string(method.rawValue),
          "http.route": .string(route), "http.response.status_code": .integer(status.rawValue),
          "http.server.request.seconds": .number(duration / .seconds(1)),
        ])
    case .refused(let fault, _): note(fault)
    case .timedOut(let address):
      metrics.requests.withLock { $0.timedOut += 1 }
      log.summarise(.warning, "request timed out", ["client.address": .string(address)])
    case .turnedAway(let address):
      metrics.requests.withLock { $0.turnedAway += 1 }
      log.summarise(.warning, "connection turned away", ["client.address": .string(address)])
    case .library(let line): log.write(.debug, "HTTP library", ["pushlift.text": .string(line)])
    }
  }

  private func note(_ fault: HTTPFault) {
    let fields: JSONValue = [
      "error.code": .string(fault.code), "http.response.status_code": .integer(fault.status.rawValue),
      "http.request.id": fault.requestID.map(JSONValue.string) ?? .null,
    ]
    if fault.status.rawValue >= 500 {
      log.summarise(.error, "request failed", fields)
    } else {
      log.summarise(.info, "request refused", fields)
    }
  }

  /// Tells when the store is lost and when it is back.
  func watch(canStore: Bool) {
    let now = Clock.monotonicMicroseconds
    let lost = lostAt.withLock { lostAt in
      let before = lostAt
      lostAt = canStore ? nil : before ?? now
      return before
    }
    if !canStore, lost == nil {
      log.write(.error, "store lost")
    } else if canStore, let lost {
      log.write(
        .warning, "store recovered", ["pushlift.outage.seconds": .number(Double(now - lost) / 1_000_000)])
    }
  }
}
