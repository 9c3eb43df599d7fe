#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension PrivateCluster {
  /// Where a private cluster lies unless told: `$XDG_DATA_HOME/pushlift` or `~/.local/share/pushlift`; `/var/lib/pushlift` for root, where
  /// the home is closed to the user that Postgres runs as.
  package static func defaultDirectory(environment: [String: String]) -> String {
    // Services have no HOME, and mean the same store.
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? accountsHome ?? "/"
    let named = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let usual = (named ?? home + "/.local/share") + "/pushlift"
    guard geteuid() == 0, let account = ClusterAccount.postgres else { return usual }
    return account.obstacle(onTheWayTo: usual) == nil ? usual : "/var/lib/pushlift"
  }

  /// The home of this process's user, as the system knows it.
  private static var accountsHome: String? {
    guard let folder = getpwuid(geteuid())?.pointee.pw_dir else { return nil }
    let path = String(cString: folder)
    return path.hasPrefix("/") ? path : nil
  }

  /// Makes the folder, for its owner alone, or makes sure that it is pushlift's.
  func prepareDirectory() throws -> ClusterAccount {
    guard directory.hasPrefix("/") else {
      throw PrivateClusterError(.unreachable, "the data folder must be an absolute path, not \(directory)")
    }
    // pg_ctl hands the path to a shell, in double quotes; settings are a line each.
    if let character = directory.unicodeScalars.first(where: { "\"$`\n\r".unicodeScalars.contains($0) }) {
      throw PrivateClusterError(
        .unreachable,
        "Postgres's pg_ctl cannot take a folder with \(String(reflecting: String(character))) in its name, as in "
          + "\(String(reflecting: directory)): choose another with --data")
    }
    let account = try ClusterAccount(directory: directory)
    if let obstacle = account.obstacle(onTheWayTo: directory) {
      throw PrivateClusterError(
        .unreachable,
        "\(obstacle) is closed to the user \(account.name), which Postgres runs as: choose another folder, such as "
          + "--data /var/lib/pushlift")
    }
    try makeDirectory(account)
    guard let status = FileStatus(path: directory), status.isDirectory, status.owner == account.user else {
      throw PrivateClusterError(
        .unreachable,
        "\(directory) is no folder of the user \(account.name), which Postgres runs as: run pushlift as its owner, or "
          + "choose another with --data")
    }
    return account
  }

  /// Only a new or an empty folder is taken over; one with other things in it may be anything, `/tmp` for instance.
  private func makeDirectory(_ account: ClusterAccount) throws {
    let content = try? FileManager.default.contentsOfDirectory(atPath: directory)
    if let content, content.contains("cluster.lock") { return }
    guard content?.isEmpty ?? true else {
      throw PrivateClusterError(
        .foreignFolder,
        "\(directory) holds other things than pushlift's data: choose an empty or a new folder")
    }
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw PrivateClusterError(
        .unreachable, "cannot make the folder \(directory): choose another with --data")
    }
    try account.adopt(directory)
    chmod(directory, 0o700)
  }

  /// The folder of the Unix socket: the cluster's own, or a short one under `/tmp` where that path would be too long for a socket.
  ///
  /// The short folder's name is kept in the file `socket`, so that all processes find the same.
  func socketDirectory(_ account: ClusterAccount) throws -> String {
    let socketName = "/.s.PGSQL.5432"
    // 107 bytes on Linux, 103 on macOS.
    if directory.utf8.count + socketName.utf8.count <= 103 { return directory }
    let record = directory + "/socket"
    if let kept = FileManager.default.contents(atPath: record) {
      let path = String(decoding: kept, as: UTF8.self)
      // A copy has the original's file with it, and must not be taken to the original's server.
      let isOwn = (0..<100).contains { shortSocket($0) == path } || Postmaster(data: data) != nil
      if isOwn && isPrivate(path, to: account) { return path }
    }
    for attempt in 0..<100 {
      let path = shortSocket(attempt)
      if mkdir(path, 0o700) == 0 { try account.adopt(path) }
      guard isPrivate(path, to: account) else { continue }
      try write(path, to: record, account)
      return path
    }
    throw PrivateClusterError(
      .unreachable, "\(directory) is too long for a socket, and no short folder could be made under /tmp")
  }

  private func shortSocket(_ attempt: Int) -> String {
    "/tmp/pushlift-\(String(Self.hash("\(directory)#\(attempt)"), radix: 36))"
  }

  /// Somebody else may have put a folder or a link of that name under `/tmp`.
  private func isPrivate(_ path: String, to account: ClusterAccount) -> Bool {
    guard let status = FileStatus(path: path, followingLinks: false) else { return false }
    return status.isDirectory && status.isPrivate && status.owner == account.user
  }

  func write(_ text: String, to path: String, _ account: ClusterAccount) throws {
    func refuse() -> PrivateClusterError {
      PrivateClusterError(.system, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    // It is there whole or as it was.
    let part = path + ".part"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refuse() }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(written))
      }
      guard count >= 0 || errno == EINTR else { throw refuse() }
      written += max(count, 0)
    }
    try account.adopt(part)
    guard rename(part, path) == 0 else { throw refuse() }
  }

  /// FNV-1a of 64 bits: the same in every process.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
