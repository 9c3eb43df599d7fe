import Foundation
import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Folders that are moved, copied or oddly named, and servers that run without answering.
extension PrivateClusterTests {
  private func adopt(_ path: String) throws { try ClusterAccount(directory: "/").adopt(path) }

  private func processID(_ directory: String) -> pid_t? {
    Postmaster(data: directory + "/postgres")?.processID
  }

  /// Long reading of the log ends in the same state however often it is begun, if only it is let come to its end.
  @Test func aServerThatIsStillRecoveringIsLeftToIt() throws {
    try withDirectory { directory in
      let first = makeCluster(directory)
      _ = try first.start()
      try first.stop()
      let data = directory + "/postgres"
      let gate = directory + "/gate"
      _ = FileManager.default.createFile(atPath: data + "/recovery.signal", contents: nil)
      let settings = try FileHandle(forWritingTo: URL(fileURLWithPath: data + "/postgresql.auto.conf"))
      try settings.seekToEnd()
      // Only the first file is waited for: what is asked for after it is not there.
      try settings.write(
        contentsOf: Data("restore_command = 'while [ ! -e \(gate) ]; do sleep 0.1; done; false'\n".utf8))
      try settings.close()
      try adopt(data + "/recovery.signal")

      let impatient = PrivateCluster(
        directory: directory, settings: ["fsync": "off"], environment: Self.environment, patience: .seconds(1)
      )
      let error = #expect(throws: PrivateClusterError.self) { try impatient.start() }
      #expect(error?.code == .unanswered)
      #expect(
        error?.message.contains("the database system is starting up") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("try again later") == true)
      let recovering = try #require(processID(directory))
      #expect(throws: PrivateClusterError.self) { try impatient.start() }
      #expect(processID(directory) == recovering)

      _ = FileManager.default.createFile(atPath: gate, contents: nil)
      let patient = makeCluster(directory)
      #expect(try Connection(patient.start()).value(of: "select 1", as: Int.self) == 1)
      #expect(processID(directory) == recovering)
      try patient.stop()
      #expect(!isRunning(directory))
    }
  }

  @Test func aServerWithoutRoomForASessionIsNoServerThatDidNotStart() throws {
    try withDirectory { directory in
      let full = PrivateCluster(
        directory: directory, settings: ["fsync": "off", "max_connections": "4", "max_wal_senders": "0"],
        environment: Self.environment, patience: .seconds(1))
      let way = try full.start()
      let sessions = try (0..<4).map { _ in try HeldSession(way) }
      let error = #expect(throws: PrivateClusterError.self) {
        try PrivateCluster(directory: directory, environment: Self.environment, patience: .seconds(1)).start()
      }
      #expect(error?.code == .unanswered)
      #expect(error?.message.contains("too many clients") == true, "\(error?.message ?? "")")
      for session in sessions { #expect(try session.connection.value(of: "select 1", as: Int.self) == 1) }
      try full.stop()
    }
  }

  /// Who takes the server of a moved folder for dead removes its pid file, and starts another one on the same data.
  @Test func aFolderThatWasMovedStillHasItsServer() throws {
    try withDirectory("/old") { directory in
      let before = makeCluster(directory)
      _ = try before.start()
      let process = try #require(processID(directory))
      let moved = String(directory.dropLast("old".count)) + "new"
      #expect(rename(directory, moved) == 0)
      #expect(processID(moved) == process)
      let after = makeCluster(moved)
      #expect(try Connection(after.start()).value(of: "select 1", as: Int.self) == 1)
      #expect(processID(moved) == process)
      try after.stop()
      // The one before holds its lock in the moved folder.
      #expect(processID(moved) == process)
      #expect(throws: PrivateClusterError.self) { try before.stop() }
      try makeCluster(moved).stopIfUnused()
      #expect(processID(moved) == nil)
    }
  }

  /// With its pid file, its socket, the socket's lock and, where the path is long, the file that names the socket.
  @Test(arguments: ["", String(repeating: "long/", count: 30)])
  func aCopyOfARunningServersFolderIsAServerOfItsOwn(way: String) throws {
    try withDirectory("/\(way)original") { directory in
      let original = makeCluster(directory)
      let socket = try #require(try original.start().host)
      let copy = String(directory.dropLast("original".count)) + "copy"
      let copying = try Child(
        in: "/tmp", "/bin/cp", ["-a", directory, copy], [:])
      #expect(try copying.output(within: .seconds(60)).status == 0)
      #expect(FileManager.default.fileExists(atPath: copy + "/postgres/postmaster.pid"))
      let other = makeCluster(copy)
      let otherSocket = try #require(try other.start().host)
      #expect(otherSocket != socket)
      #expect(processID(copy) != processID(directory))
      try other.stop()
      #expect(isRunning(directory) && !isRunning(copy))
      try original.stop()
      for path in [socket, otherSocket] where path.hasPrefix("/tmp/pushlift-") {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }

  @Test(arguments: ["b c", "b'c", "b\\c", "b%c", "bü😀", "-D"])
  func aFolderMayHaveAnyName(name: String) throws {
    try withDirectory("/" + name) { directory in
      let cluster = makeCluster(directory)
      #expect(try Connection(cluster.start()).value(of: "select 1", as: Int.self) == 1)
      try cluster.stop()
    }
  }

  /// `pg_ctl` would let a shell read these.
  @Test(arguments: ["b\"c", "b$c", "b`c", "b\nc", "b\rc", "b\r\nc"])
  func butForWhatPostgresCannotTake(name: String) throws {
    try withDirectory("/" + name) { directory in
      let error = #expect(throws: PrivateClusterError.self) { try makeCluster(directory).start() }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("choose another with --data") == true)
      #expect(!FileManager.default.fileExists(atPath: directory))
    }
  }

  @Test func whatEarlierStartsSaidIsNotShown() throws {
    try withDirectory { directory in
      let cluster = makeCluster(directory)
      _ = try cluster.start()
      try cluster.stop()
      let old = directory + "/postgres/log/postgres-old.log"
      try "the fault of last week\n".write(toFile: old, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: old)
      let broken = PrivateCluster(
        directory: directory, settings: ["fsync": "off", "shared_buffers": "nonsense"],
        environment: Self.environment)
      let error = #expect(throws: PrivateClusterError.self) { try broken.start() }
      #expect(error?.message.contains("nonsense") == true)
      #expect(error?.message.contains("last week") == false)
    }
  }

  /// Whose pushlift was killed: it goes on writing, or takes away what it wrote.
  @Test func anInitdbThatOutlivedItsPushliftIsInNobodysWay() throws {
    try withDirectory { directory in
      let cluster = makeCluster(directory)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: directory + "/cluster.lock", contents: nil)
      try adopt(directory)
      chmod(directory, 0o700)
      let leftover = directory + "/postgres.new.1"
      try FileManager.default.createDirectory(atPath: leftover + "/base", withIntermediateDirectories: true)
      let line =
        "i=0; while :; do i=$((i + 1)); : > \"$0/base/$i\" || mkdir -p \"$0/base\"; done 2> /dev/null"
      let writing = try Child(in: "/tmp", "/bin/sh", ["-c", line, leftover], [:])
      poll(upTo: .seconds(20), "it writes") {
        FileManager.default.fileExists(atPath: leftover + "/base/5000")
      }
      #expect(try Connection(cluster.start()).value(of: "select 1", as: Int.self) == 1)
      try cluster.stop()
      writing.send(SIGKILL)
      poll(upTo: .seconds(10), "it is gone") { !writing.isRunning }
      let next = makeCluster(directory)
      _ = try next.start()
      try next.stop()
      #expect(!FileManager.default.fileExists(atPath: leftover))
    }
  }

  /// A statement goes on in the server where who sent it was killed.
  @Test func aDatabaseThatAKilledOneIsStillMakingIsTaken() throws {
    try withDirectory { directory in
      let first = makeCluster(directory)
      let server = try first.start().with(database: "postgres")
      let holder = try Connection(server)
      try holder.script("drop database pushlift")
      try holder.script("begin; lock table pg_database in share row exclusive mode")
      let killed = BackgroundWork {
        try Connection(server).script("create database pushlift template template0")
      }
      func waitForBlocked(_ count: Int) throws {
        let looking = try Connection(server)
        try poll(upTo: .seconds(20), "\(count) wait") {
          try looking.value(
            of:
              "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query ilike 'create database%'",
            as: Int.self) == count
        }
      }
      try waitForBlocked(1)
      let second = makeCluster(directory)
      let starting = BackgroundWork { try second.start() }
      try waitForBlocked(2)
      try holder.script("commit")
      #expect(try starting.value().database == "pushlift")
      // Both may go on at once, and now and then the second is the one that makes it.
      do {
        try killed.value()
      } catch let error as PostgresError {
        #expect(["23505", "42P04"].contains(error.sqlState))
      }
      try second.stop()
      try first.stop()
    }
  }

  @Test func whatCannotBeWrittenIsToldWithTheReason() throws {
    try withDirectory { directory in
      let cluster = makeCluster(directory)
      _ = try cluster.start()
      try cluster.stop()
      let file = directory + "/postgres/pushlift.conf"
      let before = try String(contentsOfFile: file, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: file + ".part", withDestinationPath: "/dev/full")
      let full = #expect(throws: PrivateClusterError.self) { try cluster.start() }
      #expect(full?.message == "cannot write \(file): No space left on device")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
      try FileManager.default.removeItem(atPath: file + ".part")
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      let folder = #expect(throws: PrivateClusterError.self) { try cluster.start() }
      #expect(folder?.message == "cannot write \(file): Is a directory")
      try FileManager.default.removeItem(atPath: file)
      _ = try cluster.start()
      try cluster.stop()
    }
  }

  /// Services have none; cron and a shell do.
  @Test func withoutAHomeTheStoreIsWhereItIsWithOne() throws {
    let home = try #require(getpwuid(geteuid())?.pointee.pw_dir).withMemoryRebound(
      to: CChar.self, capacity: 1
    ) {
      String(cString: $0)
    }
    let usual = PrivateCluster.defaultDirectory(environment: ["HOME": home])
    for environment in [[:], ["HOME": ""], ["HOME": "relative"]] {
      #expect(PrivateCluster.defaultDirectory(environment: environment) == usual)
    }
  }
}

/// One of several sessions that are open at a time.
private final class HeldSession {
  let connection: Connection

  init(_ way: ConnectionConfiguration) throws { connection = try Connection(way) }
}
