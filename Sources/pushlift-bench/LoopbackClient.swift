internal import Foundation

/// One kept connection to a server on this machine, with as little work as a client can do.
final class LoopbackClient {
  private let socketHandle: Int32
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var received: [UInt8] = []
  /// Where the body of the answer lies, once its head is there.
  private var body: Range<Int>?
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Nil where nobody listens.
  init?(port: UInt16) {
    socketHandle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socketHandle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var yes: Int32 = 1
    setsockopt(socketHandle, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
    if status != 0 { return nil }
  }

  deinit { close(socketHandle) }

  var descriptor: Int32 { socketHandle }

  /// Whether a part of the request is still to be sent.
  var isSending: Bool { sent < outgoing.count }

  /// Starts a request.
  ///
  /// - Returns: false where the connection is broken.
  func send(_ bytes: [UInt8]) -> Bool {
    outgoing = bytes
    sent = 0
    received.removeAll(keepingCapacity: true)
    body = nil
    return sendMore()
  }

  /// Sends as much as goes without waiting.
  func sendMore() -> Bool {
    while isSending {
      let count = outgoing[sent...].withUnsafeBytes {
        Foundation.send(
          socketHandle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  enum Progress {
    case waiting
    /// The whole answer is there; nil = the connection is broken.
    case answered(Int?)
  }

  /// Reads what is there of an answer with a `Content-Length`.
  func receive() -> Progress {
    let count = recv(socketHandle, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN { return .waiting }
    guard count > 0 else { return .answered(nil) }
    received += buffer[..<count]
    if body == nil { body = Self.body(of: received) }
    guard let body, received.count >= body.upperBound else { return .waiting }
    return .answered(Int(String(decoding: received[9..<12], as: UTF8.self)))
  }

  struct Answer {
    let status: Int
    let body: [UInt8]
  }

  /// Sends a request and waits for the answer on the caller's thread.
  ///
  /// - Returns: nil where the connection breaks, or is silent for as long as `patience`; it is of no use then.
  func exchange(_ request: [UInt8], patience: Duration = .seconds(60)) -> Answer? {
    guard send(request) else { return nil }
    var deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      var waiting = pollfd(
        fd: socketHandle, events: Int16(POLLIN) | (isSending ? Int16(POLLOUT) : 0), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      deadline = ContinuousClock.now + patience
      guard !isSending || sendMore() else { return nil }
      guard case .answered(let status) = receive() else { continue }
      guard let status, let body else { return nil }
      return Answer(status: status, body: Array(received[body]))
    }
    return nil
  }

  /// Where the body lies, once the head is there.
  private static func body(of bytes: [UInt8]) -> Range<Int>? {
    var line = 0
    var length = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      if index - line <= 1 { return index + 1..<index + 1 + length }
      if let value = contentLength(bytes[line..<index]) { length = value }
      line = index + 1
    }
    return nil
  }

  private static let lengthName = Array("content-length:".utf8)

  private static func contentLength(_ line: ArraySlice<UInt8>) -> Int? {
    // Setting the bit makes a letter small, and leaves the hyphen and the colon as they are.
    guard line.count > lengthName.count, zip(line, lengthName).allSatisfy({ $0 | 0x20 == $1 }) else {
      return nil
    }
    return line.dropFirst(lengthName.count).reduce(into: 0) { length, byte in
      if (0x30...0x39).contains(byte) { length = length * 10 + Int(byte - 0x30) }
    }
  }
}
