internal import EventStore
internal import Foundation
internal import Postgres

/// DuckDB on the same raw events, from PyPI.
enum DuckDBPeer {
  /// - Returns: a line with the times.
  static func run(_ bench: BenchStore, rounds: Int) throws -> String {
    let folder = FileManager.default.currentDirectoryPath + "/.build/bench-duckdb"
    if !FileManager.default.fileExists(atPath: folder + "/bin/python") {
      try Peer.run("/usr/bin/env", ["python3", "-m", "venv", folder])
      try Peer.run(folder + "/bin/pip", ["install", "--quiet", "duckdb"])
    }
    let script = folder + "/peer_duckdb.py"
    try Data(PackageResources.peer_duckdb_py).write(to: URL(fileURLWithPath: script))
    let file = try export(bench)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: folder + "/bin/python")
    process.arguments = [script, file, "\(rounds)"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchError("DuckDB failed") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// What is counted, as a file that Postgres itself writes into its own folder.
  private static func export(_ bench: BenchStore) throws -> String {
    let file = bench.folder + "/cluster/events.csv"
    try Connection(bench.database.with(setting: "search_path", "pushlift")).execute(
      """
      copy (select unit_id, device_key, category, type, coalesce(intended, 0), extract(epoch from corrected_at) from event)
      to '\(unsafeRaw: file)' (format csv)
      """)
    return file
  }
}
