import Foundation
import Postgres
import TestSupport
import Testing

/// A copy of the store in another database says what the store said, and goes on from there.
@Suite(.store) struct RestoreTests {
  /// A sandbox of another database, made from a dump of this one.
  private func restore(_ sandbox: Sandbox, into name: String) throws -> Sandbox {
    try Connection(TestCluster.shared).execute("create database \(identifier: name) template template0")
    let copy = try Sandbox(database: try TestCluster.shared.with(database: name))
    let dump = try sandbox.shell("pg_dump --format=custom --file=store.dump \"$PUSHLIFT_DATABASE\"")
    try #require(dump.status == 0, "\(dump.err)")
    let restored = try copy.shell(
      "pg_restore --exit-on-error --dbname=\"$PUSHLIFT_DATABASE\" \(sandbox.folder)/store.dump")
    try #require(restored.status == 0, "\(restored.err)")
    return copy
  }

  @Test func aRestoredCopyGivesTheSameBytesAsOfAPosition() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 300)
    try sandbox.succeed("aggregate")
    let position = try #require(
      sandbox.succeed("rates", "--format", "json").firstMatch(of: /"position" : (\d+)/)
    ).1
    let report = { (store: Sandbox) in
      try store.succeed("rates", "--as-of", String(position), "--format", "json")
    }
    let expected = try report(sandbox)
    let name = "restored_\(UInt64.random(in: 0...(.max)))"
    defer {
      _ = try? Connection(TestCluster.shared).execute(
        "drop database if exists \(identifier: name) with (force)")
    }
    let copy = try restore(sandbox, into: name)
    #expect(try report(copy) == expected)
    #expect(try copy.run("verify").status == 0)

    // Both go on, each in its own way.
    for (store, seed) in [(sandbox, 2), (copy, 3)] {
      try store.importSimulated(notifications: 100, seed: seed)
      try store.succeed("aggregate")
      #expect(try report(store) == expected)
      #expect(try store.run("verify").status == 0)
    }
    let last = try Connection(TestCluster.shared.with(database: name)).query(
      "select min(position) > \(Int64(position)!), count(*) from pushlift.event where position > \(Int64(position)!)"
    ).map { row in (try row.value(0, as: Bool.self), try row.value(1, as: Int.self)) }[0]
    #expect(last.0 && last.1 > 100)
  }
}
