internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Synchronization

extension ServiceMetrics {
  /// What is measured at the moment rather than counted.
  struct Gauges {
    let queuedEvents: Int
    let queueCapacity: Int
    let store: StoreProbe.Reading
    let isStoreUp: Bool
    let isReady: Bool
  }

  /// All figures as Prometheus reads them.
  ///
  /// - Parameter app: only this one's events; nil = all apps'.
  func text(_ gauges: Gauges, only app: AppID? = nil) -> [UInt8] {
    var text = MetricsText()
    writeEvents(to: &text, gauges.store.appNames.filter { app == nil || $0.key == app })
    writeCommits(to: &text)
    writeRequests(to: &text)
    write(gauges, to: &text)
    writeProcess(to: &text)
    return text.utf8
  }

  /// An app too new to have a name here is written with the next reading.
  private func writeEvents(to text: inout MetricsText, _ names: [AppID: String]) {
    let apps = apps.withLock { $0 }.sorted { $0.key < $1.key }
      .compactMap { app, counts in names[app].map { (name: $0, counts: counts) } }
    text.counter(
      "pushlift_events_total",
      "Events taken over HTTP by what became of them; the type unknown is of events that were rejected unread.",
      apps.flatMap { app in
        EventVerdict.allCases.flatMap { verdict in
          EventType.allCases.map { type in
            MetricsText.Sample(
              [("app", app.name), ("type", type.rawValue), ("verdict", "\(verdict)")],
              Double(app.counts.events[AppCounts.place(verdict, type)]))
          }
        } + [
          MetricsText.Sample(
            [("app", app.name), ("type", "unknown"), ("verdict", "\(EventVerdict.rejected)")],
            Double(app.counts.unread))
        ]
      })
    text.counter(
      "pushlift_rejections_total", "Events not stored as they were sent, by code, conflicts included.",
      apps.flatMap { app in Self.samples(app.name, app.counts.rejections) })
    text.counter(
      "pushlift_warnings_total", "Events accepted with something odd about them, by code.",
      apps.flatMap { app in Self.samples(app.name, app.counts.warnings) })
    text.counter(
      "pushlift_unknown_fields_total", "Fields that the contract does not know and that were ignored.",
      apps.map { MetricsText.Sample([("app", $0.name)], Double($0.counts.unknownFields)) })
    text.counter(
      "pushlift_ignored_calls_total", "Calls of Segment-compatible clients that are about something else.",
      apps.flatMap { app in
        app.counts.ignored.sorted { $0.key < $1.key }.map {
          MetricsText.Sample([("app", app.name), ("call", $0.key)], Double($0.value))
        }
      })
  }

  private static func samples(_ app: String, _ counts: [String: Int]) -> [MetricsText.Sample] {
    counts.sorted { $0.key < $1.key }.map {
      MetricsText.Sample([("app", app), ("code", $0.key)], Double($0.value))
    }
  }

  private func writeCommits(to text: inout MetricsText) {
    let commits = commits.withLock { $0 }
    text.counter(
      "pushlift_commits_total", "Transactions of events, by outcome.",
      [
        MetricsText.Sample([("outcome", "committed")], Double(commits.committed)),
        MetricsText.Sample([("outcome", "failed")], Double(commits.failed)),
      ])
    text.histogram("pushlift_commit_duration_seconds", "Time that a transaction took.", commits.seconds)
    text.histogram("pushlift_commit_rows", "Events of a transaction.", commits.rows)
    text.histogram("pushlift_commit_requests", "Requests that shared a transaction.", commits.requests)
  }

  private func writeRequests(to text: inout MetricsText) {
    let requests = requests.withLock { $0 }
    text.counter(
      "pushlift_http_requests_total", "Answers by route and status; the route other is of all unknown paths.",
      requests.answered.sorted { $0.key < $1.key }.map {
        MetricsText.Sample([("route", $0.key.route), ("status", String($0.key.status))], Double($0.value))
      })
    text.counter(
      "pushlift_http_timeouts_total", "Clients cut off since their request took too long to arrive.",
      [MetricsText.Sample([], Double(requests.timedOut))])
    text.counter(
      "pushlift_http_connections_turned_away_total", "Connections closed at once, over a limit.",
      [MetricsText.Sample([], Double(requests.turnedAway))])
  }

  private func write(_ gauges: Gauges, to text: inout MetricsText) {
    func gauge(_ name: String, _ help: String, _ value: Double?) {
      text.gauge(name, help, value.map { [MetricsText.Sample([], $0)] } ?? [])
    }
    gauge("pushlift_queue_events", "Events that wait to be committed.", Double(gauges.queuedEvents))
    gauge("pushlift_queue_capacity_events", "Events that may wait.", Double(gauges.queueCapacity))
    gauge("pushlift_ready", "Whether events can be taken, as /readyz tells: 1 or 0.", gauges.isReady ? 1 : 0)
    gauge("pushlift_postgres_up", "Whether Postgres answers: 1 or 0.", gauges.isStoreUp ? 1 : 0)
    gauge(
      "pushlift_aggregation_lag_positions", "Log positions not aggregated yet; positions have gaps.",
      Double(gauges.store.lag))
    gauge(
      "pushlift_aggregation_watermark_age_seconds",
      "Time since the arrival of the last event aggregated; grows while nothing arrives.",
      gauges.store.watermark.map { Double(Clock.wallMicroseconds - $0.microseconds) / 1_000_000 })
  }

  private func writeProcess(to text: inout MetricsText) {
    text.gauge(
      "process_start_time_seconds", "When the service started, in seconds since 1970.",
      [MetricsText.Sample([], Double(startedAt) / 1_000_000)])
    text.gauge(
      "process_resident_memory_bytes", "Memory that the process occupies.",
      Self.residentMemory.map { [MetricsText.Sample([], Double($0))] } ?? [])
    text.gauge(
      "process_open_fds", "Files and sockets that the process has open.",
      Self.openDescriptors.map { [MetricsText.Sample([], Double($0))] } ?? [])
  }

  /// Nil where the system has no `/proc`.
  private static var openDescriptors: Int? {
    // One of them is the folder itself, which is read.
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { $0.count - 1 }
  }

  /// Bytes; nil where the system has no `/proc`.
  private static var residentMemory: Int? {
    guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return nil }
    let pages = String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first
    return pages.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }
}
