internal import Arguments
internal import EventStore
internal import Foundation
internal import HTTPServer
internal import Ingestion

/// `pushlift serve`.
enum ServeCommand {
  static let command = Command(
    "serve", abstract: "Take events over HTTP, and aggregate them in the background.",
    discussion: """
      POST /v1/events takes events with a write key. An answer of 200 or 207 comes only after the events are on disk. \
      GET /healthz tells that the process lives, GET /readyz that it can take events, GET /metrics what it has done, \
      GET /openapi.json what it takes and answers. GET /dashboard is the report as a live page, for those who log in with a \
      key that may read.

      SIGTERM and Ctrl-C stop it in order: it listens no more, stores what it has taken, and leaves, within ten seconds \
      even if Postgres hangs. SIGHUP reads the TLS certificate anew.

      Where systemd hands it a listening socket (a socket unit), it serves on that one, whatever --host and --port say.
      """,
    examples: [
      "pushlift serve --port 8080",
      "pushlift serve --host :: --port 443 --tls-certificate chain.pem --tls-key key.pem",
    ],
    options: SharedOptions.store + ServeOptions.all
  ) { arguments in
    let settings = try ServeOptions.settings(arguments)
    if settings.leavesCoreFiles { CoreFiles.allow() }
    try await SharedOptions.withStore(arguments, makes: true) { opened in
      let signals = Interruption.current.makeSequence()
      let keeper = opened.keepRunning(log: settings.options.log)
      defer { keeper?.stop() }
      let service = try RunningService(opened.store, settings)
      service.announce()
      for await signal in signals {
        guard signal == SIGHUP else { break }
        service.reloadTLS()
      }
      guard service.stop() else {
        // Postgres hangs, and waiting for it to leave in order would take as long.
        exit(1)
      }
    }
  }
}

extension OpenedStore {
  /// Starts pushlift's own Postgres again whenever it goes down, and tells the log.
  ///
  /// - Returns: what to stop before leaving; nil where the database was named.
  func keepRunning(log: ServiceLog) -> ClusterKeeper? {
    keepRunning { outcome in
      switch outcome {
      case .success: log.write(.warning, "Postgres started again")
      case .failure(let error):
        log.write(.error, "Postgres does not start", ["error.message": .string("\(error)")])
      }
    }
  }
}

/// How a service is run.
struct ServeSettings: Sendable {
  var configuration = HTTPServerConfiguration()
  var options = ServiceOptions()
  var aggregates = true
  var leavesCoreFiles = false
}

/// The server and the jobs beside it, from start to orderly stop.
final class RunningService: Sendable {
  private let server: IngestionServer
  private let aggregator: BackgroundAggregator
  private let settings: ServeSettings
  let url: String

  private var log: ServiceLog { settings.options.log }

  /// Returns once it listens.
  init(_ store: EventStore, _ settings: ServeSettings) throws {
    self.settings = settings
    server = try IngestionServer(
      store, configuration: settings.configuration, options: settings.options)
    let port: UInt16
    do {
      port = try server.start()
    } catch {
      server.stop(gracePeriod: .zero)
      throw error
    }
    let host = settings.configuration.host
    let scheme = settings.configuration.tls == nil ? "http" : "https"
    url = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    aggregator = BackgroundAggregator(store, aggregates: settings.aggregates, log: settings.options.log)
    aggregator.start()
  }

  /// Tells where it listens.
  func announce() {
    log.write(.info, "listening", ["url.full": .string(url)])
    if settings.configuration.tls == nil, !Loopback.contains(settings.configuration.host) {
      log.write(
        .warning, "keys and events travel unencrypted",
        ["pushlift.remedy": "Give --tls-certificate and --tls-key, or listen on 127.0.0.1 behind a proxy."])
    }
  }

  /// Reads the certificate anew; the former one stays where that fails.
  func reloadTLS() {
    guard settings.configuration.tls != nil else { return }
    do {
      try server.reloadTLS()
      log.write(.info, "certificate reloaded")
    } catch {
      log.write(.error, "certificate not reloaded", ["error.message": .string("\(error)")])
    }
  }

  /// Stops within nine seconds.
  ///
  /// - Returns: false where Postgres hangs, and threads with it.
  @discardableResult
  func stop() -> Bool {
    log.write(.info, "stopping")
    aggregator.beginStopping()
    let isServerStopped = server.stop(gracePeriod: .seconds(7))
    let isAggregatorStopped = aggregator.waitUntilStopped(for: .milliseconds(500))
    let isStopped = isServerStopped && isAggregatorStopped
    if isStopped {
      log.write(.info, "stopped")
    } else {
      log.write(.error, "stopped without Postgres")
    }
    return isStopped
  }
}
