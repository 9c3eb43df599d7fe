package import EventStore
package import Postgres
package import Testing

extension StoreSecret {
  /// The same in every test, so that hashes are.
  package static let test: StoreSecret = {
    do { return try StoreSecret(key: [UInt8](repeating: 7, count: StoreSecret.length)) } catch {
      preconditionFailure("32 bytes are a secret: \(error)")
    }
  }()
}

extension EventStore {
  /// A store with schema and partitions on the running test's database.
  package static func prepared() throws -> EventStore {
    let store = EventStore(database: try TestDatabase.current, secret: .test)
    _ = try store.prepare()
    return store
  }

  /// A connection of the login itself, which in tests is the superuser.
  package func connectAsSuperuser() throws -> Connection {
    try Connection(database.with(setting: "search_path", "pushlift").with(setting: "TimeZone", "UTC"))
  }

  /// An app of this name, made if it is new.
  package func app(_ name: String = "shop", zone: String = "UTC") throws -> App {
    try App.findOrCreate(name, zone: zone, on: connect(.administering))
  }

  /// Appends events in one transaction.
  @discardableResult
  package func append(_ samples: [EventSample], to app: AppID) throws -> [AppendOutcome] {
    try EventWriter(connect(.writing)).append(.of(samples.map { try $0.row(app) }))
  }
}

extension EventStore {
  /// Waits until a statement of this form hangs on another's lock.
  ///
  /// - Parameter pattern: as LIKE has it; of the statement from its start.
  package func waitForBlocked(
    _ pattern: String, count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // A connection of its own: a transaction would see the same activity for ever.
    let connection = try connectAsSuperuser()
    try poll(upTo: .seconds(20), "\(count) blocked: \(pattern)", sourceLocation: sourceLocation) {
      let blocked = try connection.value(
        of: """
          select count(*) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like \(pattern)
          """, as: Int.self)
      return blocked >= count
    }
  }
}

extension EventStore {
  /// Opens a transaction that has the place of an event's reply, so that a writer stands still once the event itself is
  /// written; until the connection's `rollback`.
  package func blockReply(of sample: EventSample, in app: AppID) throws -> Connection {
    let row = try sample.row(app)
    let blocker = try connectAsSuperuser()
    try blocker.script("begin")
    try blocker.execute(
      """
      insert into reply (event_id, unit_id, day, app_id, device_key, text)
      values (\(row.key.eventID), \(row.key.unitID), \(PostgresDate(daysSince1970: row.key.day)), \(app.rawValue),
        \(row.deviceKey), '')
      """)
    return blocker
  }
}

extension AppendBatch {
  /// Rows with nothing beside them, numbered from 0.
  package static func of(_ rows: [EventRow]) -> AppendBatch {
    AppendBatch(rows: rows, indices: Array(rows.indices), deadLetters: [], source: "http")
  }
}
