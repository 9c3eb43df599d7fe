/// The identity of one event: a UUID made on the device and kept over retries.
public struct EventID: Sendable, Hashable {
  /// The first eight bytes, the first of them highest.
  public let high: UInt64
  /// The last eight bytes, the first of them highest.
  public let low: UInt64

  /// Makes an id of its two halves; every pair is one.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses the 8-4-4-4-12 form in any case.
  ///
  /// - Throws: `invalid_uuid` for everything else, `empty` for nothing.
  public init(_ text: String, field: String = "id") throws(EventFault) {
    guard let id = EventID(parsing: text.utf8) else {
      if text.isEmpty {
        throw EventFault(field: field, code: .empty, message: "\(field) is empty; send a UUID")
      }
      throw EventFault(
        field: field, code: .invalidUUID,
        message: "\(field) is \(EventFault.quote(text)); send a UUID of 32 hexadecimal digits as 8-4-4-4-12")
    }
    self = id
  }

  /// A random id (version 4) from the system's generator.
  public static func makeRandom() -> EventID {
    EventID(
      high: UInt64.random(in: 0...UInt64.max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      low: UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// The id that the bytes spell as 8-4-4-4-12 in any case, or nil.
  init?(parsing bytes: String.UTF8View) {
    guard bytes.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var position = 0
    for byte in bytes {
      switch position {
      case 8, 13, 18, 23:
        guard byte == UInt8(ascii: "-") else { return nil }
      default:
        guard let digit = byte.hexadecimalDigit else { return nil }
        if position < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      }
      position += 1
    }
    self.init(high: high, low: low)
  }

  /// The canonical text: 8-4-4-4-12 in lower case.
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for nibble in 0..<32 {
      if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { bytes.append(UInt8(ascii: "-")) }
      let half = nibble < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (nibble & 15))) & 15
      bytes.append(digit < 10 ? 48 + digit : 87 + digit)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension EventID: Comparable, CustomStringConvertible {
  /// The order of the canonical texts.
  public static func < (one: EventID, other: EventID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }

  /// The canonical text.
  public var description: String { text }
}

extension UInt8 {
  /// The value of a hexadecimal digit in either case, or nil.
  var hexadecimalDigit: UInt8? {
    switch self {
    case 48...57: self - 48
    case 97...102: self - 87
    case 65...70: self - 55
    default: nil
    }
  }
}
