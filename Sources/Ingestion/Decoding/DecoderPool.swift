internal import Synchronization

/// Decoders that wait for their next body: making one, and giving its buffers their size, costs more than a small body.
///
/// There are as many as threads have decoded at the same time.
final class DecoderPool: Sendable {
  // A decoder serves one thread at a time: each is out of the pool while it is used.
  private struct Idle: @unchecked Sendable {
    let decoder: EventBatchDecoder
  }

  private let idle = Mutex<[Idle]>([])

  func decode(_ body: [UInt8], format: BodyFormat) throws(RequestFault) -> DecodedBatch {
    let decoder = (idle.withLock { $0.popLast() })?.decoder ?? EventBatchDecoder()
    defer {
      let idle = Idle(decoder: decoder)
      self.idle.withLock { $0.append(idle) }
    }
    return try decoder.decode(body, format: format)
  }
}
