package import Postgres
internal import Synchronization

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
  private let use = Mutex(Use())

  private struct Use: ~Copyable {
    var lock: FileLock?
    var configuration: ConnectionConfiguration?
  }

  /// - Parameters:
  ///   - directory: an absolute path; made if need be, readable by nobody else.
  ///   - settings: further settings of the server, as `postgresql.conf` has them; they take effect when it is next started.
  ///   - environment: where `PUSHLIFT_PG_BINDIR` and `PATH` are looked up.
  package init(directory: String, settings: [String: String] = [:], environment: [String: String] = [:]) {
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
        if usersLock.tryLock(.exclusive) {
          try? Postmaster(data: data)?.stop(data: data, patience: .seconds(60))
        }
        throw error
      }
      use.lock = consume usersLock
      clusterLock.unlock()
      return use.configuration!
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

  /// Where Postgres keeps its data.
  var data: String { directory + "/postgres" }

  /// As long as the slowest start or stop that another process may be in.
  private func lockCluster() throws -> FileLock {
    let lock = try FileLock(path: directory + "/cluster.lock")
    try lock.lock(.exclusive, waitingUpTo: .seconds(150))
    return lock
  }
}
