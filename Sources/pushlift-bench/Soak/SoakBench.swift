internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres
internal import Simulation

/// `pushlift-bench soak`.
enum SoakBench {
  private static let seconds = Option<Int>(
    "seconds", .integer(in: 30...86_400), default: 60, help: "How long everything runs together.")
  private static let seed = Option<Int>(
    "seed", .integer(in: 0...Int.max), default: 1,
    help: "Where the sequence of batches and disturbances begins.")
  private static let pace = Option<Int>(
    "rate", .integer(in: 1...100_000).named("events/s"), default: 3_000,
    help: "How many events are posted, beside those of one client that never waits.")

  static let command = Command(
    "soak",
    abstract: "Everything at once for a time, with restarts, and then the proof that nothing was lost.",
    discussion: """
      Clients post batches, retry them, and post some again; devices are erased; dashboards and reports are asked for; and \
      the server and its Postgres are stopped and killed. In the last two thirds of the time the server itself is left \
      alone, so that what it occupies can be compared. Afterwards the whole store is held against what was sent. Exit code 1 \
      if anything is not as it must be.
      """,
    options: [seconds, seed, pace]
  ) { arguments in
    try BenchStore.withFresh { bench in
      let soak = try Soak(
        bench, seconds: Double(arguments[seconds]), rate: Double(arguments[pace]),
        seed: UInt64(arguments[seed]))
      let verdicts = try soak.run()
      for verdict in verdicts {
        say("\(verdict.holds ? "ok  " : "FAIL")  \(verdict.name): \(verdict.figures)")
      }
      guard verdicts.allSatisfy(\.holds) else { throw BenchError("the soak found a fault") }
    }
  }
}

/// One soak, from the server's start to the proof.
private final class Soak {
  private let bench: BenchStore
  private let seconds: Double
  private let rate: Double
  private let seed: UInt64
  private let clients: SoakClients
  private let service: SoakService
  private var generator: SeededGenerator

  private static let posters = 6

  init(_ bench: BenchStore, seconds: Double, rate: Double, seed: UInt64) throws {
    self.bench = bench
    self.seconds = seconds
    self.rate = rate
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    let admin = try ApiKey.create(app: bench.app, scope: .admin, on: bench.store.connect(.administering))
    service = try SoakService(bench)
    clients = SoakClients(
      port: service.port, writeKey: bench.key, adminKey: admin, ledger: SoakLedger(), gate: SoakGate(),
      doomed: SoakQueue())
  }

  func run() throws -> [SoakProof.Verdict] {
    let crew = Crew()
    for number in 0..<Self.posters {
      let pace = number == 0 ? nil : rate / Double(Self.posters - 1)
      crew.add { [clients, seed] in
        var poster = SoakPoster(clients, number: number, pace: pace, seed: seed)
        poster.run()
      }
    }
    crew.add { [clients] in
      var eraser = SoakEraser(clients, number: Self.posters)
      eraser.run()
    }
    crew.add { [clients, bench] in
      var reader = SoakReader(clients, bench)
      reader.run()
    }
    let vitals: (warm: SoakVitals, end: SoakVitals)
    do {
      vitals = try disturb()
    } catch {
      clients.gate.giveUp()
      crew.wait()
      service.stop()
      throw error
    }
    clients.gate.end()
    crew.wait()
    service.stop()
    return try prove(vitals)
  }

  /// - Returns: what the server that was left alone occupied once it was warm, and at the end.
  private func disturb() throws -> (warm: SoakVitals, end: SoakVitals) {
    let start = ContinuousClock.now
    let pauses = min(5, max(2, seconds / 40))
    func disturb(_ kinds: [SoakService.Disturbance], until share: Double) throws {
      while true {
        for kind in kinds.shuffled(using: &generator) {
          pause(.seconds(pauses * Double.random(in: 0.5...1.5, using: &generator)))
          guard ContinuousClock.now < start + .seconds(seconds * share) else { return }
          try service.disturb(kind)
        }
      }
    }
    let postgres: [SoakService.Disturbance] = [.stopPostgres, .killPostgres]
    try disturb(SoakService.Disturbance.allCases, until: 1 / 3)
    try service.disturb(.stopServer)
    try disturb(postgres, until: 1 / 2)
    let warm = try quietVitals()
    try disturb(postgres, until: 0.95)
    let end = try quietVitals()
    return (warm, end)
  }

  /// Once Postgres is there and everything is aggregated: the server then only waits.
  private func quietVitals() throws -> SoakVitals {
    try clients.gate.withQuiet {
      let deadline = ContinuousClock.now + .seconds(60)
      while LoopbackClient(port: clients.port)?.exchange(clients.get("/readyz"))?.status != 200 {
        guard ContinuousClock.now < deadline else { throw BenchError("the server is not ready for a minute") }
        pause(.milliseconds(50))
      }
      pause(.seconds(2))
      return try SoakVitals(clients, bench)
    }
  }

  private func prove(_ vitals: (warm: SoakVitals, end: SoakVitals)) throws -> [SoakProof.Verdict] {
    let state = clients.ledger.now
    var left = try SoakVitals.sessions(bench)
    for _ in 0..<100 where left > 0 {
      pause(.milliseconds(50))
      left = try SoakVitals.sessions(bench)
    }
    var proof = SoakProof(bench, state)
    try proof.checkStore()
    let (warm, end) = vitals
    let bound = warm.residentBytes * SoakVitals.memoryBound + SoakVitals.memoryAllowance
    proof.check(
      "the server's memory is flat", end.residentBytes <= bound,
      "\(Self.mebibytes(warm.residentBytes)) warm, \(Self.mebibytes(end.residentBytes)) at the end, "
        + "\(Self.mebibytes(bound)) allowed")
    proof.check(
      "the server's open files are flat", end.otherFiles <= warm.otherFiles + 2,
      "\(warm.otherFiles) beside its sessions warm, \(end.otherFiles) at the end, 2 more allowed")
    proof.check(
      "no session of Postgres is left", end.sessions <= SoakVitals.sessionBound && left == 0,
      "\(warm.sessions) warm, \(end.sessions) at the end, \(SoakVitals.sessionBound) allowed, \(left) after the stop"
    )
    let faults = state.faults + service.faults
    proof.check(
      "no answer and no end was other than it may be", faults.isEmpty,
      faults.isEmpty ? "200, 503 or none" : faults.joined(separator: "; "))
    printTable(state)
    return proof.verdicts
  }

  private func printTable(_ state: SoakLedger.State) {
    let counts = state.counts
    let disturbances = service.counts
    for (name, value) in [
      ("events acknowledged", counts.events), ("requests acknowledged", counts.requests),
      ("requests that failed, and were tried again or given up", counts.failedAttempts),
      ("batches posted again after their answer", counts.resent), ("devices erased", counts.erasures),
      ("dashboards", counts.dashboards), ("runs of pushlift rates", counts.reports),
      ("reports that failed meanwhile", counts.reportFailures),
      ("server stopped", disturbances[.stopServer, default: 0]),
      ("server killed", disturbances[.killServer, default: 0]),
      ("Postgres stopped", disturbances[.stopPostgres, default: 0]),
      ("Postgres killed", disturbances[.killPostgres, default: 0]),
    ] {
      say("\(String(repeating: " ", count: max(0, 9 - "\(value)".count)))\(value)  \(name)")
    }
  }

  private static func mebibytes(_ bytes: Double) -> String { "\(tenths(bytes / 1_048_576)) MiB" }
}
