#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Postgres
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension PrivateCluster {
  /// Makes the server run, under the cluster's lock.
  func startOrJoin(_ account: ClusterAccount) throws -> ConnectionConfiguration {
    let socket = try socketDirectory(account)
    let server = ConnectionConfiguration(host: socket, user: "postgres", database: "postgres")
    let database = server.with(database: "pushlift")
    // As a rule it runs, and has the database.
    if isAnswering(database) { return database }
    let deadline = ContinuousClock.now + patience
    while let refusal = refusal(server) {
      // One that runs may be on its way up, or down.
      let isRunning = Postmaster(data: data) != nil
      guard ContinuousClock.now < deadline else { throw isRunning ? unanswered(refusal) : startFailure() }
      if isRunning { usleep(20_000) } else { try bringUp(account, socket) }
    }
    try makeDatabase(server)
    return database
  }

  private func bringUp(_ account: ClusterAccount, _ socket: String) throws {
    let crashed = removeLeftovers()
    let binaries = try PostgresBinaries.find(version: version, environment: environment)
    if version == nil { try initialize(binaries, account) }
    try launch(binaries, account, socket, afterCrash: crashed)
  }

  /// The major version that wrote the data; nil where there is none.
  private var version: String? {
    let content = FileManager.default.contents(atPath: data + "/PG_VERSION")
    return content.map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }
  }

  private func isAnswering(_ server: ConnectionConfiguration) -> Bool { refusal(server) == nil }

  /// Why the server takes no session; nil where it does.
  private func refusal(_ server: ConnectionConfiguration) -> String? {
    guard FileManager.default.fileExists(atPath: data + "/postmaster.pid") else { return "it does not run" }
    do throws(PostgresError) {
      _ = try Connection(server)
      return nil
    } catch {
      return error.message
    }
  }

  /// For a server that runs and takes no session for as long as anybody waits.
  private func unanswered(_ refusal: String) -> PrivateClusterError {
    PrivateClusterError(
      .unanswered,
      "Postgres runs in \(data), but has taken no session for \(patience): \(refusal)\n"
        + "It is left running. Where it starts up or recovers, which takes as long as there is to read, try again later; where "
        + "there are too many clients, end some of them. Its log is in \(data)/log")
  }

  /// What a crash left behind: a half-made cluster, and a `postmaster.pid` whose number belongs to another process by now, which would
  /// keep Postgres from starting. (Processes that outlive their crashed server are noticed by Postgres itself.)
  ///
  /// - Returns: whether the server had crashed.
  private func removeLeftovers() -> Bool {
    let content = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for name in content where name.hasPrefix("postgres.new") {
      // An initdb whose pushlift was killed may still be writing to it; what stays then goes at another start.
      try? FileManager.default.removeItem(atPath: directory + "/" + name)
    }
    // A copy of a running server's folder has its socket with it, whose lock names a process that lives.
    for name in [".s.PGSQL.5432", ".s.PGSQL.5432.lock"] { unlink(directory + "/" + name) }
    return unlink(data + "/postmaster.pid") == 0
  }

  /// Makes the cluster beside its place and then moves it there, so that it is there whole or not at all.
  private func initialize(_ binaries: PostgresBinaries, _ account: ClusterAccount) throws {
    // A name of its own: an initdb whose pushlift was killed may still be writing to the last one.
    let new = data + ".new.\(String(UInt32.random(in: 0...(.max)), radix: 36))"
    let output = directory + "/initdb.log"
    var command = [
      binaries.initdb, "--pgdata=\(new)", "--username=postgres", "--encoding=UTF8", "--locale=C",
      "--auth-local=trust", "--auth-host=reject", "--data-checksums", "--no-instructions",
    ]
    if settings["fsync"] == "off" { command.append("--no-sync") }
    let status = try ChildProcess.run(
      account.command(command), environment: Self.childEnvironment, output: output)
    guard status == 0 else {
      throw PrivateClusterError(
        .initializationFailed, "initdb failed in \(directory) (status \(status)):\n\(Self.tail(of: output))")
    }
    let include =
      "\n# Written by pushlift at every start; what stands below it wins.\ninclude_if_exists 'pushlift.conf'\n"
    let original = FileManager.default.contents(atPath: new + "/postgresql.conf") ?? Data()
    try write(String(decoding: original, as: UTF8.self) + include, to: new + "/postgresql.conf", account)
    guard rename(new, data) == 0 else {
      throw PrivateClusterError(.initializationFailed, "cannot move \(new) to \(data)")
    }
    let folder = open(directory, O_RDONLY | O_CLOEXEC)
    fsync(folder)
    close(folder)
  }

  private func launch(
    _ binaries: PostgresBinaries, _ account: ClusterAccount, _ socket: String, afterCrash: Bool
  ) throws {
    try write(configurationFile(socket), to: data + "/pushlift.conf", account)
    // What it says of earlier starts would only mislead.
    unlink(directory + "/start.log")
    let start = Date()
    // Processes of a crashed server can take a moment to notice, and keep a new one from starting until then.
    let deadline = ContinuousClock.now + (afterCrash ? .seconds(20) : .zero)
    while true {
      let status = try ChildProcess.run(
        account.command([
          binaries.pgCtl, "start", "-D", data, "-w", "-t", "\(max(1, patience.components.seconds))",
          "-s", "-l", directory + "/start.log",
        ]), environment: Self.childEnvironment, output: directory + "/pg_ctl.log")
      if status == 0 || Postmaster(data: data) != nil { return }
      guard ContinuousClock.now < deadline else { throw startFailure(since: start) }
      usleep(100_000)
    }
  }

  /// - Parameter start: logs that were written last before it have nothing to say.
  private func startFailure(since start: Date = .distantPast) -> PrivateClusterError {
    let logs = (try? FileManager.default.contentsOfDirectory(atPath: data + "/log")) ?? []
    let files =
      [directory + "/start.log"]
      + logs.sorted().map { data + "/log/" + $0 }.filter { (Self.modified($0) ?? .distantPast) >= start }
    let lines = files.map(Self.tail).filter { !$0.isEmpty }.joined(separator: "\n")
    return PrivateClusterError(.startFailed, "Postgres did not start in \(data):\n\(lines)")
  }

  private func makeDatabase(_ server: ConnectionConfiguration) throws {
    let connection = try Connection(server)
    let name = "pushlift"
    let exists = try connection.value(
      of: "select exists (select from pg_database where datname = \(name))", as: Bool.self)
    guard !exists else { return }
    do {
      try connection.execute("create database \(identifier: name) template template0")
    } catch {
      // The session of a pushlift that was killed while it waited for the same may just have made it.
      guard error.sqlState == "23505" || error.sqlState == "42P04" else { throw error }
    }
  }

  /// No variable of Postgres' clients and servers reaches the programs.
  private static let childEnvironment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"]

  private static func modified(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  private static func tail(of path: String) -> String {
    let text = FileManager.default.contents(atPath: path).map {
      String(decoding: $0.suffix(8_000), as: UTF8.self)
    }
    return (text ?? "").split(separator: "\n").suffix(10).joined(separator: "\n")
  }
}

