import Foundation

/// A client that sends its request a byte at a time.
final class SlowClient: Sendable {
  private let descriptor: Int32

  /// Sends the head whole; the body is to follow.
  init(port: UInt16, key: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let head =
      "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n"
      + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    guard outcome == 0, send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL)) == head.utf8.count else {
      throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
    }
  }

  deinit { close(descriptor) }

  func sendByte() -> Bool { send(descriptor, "[", 1, Int32(MSG_NOSIGNAL)) == 1 }

  static func pause() { usleep(50_000) }
}
