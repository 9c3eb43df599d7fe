internal import Dispatch
internal import EngagementEvents
package import EventStore
internal import Foundation
package import HTTPServer

/// The HTTP face of a store: the endpoint for events, and what tells an operator that it is well.
package final class IngestionServer: Sendable {
  private let committer: GroupCommitter
  private let keys: KeyRing
  private let probe: StoreProbe
  private let status: ServiceStatus
  private let observer: ServiceObserver
  private let desk: ReportDesk
  private let server: HTTPServer
  /// Ticks a few times a second. Written once; sources are thread-safe, though Dispatch does not say so to Swift.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer

  /// Connects to the store; listens only from `start()` on.
  ///
  /// The configuration's own `log` is not told anything.
  package init(
    _ store: EventStore, configuration: HTTPServerConfiguration, options: ServiceOptions = ServiceOptions()
  ) throws {
    let commits = CommitHealth()
    let categories = CategoryShelf()
    probe = try StoreProbe(store, commits: commits, categories: categories)
    observer = ServiceObserver(log: options.log, routes: Self.paths.union(DashboardEndpoint.paths)) {
      [probe] app in
      probe.reading.appNames[app]
    }
    keys = try KeyRing(store, log: options.log)
    committer = try GroupCommitter(store, capacity: options.queueCapacity) { [observer] commit in
      commits.note(commit)
      observer.note(commit)
    }
    status = ServiceStatus(
      committer: committer, probe: probe, commits: commits, queueCapacity: options.queueCapacity)
    timer = Self.makeTimer { [observer, status, committer, probe] in
      committer.setAnswered(probe.isAnswered)
      observer.watch(canStore: status.canStore, outage: status.outage)
      observer.log.writeHeldBack()
    }
    var configuration = configuration
    configuration.log = { [observer] in observer.note($0) }
    let limiter = options.eventsPerSecond.map {
      RateLimiter(eventsPerSecond: $0, burst: max($0, EventLimits.eventsPerRequest))
    }
    let events = EventEndpoint(
      keys: keys, committer: committer, secret: store.secret, observer: observer, categories: categories,
      limiter: limiter)
    let segment = SegmentEndpoint(
      keys: keys, committer: committer, secret: store.secret, observer: observer, categories: categories,
      limiter: limiter)
    let metrics = MetricsEndpoint(keys: keys, metrics: observer.metrics) { [status] in status.gauges }
    desk = ReportDesk(store, seats: options.reportsAtOnce)
    let dashboard = DashboardEndpoint(
      keys: keys, sessions: DashboardSessions(), desk: desk, log: options.log,
      isOpen: options.opensDashboard, servesTLS: configuration.tls != nil)
    server = HTTPServer(
      configuration: configuration,
      routes: [
        events.route, DeviceEndpoint(store: store, keys: keys, log: options.log).route,
        metrics.route, OpenAPIDocument.route,
      ] + segment.routes + HealthEndpoint(status: status).routes + dashboard.routes)
  }

  /// What `/openapi.json` describes.
  static let paths = Set(
    [
      EventEndpoint.path, DeviceEndpoint.path, MetricsEndpoint.path, OpenAPIDocument.path,
      HealthEndpoint.livenessPath, HealthEndpoint.readinessPath,
    ] + SegmentEndpoint.paths)

  /// - Returns: the port, which the system chose if the configuration's is 0.
  package func start() throws -> UInt16 { try server.start() }

  /// Reads the TLS certificate and its key anew, for connections that come from now on.
  ///
  /// - Throws: where the files cannot be used; then the former ones stay.
  package func reloadTLS() throws { try server.reloadTLS() }

  /// Stops listening, answers what was taken, and commits it. What is not committed within the grace period, since Postgres
  /// hangs, is answered 503.
  ///
  /// - Returns: whether everything that was taken has ended. If not, a second or two after the grace period, a thread
  ///   still waits for Postgres and ends with the process.
  @discardableResult
  package func stop(gracePeriod: Duration) -> Bool {
    status.beginStopping()
    server.stop(gracePeriod: gracePeriod)
    desk.stop()
    keys.stop()
    probe.stop()
    timer.cancel()
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [committer] in
      committer.stop()
      ended.signal()
    }
    let isEnded = ended.wait(timeout: .now() + 1) == .success
    observer.log.writeHeldBack(all: true)
    return isEnded
  }

  private static func makeTimer(_ tick: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "pushlift.watch"))
    timer.schedule(deadline: .now(), repeating: .milliseconds(250), leeway: .milliseconds(50))
    timer.setEventHandler(handler: tick)
    timer.resume()
    return timer
  }
}
