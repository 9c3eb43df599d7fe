internal import CPostgres

/// Takes the bytes of a COPY into a table; lent to the closure of `copyIn`.
package struct CopyWriter: ~Copyable {
  private let handle: OpaquePointer
  private var pending: [UInt8] = []

  static var chunkSize: Int { 65_536 }

  init(handle: OpaquePointer) {
    self.handle = handle
    pending.reserveCapacity(Self.chunkSize * 2)
  }

  package mutating func write(_ bytes: [UInt8]) throws(PostgresError) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.chunkSize { try flush() }
  }

  package mutating func write(_ text: String) throws(PostgresError) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.chunkSize { try flush() }
  }

  /// Hands what is pending to libpq, waiting until the socket takes it.
  mutating func flush() throws(PostgresError) {
    guard !pending.isEmpty else { return }
    let sent = pending.withUnsafeBytes { raw in
      PQputCopyData(handle, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count))
    }
    guard sent == 1 else {
      throw PostgresError(.connectionLost, Connection.message(of: handle))
    }
    pending.removeAll(keepingCapacity: true)
  }
}
