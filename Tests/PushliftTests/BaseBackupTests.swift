import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

/// A base backup and the archived WAL are the store again, on another machine, at the end or at a moment before.
@Suite struct BaseBackupTests {
  /// What a store says at a position.
  private struct Reading {
    let position: Int64
    let report: String

    init(_ sandbox: Sandbox) throws {
      try sandbox.succeed("aggregate")
      let report = try sandbox.succeed("rates", "--format", "json")
      position = try #require(Int64(report.firstMatch(of: /"position" : (\d+)/)?.1 ?? ""))
      self.report = try Self.report(sandbox, asOf: position)
    }

    static func report(_ sandbox: Sandbox, asOf position: Int64) throws -> String {
      try sandbox.succeed("rates", "--as-of", String(position), "--format", "json")
    }

    func isRepeated(by copy: Sandbox) throws -> Bool { try Self.report(copy, asOf: position) == report }
  }

  private func lastPosition(_ database: ConnectionConfiguration) throws -> Int64 {
    try Connection(database).value(of: "select max(position) from pushlift.event")
  }

  @Test(.timeLimit(.minutes(3))) func aBaseBackupWithItsWALIsTheStoreAgain() throws {
    let place = try BackupPlace()
    let sandbox = try Sandbox(database: place.database)
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 4_000, until: Day.text(daysAgo: 1))
    let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
    let load = PostingLoad(events, to: try server.client(), key: key, each: 5)
    poll(upTo: .seconds(60), "some events are stored") { load.count > 200 }
    let before = load.count
    try place.takeBaseBackup(sandbox)
    #expect(load.count > before, "nothing was stored during the backup")
    #expect(load.finish().count == events.count)
    let first = try Reading(sandbox)
    let moment: String = try Connection(place.database).value(of: "select clock_timestamp()::text")
    try sandbox.importSimulated(notifications: 200, seed: 2)
    let last = try Reading(sandbox)
    let end = try lastPosition(place.database)
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
    try place.lose()

    for (name, target, readings, seed) in [
      ("end", nil, [first, last], 3), ("moment", moment, [first], 4),
    ] {
      let database = try place.restore(name, to: target)
      let copy = try Sandbox(database: database)
      for reading in readings { #expect(try reading.isRepeated(by: copy), "\(name)") }
      #expect(try copy.run("verify").status == 0)
      let restored = try lastPosition(database)
      #expect(target == nil ? restored == end : restored < end)
      try copy.importSimulated(notifications: 100, seed: seed)
      let added: Int64 = try Connection(database).value(
        of: "select count(*) from pushlift.event where position > \(restored)")
      #expect(added > 100, "positions go on")
      try copy.succeed("aggregate")
      #expect(try first.isRepeated(by: copy))
      #expect(try copy.run("verify").status == 0)
    }
  }
}

/// A Postgres that archives its WAL, a backup of it, and those made from that.
private final class BackupPlace {
  private let folder = "\(TestCluster.parent)/pushlift-backup-\(getpid())"
  private let source: PrivateCluster
  private var copies: [PrivateCluster] = []
  let database: ConnectionConfiguration

  init() throws {
    try? FileManager.default.removeItem(atPath: folder)
    // Postgres may run as another user, which has to pass here and to write its WAL.
    for path in ["", "/wal"] {
      try FileManager.default.createDirectory(atPath: folder + path, withIntermediateDirectories: true)
      chmod(folder + path, path.isEmpty ? 0o755 : 0o777)
    }
    source = PrivateCluster(
      directory: folder + "/source",
      settings: [
        "fsync": "off", "archive_mode": "on",
        "archive_command": "test ! -f \(folder)/wal/%f && cp %p \(folder)/wal/%f",
      ], environment: ProcessInfo.processInfo.environment)
    database = try source.start()
  }

  deinit {
    for cluster in copies + [source] { try? cluster.stop() }
    try? FileManager.default.removeItem(atPath: folder)
  }

  func takeBaseBackup(_ sandbox: Sandbox) throws {
    let output = try sandbox.shell(
      "pg_basebackup --checkpoint=fast --host='\(folder)/source' --username=postgres --pgdata='\(folder)/base'"
    )
    try #require(output.status == 0, "\(output.err)")
  }

  /// Archives what is written and removes the machine.
  func lose() throws {
    let connection = try Connection(database)
    let file: String = try connection.value(of: "select pg_walfile_name(pg_switch_wal())")
    poll(upTo: .seconds(60), "the last WAL is archived") {
      FileManager.default.fileExists(atPath: "\(folder)/wal/\(file)")
        && (try? connection.value(
          of: "select last_archived_wal >= \(file) from pg_stat_archiver", as: Bool.self))
          == true
    }
    try source.stop()
    try FileManager.default.removeItem(atPath: folder + "/source")
  }

  /// As the README says it.
  ///
  /// - Parameter target: a time; nil for the end of the WAL.
  func restore(_ name: String, to target: String?) throws -> ConnectionConfiguration {
    let directory = "\(folder)/\(name)"
    let settings = """
      restore_command = 'cp \(folder)/wal/%f %p'
      hot_standby = off
      archive_mode = off
      \(target.map { "recovery_target_time = '\($0)'\nrecovery_target_action = promote" } ?? "")
      """
    let script = """
      set -e
      mkdir -m 700 '\(directory)'
      cp -a '\(folder)/base' '\(directory)/postgres'
      echo "$1" >> '\(directory)/postgres/postgresql.auto.conf'
      touch '\(directory)/postgres/recovery.signal' '\(directory)/cluster.lock'
      if [ $(id -u) = 0 ]; then chown -R postgres: '\(directory)'; fi
      """
    let shell = try Child(in: folder, "/bin/sh", ["-c", script, "sh", settings], ["PATH": "/usr/bin:/bin"])
    let output = try shell.output(within: .seconds(60))
    try #require(output.status == 0, "\(output.err)")
    let cluster = PrivateCluster(
      directory: directory, settings: ["fsync": "off"], environment: ProcessInfo.processInfo.environment)
    copies.append(cluster)
    return try cluster.start()
  }
}
