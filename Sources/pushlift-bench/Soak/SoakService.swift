internal import EventStore
internal import Foundation
internal import Processes

/// The server of a soak, which is stopped, killed and started again, as is its Postgres.
final class SoakService {
  /// What is done to them, in turns.
  enum Disturbance: CaseIterable {
    case stopServer, killServer, stopPostgres, killPostgres
  }

  private let bench: BenchStore
  private var server: ChildServer
  let port: UInt16
  private(set) var counts: [Disturbance: Int] = [:]
  /// What went otherwise than it should.
  private(set) var faults: [String] = []

  init(_ bench: BenchStore) throws {
    self.bench = bench
    port = freePort()
    server = try Self.serve(bench, port)
  }

  func disturb(_ disturbance: Disturbance) throws {
    counts[disturbance, default: 0] += 1
    switch disturbance {
    case .stopServer: try restart(SIGTERM, expecting: 0)
    case .killServer: try restart(SIGKILL, expecting: 128 + SIGKILL)
    case .stopPostgres: try signalPostgres(SIGINT)
    case .killPostgres: try signalPostgres(SIGKILL)
    }
  }

  /// Stops it for good.
  func stop() {
    let end = server.stop()
    if end?.status != 0 { faults.append("the server left with \(Self.text(end))") }
  }

  private func restart(_ signal: Int32, expecting status: Int32) throws {
    let end = server.stop(signal)
    if end?.status != status {
      faults.append("a server that was sent signal \(signal) left with \(Self.text(end))")
    }
    server = try Self.serve(bench, port)
  }

  private static func serve(_ bench: BenchStore, _ port: UInt16) throws -> ChildServer {
    try bench.serve(port: port, aggregates: true, log: bench.folder + "/serve.log")
  }

  private static func text(_ end: RunningProgram.End?) -> String { end.map { "\($0.status)" } ?? "nothing" }

  /// The server starts it again.
  private func signalPostgres(_ signal: Int32) throws {
    let file = bench.folder + "/cluster/postgres/postmaster.pid"
    // While it starts there may be none.
    guard let text = try? String(contentsOfFile: file, encoding: .utf8),
      let process = text.split(separator: "\n").first.flatMap({ pid_t($0) })
    else { return }
    kill(process, signal)
  }
}
