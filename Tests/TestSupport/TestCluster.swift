package import Postgres
internal import EventStore
internal import Foundation
internal import Synchronization

/// The one Postgres of a test process: a private cluster in a folder of its own, or the server that
/// `PUSHLIFT_TEST_DATABASE` names. It is started by the first test that asks, and removed when the process exits.
package enum TestCluster {
  /// The way to the server's maintenance database, as its superuser.
  ///
  /// - Throws: what kept the server from starting, to every test alike.
  package static var shared: ConnectionConfiguration {
    get throws { try outcome.get() }
  }

  private static let outcome = Swift.Result { try start() }
  private static let cluster = Mutex<PrivateCluster?>(nil)
  private static let prefix = "pushlift-test-"

  /// Where clusters of tests lie: in memory where there is room, since making databases is most of the tests' work on the disk.
  package static let parent: String = {
    var status = statvfs()
    let isRoomy =
      statvfs("/dev/shm", &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) > 4 << 30
    return isRoomy ? "/dev/shm" : "/tmp"
  }()

  private static func start() throws -> ConnectionConfiguration {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["PUSHLIFT_TEST_DATABASE"], !named.isEmpty {
      return try ConnectionConfiguration(named)
    }
    removeLeftovers()
    let directory = "\(parent)/\(prefix)\(getpid())"
    let settings = [
      // What a test writes need not outlive the machine's next crash.
      "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off",
      "max_connections": "300", "shared_buffers": "64MB",
    ]
    let started = PrivateCluster(directory: directory, settings: settings, environment: environment)
    cluster.withLock { $0 = started }
    atexit { TestCluster.remove() }
    return try started.start().with(database: "postgres")
  }

  private static func remove() {
    guard let cluster = cluster.withLock({ $0.take() }) else { return }
    try? cluster.stop()
    try? FileManager.default.removeItem(atPath: cluster.directory)
  }

  /// Removes the clusters of test processes that were killed.
  private static func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      let leftover = PrivateCluster(directory: parent + "/" + name)
      try? leftover.stopIfUnused()
      try? FileManager.default.removeItem(atPath: leftover.directory)
    }
  }
}
