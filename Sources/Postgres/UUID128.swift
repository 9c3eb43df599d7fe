/// A UUID as its 128 bits, sorted as Postgres sorts its `uuid`.
package struct UUID128: Sendable, Hashable {
  /// The first eight bytes, big-endian.
  package let high: UInt64
  /// The last eight bytes, big-endian.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the usual form of 32 hexadecimal digits in five groups, in either case; nil for anything else.
  package init?(_ text: some StringProtocol) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var position = 0
    for byte in text.utf8 {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Self.hexDigit(byte) else { return nil }
        if position < 18 { high = high << 4 | digit } else { low = low << 4 | digit }
      }
      position += 1
    }
    guard position == 36 else { return nil }
    self.init(high: high, low: low)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

extension UUID128: Comparable {
  package static func < (left: UUID128, right: UUID128) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension UUID128: CustomStringConvertible {
  /// The usual form, in lower case.
  package var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    let digits = Array("0123456789abcdef".utf8)
    for position in 0..<32 {
      if position == 8 || position == 12 || position == 16 || position == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      let half = position < 16 ? high : low
      bytes.append(digits[Int(half >> (60 - 4 * UInt64(position % 16)) & 0xf)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UUID128: PostgresScalar {
  package static var postgresType: DataType { .uuid }
  package static var postgresArrayType: DataType { .uuidArray }

  package func encode(into buffer: inout [UInt8]) {
    buffer.appendBigEndian(high)
    buffer.appendBigEndian(low)
  }

  package static func decode(_ field: borrowing Field) throws(PostgresError) -> UUID128 {
    let bytes = try field.bytes(of: .uuid, for: "UUID128")
    guard bytes.count == 16 else { throw field.fault(expected: "UUID128", found: "\(bytes.count) bytes") }
    return UUID128(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}
