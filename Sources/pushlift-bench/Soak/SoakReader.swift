internal import Foundation
internal import Processes

/// Asks for dashboards, and for the report of a process of its own.
struct SoakReader {
  let clients: SoakClients
  let bench: BenchStore
  private var client: LoopbackClient?

  init(_ clients: SoakClients, _ bench: BenchStore) {
    self.clients = clients
    self.bench = bench
  }

  mutating func run() {
    var turn = 0
    while clients.gate.enter() {
      turn += 1
      if turn % 10 == 0 { report() } else { dashboard(turn) }
      clients.gate.leave()
      pause(.milliseconds(300))
    }
  }

  private mutating func dashboard(_ turn: Int) {
    let path = ["/dashboard", "/dashboard?metric=reply", "/dashboard?details=1", "/openapi.json"][turn % 4]
    if client == nil { client = LoopbackClient(port: clients.port) }
    let answer = client?.exchange(clients.get(path))
    if answer == nil { client = nil }
    switch answer?.status {
    case 200: clients.ledger.change { $0.counts.dashboards += 1 }
    case nil, 503: clients.ledger.change { $0.counts.reportFailures += 1 }
    case let status?: clients.ledger.fault("\(path) was answered \(status)")
    }
  }

  /// Postgres may be restarted meanwhile, so that it may fail, but not hang.
  private func report() {
    guard
      let program = try? RunningProgram(
        BenchStore.binary(), ["rates", "--data", bench.folder, "--format", "json"],
        environment: ProcessInfo.processInfo.environment, folder: bench.folder, output: "/dev/null",
        errors: "/dev/null")
    else { return clients.ledger.fault("pushlift rates did not start") }
    switch program.waitForEnd(within: .seconds(100))?.status {
    case 0: clients.ledger.change { $0.counts.reports += 1 }
    case 1: clients.ledger.change { $0.counts.reportFailures += 1 }
    case let status: clients.ledger.fault("pushlift rates ended with \(status.map(String.init) ?? "nothing")")
    }
  }
}
