internal import EventStore
internal import Foundation
internal import Postgres
internal import Reports
internal import Synchronization

/// Runs a plan through a private Postgres: a database for each worker, chunk by chunk.
struct CoverageRun: Sendable {
  let plan: CoveragePlan
  /// Threads, each with a database of its own, since the job runs once in each.
  var workers = 2
  /// Units aggregated at once; what bounds memory and disk.
  var unitsAtOnce = 200_000
  /// Where there is room, in memory: the measurement is of statistics and not of a disk.
  var folder: String = {
    let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    return "\(parent)/pushlift-coverage-\(ProcessInfo.processInfo.processIdentifier)"
  }()

  private static let settings = [
    // Nothing here need outlive the run.
    "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "wal_level": "minimal",
    "max_wal_senders": "0", "autovacuum": "off", "shared_buffers": "256MB", "max_wal_size": "512MB",
  ]

  /// - Parameter progress: told how many replications are done.
  func tally(progress: @escaping @Sendable (Int) -> Void = { _ in }) throws -> CoverageTally {
    let cluster = PrivateCluster(
      directory: folder, settings: Self.settings, environment: ProcessInfo.processInfo.environment)
    defer {
      try? cluster.stop()
      try? FileManager.default.removeItem(atPath: folder)
    }
    let server = try cluster.start()
    do {
      let connection = try Connection(server)
      for worker in 0..<workers {
        try connection.execute("create database \(identifier: "coverage_\(worker)")")
      }
    }
    return try tally(on: server, progress: progress)
  }

  private func tally(
    on server: ConnectionConfiguration, progress: @escaping @Sendable (Int) -> Void
  ) throws -> CoverageTally {
    let next = Mutex(0)
    let total = Mutex(CoverageTally(nights: plan.nights))
    let failure = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    for worker in 0..<workers {
      group.enter()
      Thread {
        defer { group.leave() }
        do {
          try CoverageStore.withFresh(
            server.with(database: "coverage_\(worker)"), firstDay: Self.firstDay(plan)
          ) { store in
            while failure.withLock({ $0 == nil }), let range = next.withLock({ takeChunk(&$0) }) {
              let part = try replicate(range, in: store)
              progress(
                total.withLock {
                  $0.add(part)
                  return $0.replications
                })
            }
          }
        } catch {
          failure.withLock { $0 = error }
        }
      }.start()
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    return total.withLock { $0 }
  }

  /// The next replications to do; nil when all are taken.
  private func takeChunk(_ next: inout Int) -> Range<Int>? {
    guard next < plan.replications else { return nil }
    let range = next..<min(next + max(1, unitsAtOnce / plan.units), plan.replications)
    next = range.upperBound
    return range
  }

  private func replicate(_ range: Range<Int>, in store: borrowing CoverageStore) throws -> CoverageTally {
    var tally = CoverageTally(nights: plan.nights)
    let replications = range.map { SimulatedReplication(plan, number: $0) }
    let apps = try store.fill(replications, plan)
    for (app, replication) in zip(apps, replications) {
      tally.add(try RateReport(try store.read(app)), plan)
      tally.add(try looks(app, replication, in: store))
    }
    try store.empty()
    return tally
  }

  private func looks(
    _ app: App, _ replication: SimulatedReplication, in store: borrowing CoverageStore
  ) throws -> NightlyLooks {
    var looks = NightlyLooks(truth: plan.uplift)
    var days: [[(Bool, [Int16], [Int64], [Int64])]] = Array(repeating: [], count: plan.nights)
    try store.readNights(app) { night, isRich, buckets, units, successes in
      days[night].append((isRich, buckets, units, successes))
    }
    for (night, arms) in days.enumerated() {
      for (isRich, buckets, units, successes) in arms {
        looks.add(isRich: isRich, buckets, units, successes)
      }
      try looks.look(
        night: night, richDevices: replication.richDevices[night],
        textDevices: replication.textDevices[night])
    }
    return looks
  }

  /// Such that the last window has long closed.
  private static func firstDay(_ plan: CoveragePlan) -> PostgresDate {
    let today = Int32(Date.now.timeIntervalSince1970 / 86_400)
    return PostgresDate(daysSince1970: today - Int32(plan.nights) - 3)
  }
}
