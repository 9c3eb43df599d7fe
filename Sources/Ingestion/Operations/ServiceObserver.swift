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
  private let appName: @Sendable (AppID) -> String?

  private static let slowSeconds = 1.0

  /// - Parameters:
  ///   - routes: the paths that requests are counted by.
  ///   - appName: an app's name; nil where it is too new to be known.
  init(log: ServiceLog, routes: Set<String>, appName: @escaping @Sendable (AppID) -> String? = { _ in nil }) {
    self.log = log
    self.routes = routes
    self.appName = appName
  }

  /// A request's events have their outcomes.
  func note(_ submission: Submission, _ outcomes: [AppendOutcome], app: AppID, requestID: String) {
    metrics.count(submission, app: app, outcomes)
    let rejections = submission.rejections(outcomes)
    guard !rejections.isEmpty else { return }
    let name = appName(app) ?? "number \(app.rawValue)"
    for (code, count) in rejections.sorted(by: { $0.key < $1.key }) {
      log.summarise(
        .info, "events rejected", of: "\(code) \(app.rawValue)", count: count,
        [
          "pushlift.app": .string(name), "pushlift.rejection.code": .string(code),
          "http.request.id": .string(requestID),
        ])
    }
  }

  /// A transaction has ended.
  func note(_ commit: GroupCommitter.Commit) {
    metrics.count(commit)
    let fields: JSONValue = [
      "pushlift.commit.rows": .integer(commit.rows), "pushlift.commit.requests": .integer(commit.batches),
      "pushlift.commit.seconds": .number(commit.seconds),
    ]
    if let error = commit.error {
      log.summarise(
        .error, "commit failed", of: error.cause?.sqlState ?? error.code.rawValue,
        fields.merging(Self.fields(of: error)))
    } else if commit.seconds > Self.slowSeconds {
      log.summarise(.warning, "slow commit", fields)
    }
  }

  /// The SQLSTATE, what Postgres says of itself, and what to do. Its other messages quote values, and are left out.
  static func fields(of error: StoreError) -> JSONValue {
    var fields: [(String, JSONValue)] = [("error.code", .string(error.code.rawValue))]
    if let state = error.cause?.sqlState { fields.append(("db.response.status_code", .string(state))) }
    if let saying = error.saying { fields.append(("error.message", .string(saying))) }
    if let remedy = error.operatorsRemedy { fields.append(("pushlift.remedy", .string(remedy))) }
    return .object(fields)
  }

  func note(_ event: HTTPServerEvent) {
    switch event {
    case .answered(let method, let path, let status, _, let requestID, let duration):
      let route = route(of: path)
      metrics.countAnswer(route: route, status: status.rawValue)
      log.write(
        .debug, "request answered",
        [
          "http.request.id": .string(requestID), "http.request.method": .string(method.rawValue),
          "http.route": .string(route), "http.response.status_code": .integer(status.rawValue),
          "http.server.request.seconds": .number(duration / .seconds(1)),
        ])
    case .refused(let fault, let path, let address): note(fault, route(of: path), address)
    case .timedOut(let address, let requestID):
      metrics.requests.withLock { $0.timedOut += 1 }
      log.summarise(
        .warning, "request timed out",
        ["client.address": .string(address), "http.request.id": .string(requestID)])
    case .turnedAway(let address):
      metrics.requests.withLock { $0.turnedAway += 1 }
      log.summarise(.warning, "connection turned away", ["client.address": .string(address)])
    case .unreadable(let status):
      metrics.countAnswer(route: "other", status: status)
      log.summarise(
        .info, "request refused", of: "unreadable \(status)",
        ["error.code": "unreadable_request", "http.response.status_code": .integer(status)])
    case .library(let line): log.write(.debug, "HTTP library", ["pushlift.text": .string(line)])
    }
  }

  /// What the path is counted and logged as: never by what a client put into it.
  private func route(of path: String) -> String {
    if path.hasPrefix(DeviceEndpoint.folder), path != DeviceEndpoint.folder { return DeviceEndpoint.path }
    return routes.contains(path) ? path : "other"
  }

  private func note(_ fault: HTTPFault, _ route: String, _ address: String) {
    let fields: JSONValue = [
      "error.code": .string(fault.code), "http.response.status_code": .integer(fault.status.rawValue),
      "http.route": .string(route), "client.address": .string(address),
      "http.request.id": fault.requestID.map(JSONValue.string) ?? .null,
    ]
    if fault.status.rawValue >= 500 {
      log.summarise(.error, "request failed", of: fault.code, fields)
    } else {
      log.summarise(.info, "request refused", of: fault.code, fields)
    }
  }

  /// Tells when the store is lost and when it is back.
  ///
  /// - Parameter outage: why it is lost; nil where nobody knows, since Postgres hangs.
  func watch(canStore: Bool, outage: @autoclosure () -> StoreError? = nil) {
    let now = Clock.monotonicMicroseconds
    let lost = lostAt.withLock { lostAt in
      let before = lostAt
      lostAt = canStore ? nil : before ?? now
      return before
    }
    if !canStore, lost == nil {
      let hang: JSONValue = [
        "error.message": "Postgres does not answer.",
        "pushlift.remedy": "Look at Postgres, its log and its disk.",
      ]
      log.write(.error, "store lost", outage().map(Self.fields) ?? hang)
    } else if canStore, let lost {
      log.write(
        .warning, "store recovered", ["pushlift.outage.seconds": .number(Double(now - lost) / 1_000_000)])
    }
  }
}

extension ServiceLog {
  /// What a line says of a job's error.
  ///
  /// - Parameter code: the code of an error that is not the store's, of which nothing else is told.
  package static func fields(of error: any Error, code: String) -> JSONValue {
    let stored = error as? StoreError ?? (error as? PostgresError).map(StoreError.init)
    return stored.map(ServiceObserver.fields) ?? ["error.code": .string(code)]
  }
}
