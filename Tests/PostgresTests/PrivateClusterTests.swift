import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import EventStore

/// A private cluster's whole life, in folders of its own. Two instances in one process hold their locks apart, as two processes do.
@Suite struct PrivateClusterTests {
  static let environment = ProcessInfo.processInfo.environment

  /// Lends a folder that does not exist yet; whatever still runs there is stopped, and the folder removed.
  func withDirectory(_ suffix: String = "", _ body: (String) throws -> Void) throws {
    let root = "\(TestCluster.parent)/pushlift-cluster-\(UInt64.random(in: 0...(.max)))"
    let directory = root + suffix
    defer {
      Postmaster(data: directory + "/postgres").map { _ = kill($0.processID, SIGQUIT) }
      try? FileManager.default.removeItem(atPath: root)
    }
    try body(directory)
  }

  func makeCluster(_ directory: String) -> PrivateCluster {
    PrivateCluster(directory: directory, settings: ["fsync": "off"], environment: Self.environment)
  }

  func isRunning(_ directory: String) -> Bool { Postmaster(data: directory + "/postgres") != nil }

  @Test func aClusterIsJoinedAndTheLastOneOutStopsIt() throws {
    try withDirectory { directory in
      let first = makeCluster(directory)
      let second = makeCluster(directory)
      let way = try first.start()
      #expect(way.database == "pushlift")
      #expect(try first.start() == way)
      let process = try #require(Postmaster(data: directory + "/postgres")?.processID)
      #expect(getsid(process) != getsid(0), "Ctrl-C would reach the server")
      #expect(try second.start() == way)
      #expect(Postmaster(data: directory + "/postgres")?.processID == process)

      try first.stop()
      #expect(isRunning(directory))
      #expect(try Connection(way).value(of: "select 1", as: Int.self) == 1)
      try second.stop()
      #expect(!isRunning(directory))
      #expect(!FileManager.default.fileExists(atPath: directory + "/postgres/postmaster.pid"))
      try second.stop()

      #expect(try first.start() == way)
      try first.stop()
    }
  }

