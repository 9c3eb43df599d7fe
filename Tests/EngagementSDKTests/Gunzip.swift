import CZlib

/// Undoes gzip as the server does.
func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
  struct Failure: Error {}
  var stream = z_stream()
  guard czlib_gunzip_init(&stream) == Z_OK else { throw Failure() }
  defer { inflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: 1 << 23)
  let status = input.withUnsafeMutableBufferPointer { from in
    output.withUnsafeMutableBufferPointer { to in
      stream.next_in = from.baseAddress
      stream.avail_in = UInt32(from.count)
      stream.next_out = to.baseAddress
      stream.avail_out = UInt32(to.count)
      return inflate(&stream, Z_FINISH)
    }
  }
  guard status == Z_STREAM_END, stream.avail_in == 0 else { throw Failure() }
  return Array(output.prefix(Int(stream.total_out)))
}
