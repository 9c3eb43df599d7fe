internal import Postgres

/// The rows of the reply vault for a batch, column by column.
struct ReplyColumns {
  private var eventID = ColumnBuilder<UUID128>()
  private var unitID = ColumnBuilder<UUID128>()
  private var day = ColumnBuilder<PostgresDate>()
  private var appID = ColumnBuilder<Int32>()
  private var deviceKey = ColumnBuilder<UUID128>()
  private var receivedAt = ColumnBuilder<PostgresTimestamp>()
  private var text = ColumnBuilder<String>()

  var isEmpty: Bool { eventID.count == 0 }

  mutating func append(_ row: EventRow, _ reply: String) {
    eventID.append(row.key.eventID)
    unitID.append(row.key.unitID)
    day.append(PostgresDate(daysSince1970: row.key.day))
    appID.append(row.app.rawValue)
    deviceKey.append(row.deviceKey)
    receivedAt.append(PostgresTimestamp(row.receivedAt))
    text.append(reply)
  }

  var insert: SQL {
    """
    insert into reply (event_id, unit_id, day, app_id, device_key, received_at, text)
    select * from unnest(\(eventID), \(unitID), \(day), \(appID), \(deviceKey), \(receivedAt),
      \(text))
    on conflict (event_id, unit_id, day) do nothing
    """
  }
}
