internal import EngagementEvents
package import Postgres

/// Events of erased devices, as an export has them: under the names that took the place of theirs.
package enum ErasedEvents {
  /// What `finish_erasures` writes before the name that it draws for a notification.
  private static let prefix = "erased-"

  /// Finds those that their app has already.
  ///
  /// Other events are found by their key as they are written. The units of these have drawn names, too, which nobody can
  /// work out from the notification's and the device's; but their own ids are drawn as well, and tell them apart.
  ///
  /// - Returns: their places in `rows`.
  package static func known(in rows: [EventRow], on connection: borrowing Connection) throws -> Set<Int> {
    var place = ColumnBuilder<Int32>()
    var app = ColumnBuilder<Int32>()
    var eventID = ColumnBuilder<UUID128>()
    var day = ColumnBuilder<PostgresDate>()
    for (index, row) in rows.enumerated() where isErased(row.event) {
      place.append(Int32(clamping: index))
      app.append(row.app.rawValue)
      eventID.append(row.key.eventID)
      day.append(PostgresDate(daysSince1970: row.key.day))
    }
    guard place.count > 0 else { return [] }
    let places = try connection.query(
      """
      select place from unnest(\(place), \(app), \(eventID), \(day)) as erased (place, app_id, event_id, day)
      join event using (app_id, event_id, day)
      """
    ).map { row in Int(try row.value(0, as: Int32.self)) }
    return Set(places)
  }

  private static func isErased(_ event: EngagementEvent) -> Bool {
    event.notificationID.text.hasPrefix(prefix) && StoredEvent.deviceKey(event.deviceID) != nil
  }
}
