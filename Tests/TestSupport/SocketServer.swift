internal import Foundation
internal import Synchronization

/// A server of raw connections on this machine, a thread each, for tests that need a bad one.
package final class SocketServer: Sendable {
  package let port: UInt16
  private let listener: Int32
  private let isClosed = Atomic(false)

  #if canImport(Glibc)
    fileprivate static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    fileprivate static let stream = SOCK_STREAM
  #endif

  /// Listens, and hands each connection to `serve`, after which it is closed.
  package init(_ serve: @escaping @Sendable (SocketConnection) -> Void) throws {
    let listener = socket(AF_INET, Self.stream, 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let outcome = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard outcome else { throw SocketError(errno: errno) }
    Thread { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        if self?.isClosed.load(ordering: .relaxed) ?? true {
          if descriptor >= 0 { close(descriptor) }
          return
        }
        guard descriptor >= 0 else { continue }
        Thread {
          serve(SocketConnection(descriptor))
        }.start()
      }
    }.start()
  }

  deinit {
    isClosed.store(true, ordering: .relaxed)
    // Wakes up whoever accepts.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}

/// What the system said.
package struct SocketError: Error {
  package let errno: Int32
}

/// One connection; of the thread that serves it.
package final class SocketConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// A connection to a server on this machine.
  package convenience init(connectingTo port: UInt16) throws {
    let descriptor = socket(AF_INET, SocketServer.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    self.init(descriptor)
    guard outcome == 0 else { throw SocketError(errno: errno) }
  }

  /// One HTTP request with a `Content-Length` or no body, head and body in one; nil where the peer has gone.
  package func readRequest() -> [UInt8]? {
    while true {
      if let end = endOfRequest() {
        defer { buffer.removeFirst(end) }
        return Array(buffer.prefix(end))
      }
      guard let piece = read() else { return nil }
      buffer += piece
    }
  }

  private func endOfRequest() -> Int? {
    guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
    let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
    let length = head.firstMatch(of: /\r\ncontent-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
    return buffer.count >= end + length ? end + length : nil
  }

  /// What comes next; nil at the end.
  package func read() -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &piece, piece.count, 0)
    return count > 0 ? Array(piece.prefix(count)) : nil
  }

  /// Sends all of it, as far as the peer takes it.
  @discardableResult
  package func write(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Makes the end a reset, which throws away what is under way.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  deinit { close(descriptor) }
}
