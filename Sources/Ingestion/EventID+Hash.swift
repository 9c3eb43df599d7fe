internal import EngagementEvents
internal import EventStore

extension EventID {
  /// A UUID of version 8 (RFC 9562) from the BLAKE2b hash of parts, each with its length before it.
  init(hashing parts: some Sequence<[UInt8]>) {
    var bytes: [UInt8] = []
    for part in parts {
      bytes += withUnsafeBytes(of: UInt32(part.count).bigEndian) { Array($0) }
      bytes += part
    }
    let hash = Digest.blake2b256(bytes)
    func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      high: number(0..<8) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
      low: number(8..<16) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
