internal import CSodium
package import EngagementEvents
package import Postgres

/// The secret by which device ids are hashed before anything is written, and what is derived with it.
///
/// All hashes are BLAKE2b with this key (RFC 7693), 128 bits, separated by a first byte that says what is hashed.
/// The database never holds the key, so a copy of the database cannot be turned back into device ids by trying them.
/// Losing the key splits every device in two: what comes after no longer meets what came before.
package struct StoreSecret: Sendable {
  /// 32 bytes.
  private let key: [UInt8]

  private enum Domain: UInt8 {
    case device = 1
    case unit = 2
    case event = 3
    case check = 4
  }

  /// - Throws: `StoreError.secret` unless `key` is 32 bytes long.
  package init(key: [UInt8]) throws(StoreError) {
    guard key.count == Self.length else {
      throw StoreError(
        .secret, "The device secret has \(key.count) bytes, and needs \(Self.length).",
        remedy: "Give the file that pushlift made, or 64 hexadecimal digits.")
    }
    self.key = key
  }

  /// The length of the key in bytes.
  package static let length = 32

  /// 32 fresh bytes from the system's generator.
  package static func makeRandom() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// What stands for a device in the store: equal for equal ids within an app, unrelated between apps.
  package func deviceKey(app: AppID, device: DeviceID) -> UUID128 {
    hash(.device, app) { $0.append(contentsOf: device.text.utf8) }
  }

  /// What rates count: one notification on one device of an app.
  package func unitID(app: AppID, notification: NotificationID, device: UUID128) -> UUID128 {
    hash(.unit, app) { bytes in
      bytes.append(bigEndian: device.high)
      bytes.append(bigEndian: device.low)
      bytes.append(contentsOf: notification.text.utf8)
    }
  }

  /// Equal for events of equal content.
  package func fingerprint(app: AppID, canonical: [UInt8]) -> UUID128 {
    hash(.event, app) { $0.append(contentsOf: canonical) }
  }

  /// Kept in the store, so that a changed secret is noticed before it does harm.
  package var check: UUID128 {
    hash(.check, AppID(0)) { _ in }
  }

  private func hash(_ domain: Domain, _ app: AppID, _ append: (inout [UInt8]) -> Void) -> UUID128 {
    var input: [UInt8] = []
    input.reserveCapacity(256)
    input.append(domain.rawValue)
    input.append(bigEndian: UInt64(UInt32(bitPattern: app.rawValue)))
    append(&input)
    var output = [UInt8](repeating: 0, count: 16)
    // Fails only for lengths out of range, and these are constants.
    let status = crypto_generichash(&output, output.count, input, UInt64(input.count), key, key.count)
    precondition(status == 0, "BLAKE2b refused a 16-byte digest with a 32-byte key")
    return UUID128(
      high: output[..<8].reduce(0) { $0 << 8 | UInt64($1) },
      low: output[8...].reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}
