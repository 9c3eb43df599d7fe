/// The checksum of gzip, RFC 1952 section 8.
enum CRC32 {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var state: UInt32 = 0xFFFF_FFFF
    for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
    return ~state
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1 }
  }
}

extension [UInt8] {
  /// Appends an integer, the lowest byte first.
  mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The integer that begins at an index, the lowest byte first; the caller has checked that it fits.
  func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type, at index: Int) -> Number {
    var number: Number = 0
    for byte in self[index..<(index + Number.bitWidth / 8)].reversed() {
      number = number << 8 | Number(truncatingIfNeeded: byte)
    }
    return number
  }
}
