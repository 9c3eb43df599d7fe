internal import Foundation

#if canImport(CZlib)
  internal import CZlib
#endif

/// Compresses bodies.
///
/// Apple's Foundation deflates, elsewhere zlib does; the frame around it, RFC 1952, is the same.
enum Gzip {
  /// The bytes as gzip; nil where that cannot be had, or makes them no smaller.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    guard let deflated = deflate(bytes), deflated.count + 18 < bytes.count else { return nil }
    // Signature, deflate, no flags, no time, no hint, an unknown system.
    var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    member += deflated
    member.appendLittleEndian(CRC32.checksum(bytes))
    member.appendLittleEndian(UInt32(truncatingIfNeeded: bytes.count))
    return member
  }

  /// Raw deflate, RFC 1951.
  private static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    #if canImport(Darwin)
      // Its zlib is without zlib's frame.
      return (try? (Data(bytes) as NSData).compressed(using: .zlib)).map { [UInt8]($0 as Data) }
    #elseif canImport(CZlib)
      return zlibDeflate(bytes)
    #else
      return nil
    #endif
  }

  #if canImport(CZlib) && !canImport(Darwin)
    private static func zlibDeflate(_ bytes: [UInt8]) -> [UInt8]? {
      var stream = z_stream()
      guard czlib_deflate_init(&stream) == Z_OK else { return nil }
      defer { deflateEnd(&stream) }
      var input = bytes
      return input.withUnsafeMutableBufferPointer { input in
        let capacity = Int(deflateBound(&stream, UInt(input.count)))
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          count = CZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
        }
        return output.isEmpty ? nil : output
      }
    }
  #endif
}
