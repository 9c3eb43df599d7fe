import CZlib

/// Undoes gzip, piece by piece.
struct Inflater: ~Copyable {
  /// On the heap, since zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Whether what came so far is a whole number of gzip members, and at least one.
  private(set) var isComplete = false

  init() throws(HTTPFault) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard czlib_gunzip_init(stream) == Z_OK else {
      stream.deallocate()
      throw HTTPFault(.serviceUnavailable, "out_of_memory", "Send the same again later.")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Appends what a piece inflates to; several members one behind another count as one stream, RFC 1952 section 2.2.
  ///
  /// - Throws: 413 as soon as `output` would outgrow `limit`, 400 where the stream is broken.
  mutating func inflate(
    _ piece: UnsafeRawBufferPointer, into output: inout [UInt8], limit: Int
  ) throws(HTTPFault) {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: piece.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(piece.count)
    var isFull = false
    while stream.pointee.avail_in > 0 || isFull {
      if isComplete {
        // More behind the end: another member, or rubbish, which its missing signature gives away.
        inflateReset(stream)
        isComplete = false
      }
      let (status, count) = inflateOnce(into: &output)
      switch status {
      case Z_STREAM_END: isComplete = true
      case Z_OK, Z_BUF_ERROR: break
      default: throw Self.broken
      }
      if output.count > limit { throw BodyPlan.tooLarge(limit: limit) }
      isFull = count == Self.stepSize && status == Z_OK
    }
  }

  private static let stepSize = 32 * 1024

  private func inflateOnce(into output: inout [UInt8]) -> (status: Int32, count: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.stepSize) { step in
      stream.pointee.next_out = step.baseAddress
      stream.pointee.avail_out = UInt32(Self.stepSize)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      let count = Self.stepSize - Int(stream.pointee.avail_out)
      output.append(contentsOf: UnsafeBufferPointer(rebasing: step[..<count]))
      return (status, count)
    }
  }

  static let broken = HTTPFault(
    .badRequest, "malformed_gzip", "The body is no complete gzip stream, though Content-Encoding says so.")
}
