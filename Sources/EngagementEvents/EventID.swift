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
    guard let id = text.withUTF8Span({ EventID(utf8: $0) }) else {
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

  /// The id that bytes of ASCII spell as 8-4-4-4-12 in any case, or nil.
  public init?(utf8 bytes: Span<UInt8>) {
    guard bytes.count == 36, bytes[8] == 0x2D, bytes[13] == 0x2D, bytes[18] == 0x2D, bytes[23] == 0x2D,
      let first = bytes.hexadecimal(0..<8), let second = bytes.hexadecimal(9..<13),
      let third = bytes.hexadecimal(14..<18), let fourth = bytes.hexadecimal(19..<23),
      let fifth = bytes.hexadecimal(24..<36)
    else { return nil }
    self.init(high: first << 32 | second << 16 | third, low: fourth << 48 | fifth)
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

extension Span<UInt8> {
  /// The number that hexadecimal digits in either case spell, or nil.
  fileprivate func hexadecimal(_ range: Range<Int>) -> UInt64? {
    var number: UInt64 = 0
    for position in range {
      let byte = self[position]
      let digit = byte &- 48
      let letter = (byte | 0x20) &- 97
      guard digit <= 9 || letter <= 5 else { return nil }
      number = number << 4 | UInt64(digit <= 9 ? digit : letter + 10)
    }
    return number
  }
}
