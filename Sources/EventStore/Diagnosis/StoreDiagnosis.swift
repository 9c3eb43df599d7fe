internal import EngagementEvents
internal import Foundation
internal import Postgres
internal import Schema

/// An examination of the store itself: server, schema, rights, secret, keys, disk.
package struct StoreDiagnosis: Sendable {
  private let opened: OpenedStore
  private let environment: [String: String]

  package init(_ opened: OpenedStore, environment: [String: String]) {
    self.opened = opened
    self.environment = environment
  }

  var store: EventStore { opened.store }

  /// - Returns: whether the schema is one that the rest can be asked of, and what was found.
  package func run() -> (isUsable: Bool, findings: [Finding]) {
    let schema = Finding.look(at: "schema", checkSchema)
    var findings = schema + Finding.look(at: "postgres", checkServer)
    guard !schema.contains(where: { $0.severity == .fault }) else { return (false, findings) }
    findings += Finding.look(at: "secret", checkSecret)
    findings += Finding.look(at: "rights", checkRights)
    findings += Finding.look(at: "partitions", checkPartitions)
    findings += Finding.look(at: "keys", checkKeys)
    if opened.isPrivate { findings += Finding.look(at: "disk", checkDisk) }
    return (true, findings)
  }

  private func checkSchema() throws -> [Finding] {
    let missing = try Migrator().pending(on: store.connectAsLogin())
    guard missing.isEmpty else {
      return [
        Finding(
          .fault, "schema",
          missing.count == 1
            ? "The migration \(missing[0].name) is not applied."
            : "\(missing.count) migrations are not applied, from \(missing[0].name) on.",
          remedy: "Run pushlift migrate.")
      ]
    }
    return [Finding(.ok, "schema", "It is the one that this pushlift knows.")]
  }

  private func checkPartitions() throws -> [Finding] {
    let connection = try store.connect(.asking)
    let last = try EventPartitions.lastDay(on: connection)
    let ahead =
      last.daysSince1970
      - (try connection.value(of: "select (now() at time zone 'UTC')::date", as: PostgresDate.self))
      .daysSince1970
    guard ahead < 14 else {
      return [Finding(.ok, "partitions", "There are some for the next \(ahead) days.")]
    }
    return [
      Finding(
        ahead < 1 ? .fault : .warning, "partitions",
        ahead < 1 ? "The log has none for today." : "The log has none beyond the next \(ahead) days.",
        remedy: "Run pushlift maintain every night; serve and aggregate make them, too.")
    ]
  }

  private func checkKeys() throws -> [Finding] {
    let connection = try store.connect(.asking)
    let now = Timestamp(try connection.value(of: "select now()", as: PostgresTimestamp.self))
    let keys = try ApiKeyRecord.all(on: connection).filter { $0.revokedAt == nil }
    let old = keys.filter { now.microseconds - $0.createdAt.microseconds > 366 * 86_400_000_000 }
    let findings = old.map { key in
      Finding(
        .warning, "keys", "The key \(key.id) of \(key.app) is from \(key.createdAt.rfc3339.prefix(10)).",
        remedy: "Make a new one with pushlift key create, and revoke this once no app uses it.")
    }
    return findings.isEmpty
      ? [Finding(.ok, "keys", "\(keys.count) valid, none over a year old.")] : findings
  }

  private func checkDisk() throws -> [Finding] {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: opened.dataFolder)
    guard let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value,
      let size = (attributes[.systemSize] as? NSNumber)?.int64Value, size > 0
    else { return [] }
    let message = "\(Self.gibibytes(free)) of \(Self.gibibytes(size)) are free in \(opened.dataFolder)."
    if free > size / 10 || free > 100 << 30 { return [Finding(.ok, "disk", message)] }
    return [
      Finding(
        free < 1 << 30 ? .fault : .warning, "disk", message,
        remedy: "Make room, or drop old events with pushlift maintain --keep-events: a full disk stores none."
      )
    ]
  }

  private static func gibibytes(_ bytes: Int64) -> String {
    let tenths = (bytes * 10) >> 30
    return "\(tenths / 10).\(tenths % 10) GiB"
  }
}

extension StoreDiagnosis {
  private func checkSecret() throws -> [Finding] {
    let kept = try store.connect(.asking).query("select hash from secret_check where name = 'device'")
      .map { row in try row.value(0, as: UUID128.self) }
    guard kept.isEmpty || kept == [store.secret.check] else {
      return [
        Finding(
          .fault, "secret",
          "It is not the one this store was filled with\(origin.map { "; \($0)" } ?? ""): every device counts as a new one.",
          remedy: "Bring the former one back from a backup: the file device-secret, or PUSHLIFT_SECRET.")
      ]
    }
    let path = opened.dataFolder + "/device-secret"
    guard let mode = fileAttributes?[.posixPermissions] as? NSNumber, mode.intValue & 0o077 != 0 else {
      return [Finding(.ok, "secret", "It fits the store\(origin.map { "; \($0)" } ?? "").")]
    }
    return [Finding(.warning, "secret", "Others can read \(path).", remedy: "chmod 600 \(path)")]
  }

  /// Nil where the environment holds the secret.
  private var fileAttributes: [FileAttributeKey: Any]? {
    guard environment["PUSHLIFT_SECRET"]?.isEmpty ?? true else { return nil }
    return try? FileManager.default.attributesOfItem(atPath: opened.dataFolder + "/device-secret")
  }

  /// Where the secret comes from, and since when.
  private var origin: String? {
    guard let attributes = fileAttributes else { return "it comes from PUSHLIFT_SECRET" }
    guard let date = attributes[.modificationDate] as? Date else { return nil }
    let written = Timestamp(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000)
    return "its file was written at \(written.rfc3339)"
  }
}

extension StoreDiagnosis {
  /// The version, and the settings on which it depends that an answered event is on disk.
  private func checkServer() throws -> [Finding] {
    let before = Timestamp.now
    let connection = try store.connectAsLogin()
    let facts = try connection.query(
      """
      select current_setting('server_version'), current_setting('server_version_num')::integer,
        current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean,
        (select setting from pg_settings where name = 'autovacuum')::boolean, pg_database_size(current_database()),
        (select age(datfrozenxid) from pg_database where datname = current_database()),
        (select count(*) from pg_stat_activity where backend_type = 'client backend'),
        current_setting('max_connections')::bigint, clock_timestamp()
      """
    ).map { row in
      ServerFacts(
        version: try row.value(0), number: try row.value(1), syncs: try row.value(2),
        writesFullPages: try row.value(3),
        vacuums: try row.value(4), bytes: try row.value(5), transactionAge: try row.value(6),
        connections: try row.value(7), maximumConnections: try row.value(8),
        clock: Timestamp(try row.value(9, as: PostgresTimestamp.self)))
    }[0]
    return facts.findings + [facts.clockFinding(between: before, and: .now)]
  }
}
