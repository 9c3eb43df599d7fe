@testable import Ingestion

extension ByteSource {
  /// Bytes in memory, in pieces of a size, so that every boundary is met.
  convenience init(name: String, _ bytes: [UInt8], pieceSize: Int) {
    var rest = bytes[...]
    self.init(name: name) {
      defer { rest = rest.dropFirst(pieceSize) }
      return Array(rest.prefix(pieceSize))
    }
  }
}
