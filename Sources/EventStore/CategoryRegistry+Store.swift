package import EngagementEvents
internal import Foundation
package import Postgres

/// The registries in the store.
extension CategoryRegistry {
  /// The registry of an app, with its place in the order of imports; nil where there is none, or an empty one.
  ///
  /// - Parameter position: the registry that counted when this was the last position aggregated; nil for the one that
  ///   counts now.
  package static func current(
    of app: AppID, asOf position: Int64? = nil, on connection: borrowing Connection
  ) throws -> CategoryRegistry? {
    let registry = try newest(of: app, asOf: position, on: connection)
    return registry?.categories.isEmpty == false ? registry : nil
  }

  /// The same, with an empty one as it is.
  private static func newest(
    of app: AppID, asOf position: Int64? = nil, on connection: borrowing Connection
  ) throws -> CategoryRegistry? {
    let isMeant: SQL = position.map { "position <= \($0)" } ?? "true"
    let documents = try connection.query(
      """
      select document from category_registry where app_id = \(app.rawValue) and \(isMeant)
      order by imported_at desc limit 1
      """
    ).map { row in try row.value(0, as: JSONB.self) }
    return try documents.first.map { try CategoryRegistry(stored: $0) }
  }

  /// What the app keeps of replies now.
  package static func replyKeeping(
    of app: AppID, on connection: borrowing Connection
  ) throws -> ReplyKeeping {
    try newest(of: app, on: connection).map(ReplyKeeping.init) ?? .everything
  }

  /// When the newest registry of each app was imported; apps without one are not there.
  package static func imports(on connection: borrowing Connection) throws -> [AppID: PostgresTimestamp] {
    let rows = try connection.query(
      "select app_id, max(imported_at) from category_registry group by app_id"
    ).map { row in (AppID(try row.value(0, as: Int32.self)), try row.value(1, as: PostgresTimestamp.self)) }
    return Dictionary(rows) { first, _ in first }
  }

  /// Makes this the app's registry, whole, and tells what that changes. Nothing is written where it changes nothing.
  ///
  /// - Parameter isDry: only tells.
  package func `import`(
    into app: AppID, isDry: Bool = false, on connection: borrowing Connection
  ) throws -> RegistryDifference {
    let document = JSONB(utf8: try stored())
    return try connection.withTransaction { (connection: borrowing Connection) in
      // Two imports at once are one after the other.
      _ = try connection.query("select pg_advisory_xact_lock(7081016, \(app.rawValue))")
      let difference = RegistryDifference(
        from: try CategoryRegistry.newest(of: app, on: connection), to: self)
      guard !difference.isEmpty, !isDry else { return difference }
      try connection.execute(
        """
        insert into category_registry (app_id, position, document)
        values (
          \(app.rawValue),
          coalesce((select position from projection_checkpoint where name = 'engagement'), 0), \(document))
        """)
      return difference
    }
  }

  private init(stored document: JSONB) throws {
    do {
      self = try JSONDecoder().decode(CategoryRegistry.self, from: Data(document.utf8))
    } catch {
      throw StoreError(
        .schema, "The registry of categories in the store cannot be read: \(error)",
        remedy: "Import the file again with this version of pushlift category import.")
    }
  }

  private func stored() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }
}