extension PrivateCluster {
  /// An eighth of the memory, from 128 MiB to 1 GiB: rows go to random places of the indexes of events and units, which should
  /// not have to be read back for them.
  private static var sharedBuffers: String { "\(min(1_024, max(128, (memory / 8) >> 20)))MB" }

  /// What the machine has, in bytes, or the container that this runs in.
  private static var memory: UInt64 {
    let machine = ProcessInfo.processInfo.physicalMemory
    // A number and a line's end, or "max".
    let limit = FileManager.default.contents(atPath: "/sys/fs/cgroup/memory.max").flatMap {
      UInt64(String(decoding: $0, as: UTF8.self).prefix { $0.isNumber })
    }
    return min(machine, limit ?? machine)
  }

  /// The server's settings. `fsync` and `synchronous_commit` stay on, as they are by default: an event that was acknowledged is on disk.
  private func configurationFile(_ socket: String) -> String {
    var all = [
      "listen_addresses": "", "unix_socket_directories": socket, "unix_socket_permissions": "0700",
      "port": "5432",
      "max_connections": "100", "shared_buffers": Self.sharedBuffers, "timezone": "UTC",
      "log_timezone": "UTC", "jit": "off",
      // Event ids are random, so that after a checkpoint nearly each row logs a page of its index as a whole.
      "max_wal_size": "4GB", "checkpoint_timeout": "15min", "wal_compression": "lz4",
      // Seven files, one a weekday, each overwritten when its day comes round.
      "logging_collector": "on", "log_directory": "log", "log_filename": "postgres-%a.log",
      "log_rotation_age": "1d",
      "log_rotation_size": "0", "log_truncate_on_rotation": "on",
      // No data of events in the log: errors go to the session that made them, statements and values nowhere.
      "log_min_messages": "log", "log_error_verbosity": "terse", "log_min_error_statement": "panic",
      "log_parameter_max_length": "0", "log_parameter_max_length_on_error": "0", "log_checkpoints": "off",
    ]
    all.merge(settings) { _, given in given }
    return all.sorted { $0.key < $1.key }
      .map { "\($0.key) = '\($0.value.replacing("\\", with: "\\\\").replacing("'", with: "''"))'\n" }
      .joined()
  }
}
