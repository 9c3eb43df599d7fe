internal import Arguments
internal import EventStore
internal import Foundation
internal import HTTPServer
internal import Ingestion

/// `pushlift serve`.
enum ServeCommand {
  private static let noAggregation = Option<Bool>.flag(
    "no-aggregation", help: "Do not aggregate in the background; run pushlift aggregate instead.")

  static let command = Command(
    "serve", abstract: "Take events over HTTP, and aggregate them in the background.",
    discussion: """
      POST /v1/events takes events with a write key. An answer of 200 or 207 comes only after the events are on disk. \
      GET /healthz tells that the process lives, GET /readyz that it can take events.

      SIGTERM and Ctrl-C stop it in order: it listens no more, stores what it has taken, and leaves.
      """,
    examples: ["pushlift serve --port 8080"],
    options: SharedOptions.store + [SharedOptions.host, SharedOptions.port, noAggregation]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let signals = Interruption.current.makeSequence()
      let service = try RunningService(
        opened.store, host: arguments[SharedOptions.host], port: arguments[SharedOptions.port],
        aggregates: !arguments[noAggregation])
      Terminal.complain("listening on \(service.url)")
      // A hangup is no reason to leave.
      for await signal in signals where signal != SIGHUP { break }
      Terminal.complain("stopping")
      service.stop()
    }
  }
}

/// The server and the jobs beside it, from start to orderly stop.
final class RunningService: Sendable {
  private let server: IngestionServer
  private let aggregator: BackgroundAggregator?
  let url: String

  /// Returns once it listens.
  init(_ store: EventStore, host: String, port: Int, aggregates: Bool) throws {
    server = try IngestionServer(
      store, configuration: HTTPServerConfiguration(host: host, port: UInt16(port)))
    let bound: UInt16
    do {
      bound = try server.start()
    } catch {
      server.stop(gracePeriod: .zero)
      throw error
    }
    url = "http://\(host.contains(":") ? "[\(host)]" : host):\(bound)"
    aggregator = aggregates ? BackgroundAggregator(store) : nil
    aggregator?.start()
  }

  func stop() {
    server.stop(gracePeriod: .seconds(8))
    aggregator?.stop()
  }
}
