import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Schema

@Suite(.database)
struct MigratorTests {
  /// The migrations of the product and one more.
  private func withOneMore(_ name: String, _ sql: String) -> [Migration] {
    Migration.all + [Migration((Migration.all.last?.version ?? 0) + 1, name, Array(sql.utf8))]
  }

  @Test func eachMigrationAppliesOnceInOrder() throws {
    let connection = try Connection(TestDatabase.current)
    #expect(try Migrator().run(on: connection) == Migration.all.map(\.name))
    #expect(try Migrator().run(on: connection) == [])
    let ledger = try connection.query(
      "select name from pushlift.schema_migration order by applied_at, version"
    ).map { row in try row.value(0, as: String.self) }
    #expect(ledger == Migration.all.map(\.name))
  }

  @Test func aChangedFileIsNamed() throws {
    let connection = try Connection(TestDatabase.current)
    _ = try Migrator().run(on: connection)
    var changed = Migration.all
    changed[3] = Migration(4, changed[3].name, Array((changed[3].sql + "\n").utf8))
    let error = #expect(throws: StoreError.self) { try Migrator(changed).run(on: connection) }
    #expect(error?.code == .schema)
    #expect(error?.message.contains("V004_event.sql") == true)
  }

  @Test func aFailingMigrationLeavesNothing() throws {
    let connection = try Connection(TestDatabase.current)
    let failing = withOneMore("V999_bad.sql", "create table left_over (); select 1 / 0;")
    let error = #expect(throws: StoreError.self) { try Migrator(failing).run(on: connection) }
    #expect(error?.code == .schema)
    #expect(error?.message.contains("V999_bad.sql") == true)
    #expect(try connection.value(of: "select to_regclass('pushlift.left_over') is null"))
    // Those before it stand, and a corrected one applies.
    let mended = withOneMore("V999_good.sql", "create table left_over ();")
    #expect(try Migrator(mended).run(on: connection) == ["V999_good.sql"])
    let owner = try connection.value(
      of: "select tableowner from pg_tables where tablename = 'left_over'", as: String.self)
    #expect(owner == "pushlift_owner")
  }

  @Test func aDatabaseAheadOfTheBinaryIsRefused() throws {
    let connection = try Connection(TestDatabase.current)
    _ = try Migrator(withOneMore("V999_later.sql", "select 1;")).run(on: connection)
    let error = #expect(throws: StoreError.self) { try Migrator().run(on: connection) }
    #expect(error?.code == .schema)
    #expect(error?.message.contains("V999_later.sql") == true)
  }

  @Test func theListHasEveryFileThatThereIs() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let schema = root.appending(path: "Schema")
    let files = try FileManager.default.contentsOfDirectory(atPath: schema.path)
      .filter { $0.hasPrefix("V") && $0.hasSuffix(".sql") }.sorted()
    #expect(Migration.all.map(\.name) == files)
    #expect(Migration.all.map(\.version) == Set(Migration.all.map(\.version)).sorted())
    for migration in Migration.all {
      let text = try String(contentsOf: schema.appending(path: migration.name), encoding: .utf8)
      #expect(migration.sql == text, "\(migration.name)")
      #expect(migration.name.hasPrefix("V" + String(migration.version + 1_000).dropFirst()))
    }
  }

  @Test func twoMigratorsFollowEachOther() throws {
    let database = try TestDatabase.current
    let runs = (0..<2).map { _ in Background { try Migrator().run(on: Connection(database)) } }
    let applied = try runs.map { try $0.value() }
    #expect(applied.map(\.count).sorted() == [0, Migration.all.count])
  }
}

/// Databases that have no room for what people write.
@Suite(.database) struct EncodingTests {
  @Test(arguments: ["LATIN1", "SQL_ASCII", "EUC_JP"]) func aStoreIsOnlyMadeInUTF8(encoding: String) throws {
    let server = try Connection(TestDatabase.current)
    let name = "encoded_\(UInt64.random(in: 0...(.max)))"
    try server.script("create database \(name) encoding '\(encoding)' locale 'C' template template0")
    defer { try? server.script("drop database \(name) with (force)") }
    let connection = try Connection(TestDatabase.current.with(database: name))
    let error = #expect(throws: StoreError.self) { try Migrator().run(on: connection) }
    #expect(error?.code == .schema)
    #expect(error?.message == "The database's encoding is \(encoding), and a store needs UTF8.")
    #expect(error?.remedy?.contains("create database") == true)
    #expect(try connection.value(of: "select to_regnamespace('pushlift') is null"))
  }

  /// Which a former release has made: bytes were counted for characters, and it went.
  @Test func aStoreInASCIIIsBroughtUpToDate() throws {
    let server = try Connection(TestDatabase.current)
    let name = "encoded_\(UInt64.random(in: 0...(.max)))"
    try server.script("create database \(name) encoding 'SQL_ASCII' locale 'C' template template0")
    defer { try? server.script("drop database \(name) with (force)") }
    let connection = try Connection(TestDatabase.current.with(database: name))
    for migration in Migration.all.prefix(1) { try connection.script("begin; \(migration.sql); commit") }
    try connection.execute(
      """
      insert into pushlift.schema_migration (version, name, checksum)
      values (\(Int32(Migration.all[0].version)), \(Migration.all[0].name), \(Migration.all[0].checksum))
      """)
    #expect(try Migrator().run(on: connection) == Migration.all.dropFirst().map(\.name))
  }
}
