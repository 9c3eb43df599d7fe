package import Postgres
internal import Synchronization
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// pushlift's own Postgres, for when no database is named: made on first use, shared by all pushlift processes of its folder, reached by
/// a Unix socket only, and stopped by the last process that leaves.
///
/// Every process holds a shared lock on `users.lock` while it uses the cluster, and decides about starting and stopping under an exclusive
/// lock on `cluster.lock`. Both end with the process, however it dies; a server that was left running is joined by the next process.
package final class PrivateCluster: Sendable {
  /// The folder that holds the data, the locks and the logs.
  package let directory: String
  let settings: [String: String]
  let environment: [String: String]
  /// How long a server is waited for that does not answer.
  let patience: Duration
  private let use = Mutex(Use())

  private struct Use: ~Copyable {
    var lock: FileLock?
    var configuration: ConnectionConfiguration?
  }

  /// - Parameters:
  ///   - directory: an absolute path; made if need be, readable by nobody else.
  ///   - settings: further settings of the server, as `postgresql.conf` has them; they take effect when it is next started.
  ///   - environment: where `PUSHLIFT_PG_BINDIR` and `PATH` are looked up.
  ///   - patience: how long a server is waited for that does not answer.
  package init(
    directory: String, settings: [String: String] = [:], environment: [String: String] = [:],
    patience: Duration = .seconds(60)
  ) {
    self.patience = patience
    var path = directory[...]
    while path.count > 1 && path.hasSuffix("/") { path = path.dropLast() }
    self.directory = String(path)
    self.settings = settings
    self.environment = environment
  }

  /// Starts the cluster, or joins it where it runs, and gives the way to its database `pushlift`.
  ///
  /// The session's user is the superuser `postgres`. Calling it again gives the same answer.
  ///
  /// - Throws: `PrivateClusterError`, which names the remedy; `PostgresError` if the database cannot be made.
  package func start() throws -> ConnectionConfiguration {
    try use.withLock { use in
      if let configuration = use.configuration { return configuration }
      let account = try prepareDirectory()
      let clusterLock = try lockCluster()
      let usersLock = try FileLock(path: directory + "/users.lock")
      try usersLock.lock(.shared, waitingUpTo: .seconds(5))
      do {
        use.configuration = try startOrJoin(account)
      } catch {
        // One that recovers would begin from the start again, and never come to the end.
        let isUnanswered = (error as? PrivateClusterError)?.code == .unanswered
        if !isUnanswered, usersLock.tryLock(.exclusive) {
          try? Postmaster(data: data)?.stop(data: data, patience: .seconds(60))
        }
        throw error
      }
      use.lock = consume usersLock
      clusterLock.unlock()
      return use.configuration!
    }
  }

  /// Starts the server again where it has gone down while this process uses it.
  ///
  /// - Returns: whether this process started it; false where it runs, or `start` was not called.
  /// - Throws: as `start`; also where the data are gone, which are never made anew under a process that has used them.
  package func revive() throws -> Bool {
    try use.withLock { use in
      guard use.configuration != nil, Postmaster(data: data) == nil else { return false }
      let clusterLock = try lockCluster()
      // Another process may have been faster.
      guard Postmaster(data: data) == nil else { return false }
      guard Self.hasData(directory: directory) else {
        throw PrivateClusterError(.unreachable, "the data in \(data) are gone: bring them back from a backup")
      }
      _ = try startOrJoin(try ClusterAccount(directory: directory))
      clusterLock.unlock()
      return true
    }
  }

  /// Leaves the cluster, and stops the server if no other process uses it; does nothing if `start` was not called.
  ///
  /// - Throws: `PrivateClusterError` where the server does not stop within about a minute.
  package func stop() throws {
    try use.withLock { use in
      guard let usersLock = use.lock.take() else { return }
      use.configuration = nil
      usersLock.unlock()
      try stopIfUnused()
    }
  }

  /// Stops a server that all its processes have left without stopping it, since they were killed.
  package func stopIfUnused() throws {
    let clusterLock = try lockCluster()
    // Nobody joins while the cluster is locked: whoever gets this lock is alone.
    let usersLock = try FileLock(path: directory + "/users.lock")
    guard usersLock.tryLock(.exclusive) else { return }
    try Postmaster(data: data)?.stop(data: data, patience: .seconds(60))
    clusterLock.unlock()
  }

  /// Whether a cluster was made in this folder, as far as this process may see.
  package static func hasData(directory: String) -> Bool {
    if FileStatus(path: directory + "/postgres/PG_VERSION") != nil { return true }
    // In a folder that is closed to this user there may be one; whoever starts it is told better what is wrong.
    return access(directory, F_OK) == 0 && access(directory, R_OK | X_OK) != 0
  }

  /// Where Postgres keeps its data.
  var data: String { directory + "/postgres" }

  /// As long as the slowest start or stop that another process may be in.
  private func lockCluster() throws -> FileLock {
    let lock = try FileLock(path: directory + "/cluster.lock")
    try lock.lock(.exclusive, waitingUpTo: .seconds(150))
    return lock
  }
}
