import CZlib

/// Compresses as clients do.
enum Gzip {
  struct Failure: Error {}

  static func compress(_ text: String) throws -> [UInt8] { try compress(Array(text.utf8)) }

  static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    // 16 more than the size of the window asks for gzip's frame.
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw Failure() }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let outcome = input.withUnsafeMutableBufferPointer { from in
      output.withUnsafeMutableBufferPointer { to in
        stream.next_in = from.baseAddress
        stream.avail_in = UInt32(from.count)
        stream.next_out = to.baseAddress
        stream.avail_out = UInt32(to.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard outcome == Z_STREAM_END else { throw Failure() }
    return Array(output.prefix(Int(stream.total_out)))
  }
}
