package import EngagementEvents
package import Postgres

/// What may be shown of a key: everything but its secret.
package struct ApiKeyRecord: Sendable, Hashable {
  /// The public half: 12 hexadecimal digits.
  package let id: String
  /// The app's name.
  package let app: String
  /// As stored; one that this binary does not know is shown all the same.
  package let scope: String
  package let label: String
  package let createdAt: Timestamp
  /// Nil while the key is valid.
  package let revokedAt: Timestamp?
}

extension ApiKeyRecord {
  /// The keys of an app, or of all where `app` is nil, by app and age, revoked ones included.
  package static func all(app: AppID? = nil, on connection: borrowing Connection) throws -> [ApiKeyRecord] {
    try connection.query(
      """
      select key_id, name, scope, label, api_key.created_at, revoked_at from api_key join app using (app_id)
      where \(app?.rawValue)::integer is null or app_id = \(app?.rawValue)
      order by name collate "C", api_key.created_at, key_id
      """
    ).map { row in
      ApiKeyRecord(
        id: try row.value(0), app: try row.value(1), scope: try row.value(2), label: try row.value(3),
        createdAt: Timestamp(try row.value(4, as: PostgresTimestamp.self)),
        revokedAt: try row.value(5, as: PostgresTimestamp?.self).map { Timestamp($0) })
    }
  }

  /// What a revocation found.
  package struct Revocation: Sendable, Hashable {
    package let key: ApiKeyRecord
    /// False where the key was revoked before, and stays so.
    package let isNew: Bool
  }

  /// Revokes a key for good. Running servers refuse it within a second.
  ///
  /// - Parameter presented: the key's id, or the whole key, of which only the public half is looked at.
  /// - Throws: `StoreError.invalidValue` where there is no such key; the message never repeats a secret.
  package static func revoke(_ presented: String, on connection: borrowing Connection) throws -> Revocation {
    let id = publicHalf(of: presented)
    let changed = try connection.execute(
      "update api_key set revoked_at = now() where key_id = \(id) and revoked_at is null")
    let keys = try all(on: connection)
    guard let key = keys.first(where: { $0.id == id }) else { throw unknown(id, among: keys) }
    return Revocation(key: key, isNew: changed == 1)
  }

  private static func publicHalf(of presented: String) -> String {
    let parts = presented.filter { !$0.isWhitespace }.lowercased().split(separator: "_")
    return String(parts.first == "pushlift" && parts.count > 1 ? parts[1] : parts.first ?? "")
  }

  private static func unknown(_ id: String, among keys: [ApiKeyRecord]) -> StoreError {
    // Anything longer might be a secret.
    guard id.utf8.count <= 16 else {
      return StoreError(
        .invalidValue, "This is no key's id, which has 12 hexadecimal digits.",
        remedy: "pushlift key list shows the ids.")
    }
    let near = keys.filter { $0.isNear(id) }.prefix(5).map { "\($0.id) (\($0.app))" }
    return StoreError(
      .invalidValue, "There is no key with the id '\(id)'.",
      remedy: near.isEmpty
        ? "pushlift key list shows the ids." : "Did you mean \(near.joined(separator: ", "))?")
  }

  /// Whether the other id is the beginning of this one, or differs in at most three places.
  private func isNear(_ other: String) -> Bool {
    if other.utf8.count >= 2, id.hasPrefix(other) { return true }
    let differences = zip(id.utf8, other.utf8).count { $0 != $1 }
    return differences + abs(id.utf8.count - other.utf8.count) <= 3
  }
}
