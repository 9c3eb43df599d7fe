package import EngagementEvents
package import Postgres

/// Forgets devices: their replies and dead letters go, and what was counted of them is counted of nobody.
///
/// Figures stay, those as of earlier positions too. What a device sends again of the time before is taken for a duplicate
/// and not stored; what happens on it later is new.
package struct DeviceErasure: Sendable {
  /// What an erasure did.
  package struct Record: Sendable, Hashable {
    /// The last position when it began.
    package let position: Int64
    package let replies: Int
    package let deadLetters: Int
    package let events: Int
    package let units: Int

    /// For descriptions.
    package static let example = Record(position: 52_318, replies: 2, deadLetters: 0, events: 41, units: 17)
  }

  private let store: EventStore

  package init(_ store: EventStore) { self.store = store }

  /// Erases a device of an app. Once more, or where there is nothing, it does no harm.
  ///
  /// Goes through the whole log. Where that is interrupted the texts are gone, and the same call, or `finish`, does the rest.
  ///
  /// - Parameter requester: who asked for it, such as the id of a key.
  /// - Throws: `StoreError.overloaded` where a rebuild, the job or another erasure was under way for two minutes.
  package func run(_ device: DeviceID, of app: AppID, requester: String) throws -> Record {
    let connection = try connect()
    let keys = store.secret.deviceKeys(app: app, device: device)
    let statement: SQL = "select begin_erasure(\(app.rawValue), \(keys), \(requester))"
    let ids = try Self.waiting {
      try connection.value(of: statement, as: [Int64].self)
    }
    try Self.finish(on: connection)
    return try record(ids, on: connection)
  }

  private func connect() throws -> Connection {
    let connection = try store.connect(.administering)
    guard try Distribution.distributedTables(on: connection).isEmpty else {
      throw StoreError(
        .schema, "The tables are distributed over several machines, where rows cannot get other units.",
        remedy: "Devices can be erased on one machine only.")
    }
    return connection
  }

  /// Finishes what was interrupted; once more where a writer and this have waited for one another.
  ///
  /// - Parameter connection: of the owner, or one that administers.
  /// - Returns: how many devices that were.
  @discardableResult
  package static func finish(on connection: borrowing Connection) throws -> Int {
    try waiting {
      do {
        return try Int(connection.value(of: "select finish_erasures()", as: Int32.self))
      } catch let error as PostgresError where error.isRetryable && connection.isAlive {
        return try Int(connection.value(of: "select finish_erasures()", as: Int32.self))
      }
    }
  }

  private static func waiting<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgresError where error.isLockTimeout {
      throw StoreError(
        .overloaded, "A rebuild, the job or writers held the store for too long.",
        remedy: "Erase the device again, or let pushlift maintain finish it.", cause: error)
    }
  }

  private func record(_ ids: [Int64], on connection: borrowing Connection) throws -> Record {
    try connection.query(
      """
      select max(position), sum(replies)::bigint, sum(dead_letters)::bigint, coalesce(sum(events), 0)::bigint,
        coalesce(sum(units), 0)::bigint
      from erasure where erasure_id = any(\(ids))
      """
    ).map { row in
      Record(
        position: try row.value(0), replies: try row.value(1), deadLetters: try row.value(2),
        events: try row.value(3), units: try row.value(4))
    }[0]
  }
}

extension StoreSecret {
  /// All keys that a device can have in an app: its own, and the one that it gets where an export of it is imported again.
  package func deviceKeys(app: AppID, device: DeviceID) -> [UUID128] {
    let key = deviceKey(app: app, device: device)
    guard let exported = try? DeviceID(StoredEvent.deviceKeyPrefix + key.description) else { return [key] }
    return [key, deviceKey(app: app, device: exported)]
  }
}
