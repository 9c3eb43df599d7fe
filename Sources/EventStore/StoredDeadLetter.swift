package import EngagementEvents
package import Postgres

/// A dead letter as the store has it.
package struct StoredDeadLetter: Sendable, Hashable {
  /// Ascending in the order in which letters came.
  package let id: Int64
  /// The app's name.
  package let app: String
  package let letter: DeadLetter
  /// When it was replayed with success; nil while it was not.
  package let replayedAt: Timestamp?
}

extension StoredDeadLetter {
  /// Which letters are meant; what is nil restricts nothing.
  package struct Selection: Sendable {
    package var app: AppID?
    package var code: String?
    /// The earliest arrival.
    package var since: Timestamp?
    /// Letters of these devices, by their keys.
    package var devices: [UUID128]?
    /// Leaves out letters that were replayed, and conflicts, for which another event is stored.
    package var onlyReplayable = false

    package init(
      app: AppID? = nil, code: String? = nil, since: Timestamp? = nil, onlyReplayable: Bool = false
    ) {
      self.app = app
      self.code = code
      self.since = since
      self.onlyReplayable = onlyReplayable
    }

    var condition: SQL {
      let since = since.map { PostgresTimestamp($0) }
      return """
        (\(app?.rawValue)::integer is null or dead_letter.app_id = \(app?.rawValue))
        and (\(code)::text is null or code = \(code))
        and (\(since)::timestamptz is null or received_at >= \(since))
        and (\(devices)::uuid[] is null or device_key = any(\(devices)))
        and (not \(onlyReplayable) or replayed_at is null and code <> \(AppendOutcome.conflictCode))
        """
    }
  }

  /// The newest letters, newest first.
  package static func newest(
    _ selection: Selection, limit: Int, on connection: borrowing Connection
  ) throws -> [StoredDeadLetter] {
    try read(
      "where \(selection.condition) order by dead_letter_id desc limit \(Int64(limit))", on: connection)
  }

  /// The next letters behind one, oldest first, so that all can be gone through in pieces.
  package static func next(
    _ selection: Selection, after id: Int64, limit: Int, on connection: borrowing Connection
  ) throws -> [StoredDeadLetter] {
    try read(
      """
      where dead_letter_id > \(id) and \(selection.condition) order by dead_letter_id limit \(Int64(limit))
      """, on: connection)
  }

  package static func find(_ id: Int64, on connection: borrowing Connection) throws -> StoredDeadLetter? {
    try read("where dead_letter_id = \(id)", on: connection).first
  }

  /// - Parameter app: whose it has to be; nil for any.
  /// - Throws: `StoreError.invalidValue` where there is no such letter.
  package static func find(
    _ id: Int64, of app: App?, on connection: borrowing Connection
  ) throws -> StoredDeadLetter {
    guard let stored = try find(id, on: connection) else {
      throw StoreError(
        .invalidValue, "There is no dead letter \(id).", remedy: "pushlift deadletters list shows them.")
    }
    guard let app, stored.letter.app != app.id else { return stored }
    throw StoreError(
      .invalidValue, "The dead letter \(id) is of the app \(stored.app), not of \(app.name).",
      remedy: "pushlift deadletters list --app \(app.name) shows its own.")
  }

  package static func count(_ selection: Selection, on connection: borrowing Connection) throws -> Int {
    try connection.value(
      of: "select count(*) from dead_letter where \(selection.condition)", as: Int.self)
  }

  private static func read(_ clause: SQL, on connection: borrowing Connection) throws -> [StoredDeadLetter] {
    try connection.query(
      """
      select dead_letter_id, coalesce(name, ''), dead_letter.app_id, received_at, sent_at, source, event_index, event_id,
        device_key, field, code, message, body, replayed_at, file
      from dead_letter left join app using (app_id) \(clause)
      """
    ).map { row in try StoredDeadLetter(row) }
  }

  private init(_ row: borrowing Row) throws {
    let sentAt = try row.value(4, as: PostgresTimestamp?.self)
    let replayedAt = try row.value(13, as: PostgresTimestamp?.self)
    id = try row.value(0)
    app = try row.value(1)
    letter = DeadLetter(
      app: AppID(try row.value(2, as: Int32.self)),
      receivedAt: Timestamp(try row.value(3, as: PostgresTimestamp.self)),
      sentAt: sentAt.map { Timestamp($0) },
      source: try row.value(5), file: try row.value(14), index: Int(try row.value(6, as: Int32.self)),
      eventID: try row.value(7),
      deviceKey: try row.value(8), field: try row.value(9), code: try row.value(10),
      message: try row.value(11), body: try row.value(12))
    self.replayedAt = replayedAt.map { Timestamp($0) }
  }

  /// Notes that letters were replayed; ones that were before keep their time.
  package static func markReplayed(_ ids: [Int64], on connection: borrowing Connection) throws {
    try connection.execute(
      """
      update dead_letter set replayed_at = now() where dead_letter_id = any(\(ids)) and replayed_at is null
      """)
  }

  /// Removes letters that came before a time, replayed or not, of one app or of all.
  ///
  /// - Returns: how many there were.
  /// - Throws: `StoreError.invalidValue` for a time less than a day ago.
  package static func prune(
    before: Timestamp, app: AppID? = nil, on connection: borrowing Connection
  ) throws -> Int {
    let statement: SQL = "select prune_dead_letters(\(PostgresTimestamp(before)), \(app?.rawValue))"
    do {
      return try connection.value(of: statement, as: Int.self)
    } catch {
      guard error.sqlState == "22023" else { throw error }
      throw StoreError(
        .invalidValue, "Dead letters are kept for a day at least.", remedy: "Name an age of 1d or more.",
        cause: error)
    }
  }
}
