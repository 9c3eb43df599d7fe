internal import EventStore
internal import Foundation
internal import Postgres

/// What a server occupies while nobody asks it for anything.
struct SoakVitals {
  let residentBytes: Double
  let openFiles: Int
  /// Its sessions of Postgres.
  let sessions: Int

  /// - Throws: where the server does not tell.
  init(_ clients: SoakClients, _ bench: BenchStore) throws {
    var memory: [Double] = []
    var files: [Double] = []
    for _ in 0..<5 {
      memory.append(try Self.figure("process_resident_memory_bytes", clients))
      files.append(try Self.figure("process_open_fds", clients))
      pause(.milliseconds(200))
    }
    residentBytes = median(memory)
    openFiles = Int(median(files))
    sessions = try Self.sessions(bench)
  }

  /// How much a server may have grown since it was warm: pages that the allocator keeps, and room for longer reports.
  static let memoryBound = 1.25
  static let memoryAllowance = 8_388_608.0
  /// Two writers, two for reports, and one each for the job, the keys, the probe and an erasure; some are opened as they are
  /// needed.
  static let sessionBound = 8

  /// Files and sockets beside the sessions.
  var otherFiles: Int { openFiles - sessions }

  /// Sessions beside the one that asks.
  static func sessions(_ bench: BenchStore) throws -> Int {
    // The login's: others are not told what sessions are of.
    try Connection(bench.database).value(
      of: """
        select count(*) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        """)
  }

  private static func figure(_ name: String, _ clients: SoakClients) throws -> Double {
    let answer = LoopbackClient(port: clients.port)?.exchange(clients.get("/metrics"))
    let lines = String(decoding: answer?.body ?? [], as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(name + " ") }),
      let value = Double(line.dropFirst(name.count + 1))
    else { throw BenchError("/metrics does not tell \(name)") }
    return value
  }
}
