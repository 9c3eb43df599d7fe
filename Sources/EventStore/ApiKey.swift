package import Postgres

/// What a key may do.
package enum KeyScope: String, Sendable, Hashable, CaseIterable {
  /// Post events.
  case write
  /// Read reports.
  case read
  /// Everything, erasure included.
  case admin
}

/// A key of an app. The key itself, `pushlift_ID_SECRET`, is shown once; the store keeps a hash of its secret half.
package struct ApiKey: Sendable, Hashable {
  /// The public half: 12 hexadecimal digits.
  package let id: String
  package let app: AppID
  package let scope: KeyScope
  package let label: String
  /// BLAKE2b-256 of the secret half, which has 160 random bits and so needs no slow hash.
  private let secretHash: [UInt8]

  private static let prefix = "pushlift"
  private static let idLength = 6
  private static let secretLength = 20

  /// Makes a key and stores it.
  ///
  /// - Returns: the key to hand over; it cannot be shown again.
  package static func create(
    app: AppID, scope: KeyScope, label: String = "", on connection: borrowing Connection
  ) throws -> String {
    var generator = SystemRandomNumberGenerator()
    func random(_ count: Int) -> String {
      Digest.hexadecimal((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
    let id = random(idLength)
    let secret = random(secretLength)
    try connection.execute(
      """
      insert into api_key (key_id, app_id, scope, secret_hash, label)
      values (\(id), \(app.rawValue), \(scope.rawValue), \(Digest.blake2b256(Array(secret.utf8))), \(label))
      """)
    return "\(prefix)_\(id)_\(secret)"
  }

  /// All keys that are not revoked, and whose scope this program knows: what another one permits, it cannot check.
  package static func allValid(on connection: borrowing Connection) throws -> [ApiKey] {
    try connection.query(
      "select key_id, app_id, scope, label, secret_hash from api_key where revoked_at is null order by created_at, key_id"
    ).map { row -> ApiKey? in
      guard let scope = KeyScope(rawValue: try row.value(2, as: String.self)) else { return nil }
      return ApiKey(
        id: try row.value(0), app: AppID(try row.value(1, as: Int32.self)), scope: scope,
        label: try row.value(3), secretHash: try row.value(4))
    }.compactMap(\.self)
  }

  /// Whether this is the key that was shown when it was made, told in a time that gives nothing away.
  package func matches(_ presented: String) -> Bool {
    guard let parts = Self.parts(of: presented), parts.id == id else { return false }
    return Digest.isEqual(Digest.blake2b256(Array(parts.secret.utf8)), secretHash)
  }

  /// The public half of a presented key; nil if it has not the form of one.
  package static func id(of presented: String) -> String? { parts(of: presented)?.id }

  private static func parts(of presented: String) -> (id: String, secret: Substring)? {
    // By bytes: this is asked of every request, and walking a text by characters costs more than the hash does.
    let parts = presented.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(prefix.utf8), parts[1].count == 2 * idLength,
      parts[2].count == 2 * secretLength
    else { return nil }
    return (String(Substring(parts[1])), Substring(parts[2]))
  }
}