  /// Whose server is not recognised is taken for dead: its pid file would go, and it would never be stopped.
  @Test func aClusterIsTheSameByWhateverPath() throws {
    try withDirectory("/real") { directory in
      let first = makeCluster(directory)
      _ = try first.start()
      let process = try #require(Postmaster(data: directory + "/postgres")?.processID)
      let link = String(directory.dropLast("/real".count)) + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory)
      for path in [link, directory.replacing("/real", with: "//./real/")] {
        #expect(Postmaster(data: path + "/postgres")?.processID == process)
      }
      let second = makeCluster(link)
      _ = try second.start()
      try first.stop()
      #expect(isRunning(directory))
      try second.stop()
      #expect(!isRunning(directory))
    }
  }

  @Test func theServerIsPrivateDurableAndDiscreet() throws {
    try withDirectory { directory in
      let cluster = PrivateCluster(directory: directory, environment: Self.environment)
      let connection = try Connection(try cluster.start())
      func setting(_ name: String) throws -> String {
        try connection.value(of: "select current_setting(\(name))")
      }
      #expect(try setting("listen_addresses") == "")
      #expect(try setting("fsync") == "on")
      #expect(try setting("synchronous_commit") == "on")
      #expect(try setting("data_checksums") == "on")
      #expect(try setting("server_encoding") == "UTF8")
      #expect(try setting("TimeZone") == "UTC")
      #expect(FileStatus(path: directory)?.isPrivate == true)

      try connection.script("create table t (a text unique); insert into t values ('hunter2');")
      for text in ["insert into t values ('hunter2')", "select 'hunter2'::int", "hunter2"] {
        #expect(throws: PostgresError.self) { try connection.script(text) }
      }
      #expect(throws: PostgresError.self) { try connection.execute("select \("hunter2")::text::int") }
      try cluster.stop()
      let logs = try FileManager.default.contentsOfDirectory(atPath: directory + "/postgres/log")
      let log = logs.compactMap { FileManager.default.contents(atPath: directory + "/postgres/log/" + $0) }
        .map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(log.contains("shutting down"))
      #expect(!log.contains("hunter2"))
    }
  }

  @Test func aKilledServerRecoversWithAllThatWasCommitted() throws {
    try withDirectory { directory in
      let cluster = makeCluster(directory)
      let way = try cluster.start()
      try Connection(way).script("create table t (a bigint); insert into t values (7);")
      let killed = try #require(Postmaster(data: directory + "/postgres"))
      kill(killed.processID, SIGKILL)
      poll(upTo: .seconds(10), "the server is dead") { !isRunning(directory) }

      let next = makeCluster(directory)
      #expect(try Connection(next.start()).value(of: "select a from t", as: Int.self) == 7)
      try next.stop()
      try cluster.stop()
      #expect(!isRunning(directory))

      // The number of a dead server may belong to any other process by now, such as this one.
      let stale = directory + "/postgres/postmaster.pid"
      try "\(getpid())\n\(directory)/postgres\n".write(toFile: stale, atomically: false, encoding: .utf8)
      #expect(try Connection(next.start()).value(of: "select a from t", as: Int.self) == 7)
      try next.stop()
    }
  }

  @Test func aServerThatIsOnItsWayDownIsWaitedForAndStartedAgain() throws {
    try withDirectory { directory in
      let cluster = makeCluster(directory)
      let way = try cluster.start()
      let leaving = try #require(Postmaster(data: directory + "/postgres")?.processID)
      var session: Connection? = try Connection(way)
      // It lets nobody in, and waits for those who are there.
      kill(leaving, SIGTERM)
      poll(upTo: .seconds(10), "it lets nobody in") { (try? Connection(way)) == nil }
      let next = makeCluster(directory)
      let joining = BackgroundWork { try next.start() }
      poll(upTo: .seconds(10), "the next one has the lock") {
        (try? FileLock(path: directory + "/cluster.lock").tryLock(.exclusive)) == false
      }
      #expect(try session?.value(of: "select 1", as: Int.self) == 1)
      session = nil
      #expect(try joining.value() == way)
      #expect(Postmaster(data: directory + "/postgres")?.processID != leaving)
      try next.stop()
      try cluster.stop()
      #expect(!isRunning(directory))
    }
  }

  @Test func aServerWhoseUserWasKilledIsJoinedAndStopped() throws {
    try withDirectory { directory in
      // Letting go of an instance without stopping it gives up its locks, as death does.
      let way = try makeCluster(directory).start()
      #expect(isRunning(directory))
      let next = makeCluster(directory)
      #expect(try next.start() == way)
      try next.stop()
      #expect(!isRunning(directory))

      _ = try makeCluster(directory).start()
      try makeCluster(directory).stopIfUnused()
      #expect(!isRunning(directory))
    }
  }

  @Test func manyAtOnceStartOneServer() throws {
    try withDirectory { directory in
      let clusters = (0..<4).map { _ in makeCluster(directory) }
      let ways = Mutex<[ConnectionConfiguration?]>([])
      DispatchQueue.concurrentPerform(iterations: clusters.count) { index in
        let way = try? clusters[index].start()
        ways.withLock { $0.append(way) }
      }
      let found = ways.withLock { $0 }
      #expect(found.count == clusters.count)
      #expect(Set(found).count == 1)
      #expect(found[0] != nil)
      for cluster in clusters {
        #expect(isRunning(directory))
        try cluster.stop()
      }
      #expect(!isRunning(directory))
    }
  }

  @Test func aHalfMadeClusterIsMadeAnew() throws {
    try withDirectory { directory in
      let halfMade = directory + "/postgres.new.1"
      try FileManager.default.createDirectory(atPath: halfMade, withIntermediateDirectories: true)
      try "15\n".write(toFile: halfMade + "/PG_VERSION", atomically: false, encoding: .utf8)
      _ = FileManager.default.createFile(atPath: directory + "/cluster.lock", contents: nil)
      for path in [directory, halfMade] { try ClusterAccount(directory: "/").adopt(path) }
      chmod(directory, 0o700)
      let cluster = makeCluster(directory)
      #expect(try Connection(cluster.start()).value(of: "select 1", as: Int.self) == 1)
      try cluster.stop()
      #expect(!FileManager.default.fileExists(atPath: halfMade))
    }
  }

  @Test func aLongPathGetsAShortSocket() throws {
    try withDirectory("/" + String(repeating: "long/", count: 30) + "end") { directory in
      let cluster = makeCluster(directory)
      let way = try cluster.start()
      let socket = try #require(way.host)
      defer { try? FileManager.default.removeItem(atPath: socket) }
      #expect(socket.hasPrefix("/tmp/pushlift-"))
      #expect(FileStatus(path: socket)?.isPrivate == true)
      let second = makeCluster(directory)
      #expect(try second.start() == way)
      #expect(try Connection(way).value(of: "select 1", as: Int.self) == 1)
      try second.stop()
      try cluster.stop()
    }
  }

  @Test func aFolderOfOtherThingsIsLeftAlone() throws {
    try withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: directory + "/letter.txt", contents: nil)
      let error = #expect(throws: PrivateClusterError.self) { try makeCluster(directory).start() }
      #expect(error?.code == .foreignFolder)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["letter.txt"])
    }
  }

  @Test func withoutBinariesTheErrorNamesWhatToDo() throws {
    try withDirectory { directory in
      let cluster = PrivateCluster(directory: directory, environment: ["PUSHLIFT_PG_BINDIR": "/nonexistent"])
      let error = #expect(throws: PrivateClusterError.self) { try cluster.start() }
      #expect(error?.code == .binariesMissing)
      #expect(error?.message.contains("/nonexistent") == true)
      #expect(error?.message.contains("apt-get install postgresql") == true)
    }
  }

  @Test func aBrokenConfigurationShowsTheLog() throws {
    try withDirectory { directory in
      let cluster = PrivateCluster(
        directory: directory, settings: ["fsync": "off", "shared_buffers": "nonsense"],
        environment: Self.environment)
      let error = #expect(throws: PrivateClusterError.self) { try cluster.start() }
      #expect(error?.code == .startFailed)
      #expect(error?.message.contains("nonsense") == true)
      let mended = makeCluster(directory)
      #expect(throws: Never.self) { try mended.start() }
      try mended.stop()
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func aFolderThatPostgresCannotReachIsRefusedByName() throws {
    try withDirectory("/closed/data") { directory in
      let closed = String(directory.dropLast(5))
      try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
      chmod(closed, 0o700)
      let error = #expect(throws: PrivateClusterError.self) { try makeCluster(directory).start() }
      #expect(error?.code == .unreachable)
      #expect(error?.message.hasPrefix(closed + " is closed") == true)
      #expect(error?.message.contains("--data /var/lib/pushlift") == true)
      #expect(PrivateCluster.defaultDirectory(environment: ["XDG_DATA_HOME": closed]) == "/var/lib/pushlift")
      #expect(PrivateCluster.defaultDirectory(environment: ["XDG_DATA_HOME": "/srv"]) == "/srv/pushlift")
    }
  }
}
