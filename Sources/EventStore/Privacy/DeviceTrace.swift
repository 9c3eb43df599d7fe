package import EngagementEvents
package import Postgres

/// What the store still has of a device, table by table, to prove that there is nothing.
package struct DeviceTrace: Sendable, Hashable {
  /// The tables that have rows of the device, with how many.
  package let tables: [Table]
  /// When the device was last erased; nil where it never was.
  package let erasedAt: Timestamp?

  package struct Table: Sendable, Hashable {
    package let name: String
    package let rows: Int
  }

  package var isEmpty: Bool { tables.isEmpty }

  /// Looks through every table that tells devices apart, and for the id itself wherever a client's words are kept.
  package init(
    of device: DeviceID, app: AppID, secret: StoreSecret, on connection: borrowing Connection
  ) throws {
    let keys = secret.deviceKeys(app: app, device: device)
    let names = try connection.query(
      """
      select relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'pushlift'::regnamespace and relkind in ('r', 'p') and not relispartition
        and attname = 'device_key' and relname <> 'erasure'
      order by name
      """
    ).map { row in try row.value(0, as: String.self) }
    var tables: [Table] = []
    for name in names {
      let rows = try connection.value(
        of:
          "select count(*) from \(identifier: name) where app_id = \(app.rawValue) and device_key = any(\(keys))",
        as: Int.self)
      if rows > 0 { tables.append(Table(name: name, rows: rows)) }
    }
    let word = Array(device.text.utf8)
    let letters = try connection.query(
      """
      select body, convert_to(concat_ws(' ', message, event_id), 'UTF8') as words from dead_letter
      where app_id = \(app.rawValue) and device_key <> all(\(keys)) is not false
        and (position(\(word) in body) > 0 or position(\(device.text) in concat_ws(' ', message, event_id)) > 0)
      """
    ).map { row in
      try row.value(0, as: [UInt8].self).containsWord(word)
        || row.value(1, as: [UInt8].self).containsWord(word)
    }.count { $0 }
    if letters > 0 { tables.append(Table(name: "dead_letter with the id in it", rows: letters)) }
    self.tables = tables
    erasedAt = try connection.value(
      of: "select max(begun_at) from erasure where app_id = \(app.rawValue) and device_key = any(\(keys))",
      as: PostgresTimestamp?.self
    ).map { Timestamp($0) }
  }
}
