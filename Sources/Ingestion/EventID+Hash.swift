internal import EngagementEvents
internal import EventStore

extension EventID {
  /// A UUID of version 8 (RFC 9562) from the BLAKE2b hash of parts, each with its length before it.
  init<Part: Collection<UInt8>>(hashing parts: [Part]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    for part in parts {
      let count = UInt32(part.count)
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
      bytes.append(contentsOf: part)
    }
    let hash = Digest.blake2b256(bytes)
    func number(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      high: number(0..<8) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
      low: number(8..<16) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
