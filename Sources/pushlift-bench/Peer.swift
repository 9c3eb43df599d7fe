internal import EventStore
internal import Foundation
internal import Postgres

/// What a team would write instead: FastAPI and asyncpg, served by uvicorn with two workers.
enum Peer {
  /// Makes a virtual environment for it under `.build`, with packages from PyPI.
  static func prepare() throws -> String {
    let folder = FileManager.default.currentDirectoryPath + "/.build/bench-peer"
    if !FileManager.default.fileExists(atPath: folder + "/bin/uvicorn") {
      try run("/usr/bin/env", ["python3", "-m", "venv", folder])
      try run(folder + "/bin/pip", ["install", "--quiet", "fastapi", "uvicorn[standard]", "asyncpg"])
    }
    let module = folder + "/peer_fastapi.py"
    try Data(PackageResources.peer_fastapi_py).write(to: URL(fileURLWithPath: module))
    return folder
  }

  static func start(_ folder: String, database: ConnectionConfiguration, port: UInt16) throws -> ChildServer {
    try ChildServer(
      folder + "/bin/uvicorn",
      [
        "peer_fastapi:app", "--app-dir", folder, "--port", "\(port)", "--workers", "2", "--log-level",
        "warning",
        "--no-access-log",
      ],
      environment: [
        "PGHOST": database.host ?? "", "PGUSER": database.user ?? "postgres",
        "PGDATABASE": database.database ?? "postgres",
      ], port: port)
  }

  /// Runs a program to its end.
  static func run(_ executable: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchError(
        "'\(executable) \(arguments.joined(separator: " "))' failed; the peer needs python3 and PyPI")
    }
  }
}
