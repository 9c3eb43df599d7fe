package import EngagementEvents
package import EventStore
package import Postgres

/// A category that events of an app named, registered or not.
package struct SeenCategory: Sendable, Hashable {
  package let name: String
  /// Units delivered, whenever.
  package var delivered = 0
  /// Units interacted with whose delivery nobody reported.
  package var orphans = 0
  /// Units expanded within the app's window.
  package var expanded = 0
  /// Units dismissed within it.
  package var dismissed = 0
  /// Custom actions of the last 30 days, offered or taken, by identifier: units.
  package var actions: [ExactText: Int] = [:]
}

extension SeenCategory {
  /// The most pairs of category and action that are told, those seen most often.
  private static let actionLimit = 1_000

  /// All that were seen of an app, by name.
  package static func all(of app: App, on connection: borrowing Connection) throws -> [SeenCategory] {
    var seen: [ExactText: SeenCategory] = [:]
    try connection.query(
      """
      select category, sum(delivered)::bigint, sum(expansion)::bigint, sum(dismissal)::bigint
      from daily_rate where app_id = \(app.id.rawValue) group by category
      """
    ).forEach { row in
      let name = try row.value(0, as: String.self)
      seen[ExactText(name)] = SeenCategory(
        name: name, delivered: try row.value(1), expanded: try row.value(2), dismissed: try row.value(3))
    }
    try connection.query(
      """
      select category, count(*) from unit_outcome
      where app_id = \(app.id.rawValue) and delivered_at is null group by category
      """
    ).forEach { row in
      let name = try row.value(0, as: String.self)
      seen[ExactText(name), default: SeenCategory(name: name)].orphans = try row.value(1)
    }
    try connection.query(actions(of: app)).forEach { row in
      let name = try row.value(0, as: String.self)
      seen[ExactText(name), default: SeenCategory(name: name)].actions[ExactText(try row.value(1))] =
        try row.value(2, as: Int.self)
    }
    return seen.sorted { $0.key < $1.key }.map(\.value)
  }

  /// category, action, units.
  private static func actions(of app: App) -> SQL {
    let since: SQL = """
      (select watermark - interval '30 days' from projection_checkpoint where name = 'engagement')
      """
    return """
      with recent as (
        select unit_id, category, offered from unit_outcome
        where app_id = \(app.id.rawValue) and delivered_at >= \(since)
        union all
        select unit_id, category, offered from unit_outcome
        where app_id = \(app.id.rawValue) and delivered_at is null and first_seen_at >= \(since)
      )
      select category, action, count(distinct unit_id) from (
        select unit_id, category, jsonb_array_elements_text(offered::jsonb) as action from recent
        union all
        select unit_id, category, action_id from recent join unit_interaction using (unit_id)
        where type = 2 and action_id not like 'com.apple.UNNotification%ActionIdentifier'
      ) seen
      group by category, action
      order by 3 desc, category collate "C", action collate "C"
      limit \(actionLimit)
      """
  }
}
