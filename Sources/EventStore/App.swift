internal import EngagementEvents
package import Postgres

/// The number of an app in the store.
package struct AppID: RawRepresentable, Sendable, Hashable, Comparable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }
  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  package static func < (left: AppID, right: AppID) -> Bool { left.rawValue < right.rawValue }
}

/// An app whose notifications are measured.
package struct App: Sendable, Hashable {
  package let id: AppID
  /// 1–128 bytes of UTF-8, unique.
  package let name: String
  /// IANA zone of its daily rows.
  package let zone: String
  /// Attribution window of its daily rows, in seconds, 60 to 2,592,000.
  package let windowSeconds: Int
}

extension App {
  /// All apps, by name.
  package static func all(on connection: borrowing Connection) throws -> [App] {
    try connection.query(
      """
      select app_id, name, zone, extract(epoch from attribution_window)::bigint from app order by name collate "C"
      """
    ).map { row in
      App(
        id: AppID(try row.value(0, as: Int32.self)), name: try row.value(1, as: String.self),
        zone: try row.value(2, as: String.self), windowSeconds: try row.value(3, as: Int.self))
    }
  }

  /// The app of this name, or the only one there is where `name` is nil.
  ///
  /// - Throws: `StoreError.app` where there is none, or several to choose from.
  package static func find(_ name: String?, on connection: borrowing Connection) throws -> App {
    let apps = try all(on: connection)
    guard let name else {
      switch apps.count {
      case 0:
        throw StoreError(
          .app, "The store has no app yet.",
          remedy: "Make one with its first key: pushlift key create --app NAME")
      case 1: return apps[0]
      default:
        let names = apps.map(\.name).joined(separator: ", ")
        throw StoreError(
          .app, "The store has \(apps.count) apps.", remedy: "Choose one with --app: \(names).")
      }
    }
    if let app = apps.first(where: { $0.name.isExactly(name) }) { return app }
    let names = apps.isEmpty ? "none yet" : apps.map(\.name).joined(separator: ", ")
    throw StoreError(
      .app, "There is no app named '\(name)'.",
      remedy: "The store has: \(names). pushlift key create --app NAME makes one.")
  }

  /// Whether an app may have this name.
  package static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 32 }
  }

  /// The app of this name, made now if there is none.
  ///
  /// - Parameter made: told where it was made, with the others that there are.
  package static func findOrCreate(
    _ name: String, zone: String = "UTC", on connection: borrowing Connection,
    made: (_ others: [App]) throws -> Void = { _ in }
  ) throws -> App {
    guard isName(name) else {
      throw StoreError(
        .invalidValue, "An app's name has 1 to 128 bytes and no control characters.",
        remedy: "Choose another --app.")
    }
    let isNew =
      try connection.execute(
        "insert into app (name, zone) values (\(name), \(zone)) on conflict (name) do nothing") == 1
    let app = try find(name, on: connection)
    if isNew { try made(all(on: connection).filter { $0.id != app.id }) }
    return app
  }
}
