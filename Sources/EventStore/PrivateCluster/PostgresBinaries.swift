#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The folder with Postgres' own programs.
struct PostgresBinaries {
  let directory: String

  var initdb: String { directory + "/initdb" }
  var pgCtl: String { directory + "/pg_ctl" }

  /// Looks in `$PUSHLIFT_PG_BINDIR` (and nowhere else, if that is set), then where `pg_config` says, then where Debian and Homebrew put
  /// the programs, the newest version first.
  ///
  /// - Parameter version: the major version that wrote the data; nil where there is none yet.
  static func find(version: String?, environment: [String: String]) throws(PrivateClusterError)
    -> PostgresBinaries
  {
    let candidates = candidates(environment)
    for candidate in candidates where candidate.isComplete {
      if version == nil || candidate.version == version { return candidate }
    }
    let tried = candidates.map(\.directory).joined(separator: ", ")
    let wanted = version.map { " of version \($0), which wrote the data" } ?? ""
    let package = version.map { "postgresql-\($0)" } ?? "postgresql"
    throw PrivateClusterError(
      .binariesMissing,
      "no Postgres\(wanted) found (looked in \(tried)): apt-get install \(package), or set PUSHLIFT_PG_BINDIR to the folder "
        + "with initdb and postgres, or name a running server with --database")
  }

  private static func candidates(_ environment: [String: String]) -> [PostgresBinaries] {
    if let named = environment["PUSHLIFT_PG_BINDIR"], !named.isEmpty {
      return [PostgresBinaries(directory: named)]
    }
    var directories = configuredDirectory(environment).map { [$0] } ?? []
    directories += versions(in: "/usr/lib/postgresql", prefix: "", suffix: "/bin")
    for homebrew in ["/opt/homebrew/opt", "/usr/local/opt"] {
      directories += versions(in: homebrew, prefix: "postgresql@", suffix: "/bin")
      directories.append(homebrew + "/postgresql/bin")
    }
    return directories.map { PostgresBinaries(directory: $0) }
  }

  /// What `pg_config --bindir` says. It comes with libpq alone, so that its folder need not hold a server.
  private static func configuredDirectory(_ environment: [String: String]) -> String? {
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    let programs = path.split(separator: ":").map { "\($0)/pg_config" }
    let program = programs.first { FileManager.default.isExecutableFile(atPath: $0) }
    return program.flatMap { firstLine(of: [$0, "--bindir"]) }
  }

  private static func versions(in folder: String, prefix: String, suffix: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name -> (number: Int, path: String)? in
      guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return nil }
      return (number, folder + "/" + name + suffix)
    }
    .sorted { $0.number > $1.number }
    .map(\.path)
  }

  private var isComplete: Bool {
    ["initdb", "postgres", "pg_ctl"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: directory + "/" + $0)
    }
  }

  /// The major version, as `PG_VERSION` in the data has it.
  private var version: String? {
    // "postgres (PostgreSQL) 15.4 (Debian …)"
    guard let line = Self.firstLine(of: [directory + "/postgres", "--version"]) else { return nil }
    let number = line.split(separator: " ").first { $0.first?.isNumber == true }
    return number.map { String($0.prefix { $0.isNumber }) }
  }

  private static func firstLine(of command: [String]) -> String? {
    let output = FileManager.default.temporaryDirectory.path + "/pushlift-\(UInt64.random(in: 0...(.max)))"
    defer { try? FileManager.default.removeItem(atPath: output) }
    guard (try? ChildProcess.run(command, environment: [:], output: output)) == 0 else { return nil }
    let text = FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) }
    return text?.split(separator: "\n").first.map(String.init)
  }
}
