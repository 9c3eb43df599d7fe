internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres

/// `pushlift-bench ingest`.
enum IngestBench {
  private static let seconds = Option<Int>(
    "seconds", .integer(in: 1...600), default: 8, help: "How long each run takes.")
  private static let rounds = Option<Int>(
    "rounds", .integer(in: 1...20), default: 3, help: "How often everything is run; the median counts.")
  private static let connections = Option<Int>(
    "connections", .integer(in: 1...256), default: 16, help: "Connections of the load generator.")
  private static let sizes = Option<[Int]>.repeated(
    "events", .integer(in: 1...2_500), help: "Events a request; may be repeated. Without: 1, 100 and 1000.")
  private static let withoutPeer = Option<Bool>.flag(
    "without-peer", help: "Measure against the bare limit alone.")

  static let command = Command(
    "ingest", abstract: "Events a second over HTTP, beside a FastAPI peer and beside the bare statement.",
    discussion: """
      All on one Postgres with fsync and synchronous_commit on, in a fresh folder, with the same load generator; the runs \
      take turns, so that a busy machine disturbs them alike.
      """,
    options: [sizes, seconds, rounds, connections, withoutPeer]
  ) { arguments in
    try BenchStore.withFresh { bench in
      let plan = Plan(
        seconds: Double(arguments[seconds]), rounds: arguments[rounds], connections: arguments[connections],
        peer: arguments[withoutPeer] ? nil : try Peer.prepare())
      say("events a request   pushlift/s   peer/s   × peer   bare limit/s   of limit   memory after")
      let sizes = arguments[sizes].isEmpty ? [1, 100, 1_000] : arguments[sizes]
      for size in sizes { try measure(size, plan, bench) }
    }
  }

  private struct Plan {
    let seconds: Double
    let rounds: Int
    let connections: Int
    let peer: String?
  }

  private static func measure(_ size: Int, _ plan: Plan, _ bench: BenchStore) throws {
    var ours: [Double] = []
    var theirs: [Double] = []
    var bare: [Double] = []
    var memory = 0
    for _ in 0..<plan.rounds {
      let port = freePort()
      let server = try bench.serve(port: port)
      let load = LoadGenerator(
        port: port, key: bench.key, eventsPerRequest: size, connections: plan.connections,
        seconds: plan.seconds)
      ours.append(try checked(load.run(), "pushlift"))
      memory = max(memory, server.residentBytes)
      server.stop()
      if let folder = plan.peer {
        let port = freePort()
        let peer = try Peer.start(folder, database: bench.database, port: port)
        let load = LoadGenerator(
          port: port, key: nil, eventsPerRequest: size, connections: plan.connections, seconds: plan.seconds)
        theirs.append(try checked(load.run(), "the peer"))
        peer.stop()
      }
      bare.append(
        try BareLimit(store: bench.store, app: bench.app, rowsPerBatch: 1_000, seconds: plan.seconds).run())
    }
    let (our, their, limit) = (median(ours), theirs.isEmpty ? nil : median(theirs), median(bare))
    let cells = [
      padded("\(size)", 16), padded("\(Int(our))", 13), padded(their.map { "\(Int($0))" } ?? "–", 9),
      padded(their.map { tenths(our / $0) } ?? "–", 9), padded("\(Int(limit))", 15),
      padded("\(Int(100 * our / limit)) %", 11), padded("\(memory >> 20) MiB", 15),
    ]
    say(cells.joined())
  }

  private static func checked(_ result: LoadGenerator.Result, _ name: String) throws -> Double {
    guard result.requests > 0, result.failures == 0 else {
      throw BenchError("\(result.failures) requests to \(name) failed, \(result.requests) did not")
    }
    return result.eventsPerSecond
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
