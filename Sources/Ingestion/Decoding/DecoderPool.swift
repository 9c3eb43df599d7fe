internal import Synchronization

/// Decoders that wait for their next body: making one, and giving its buffers their size, costs more than a small body.
///
/// There are as many as threads have decoded at the same time.
final class DecoderPool<Decoder>: Sendable {
  // A decoder serves one thread at a time: each is out of the pool while it is used.
  private struct Idle: @unchecked Sendable {
    let decoder: Decoder
  }

  private let idle = Mutex<[Idle]>([])
  private let make: @Sendable () -> Decoder

  init(_ make: @escaping @Sendable () -> Decoder) { self.make = make }

  /// Lends a decoder.
  func decode(_ body: (Decoder) throws(RequestFault) -> DecodedBatch) throws(RequestFault) -> DecodedBatch {
    let decoder = (idle.withLock { $0.popLast() })?.decoder ?? make()
    defer {
      let idle = Idle(decoder: decoder)
      self.idle.withLock { $0.append(idle) }
    }
    return try body(decoder)
  }
}
