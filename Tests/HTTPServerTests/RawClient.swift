import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket that says exactly what a test wants said. Each wait is bounded, and off the cooperative threads.
final class RawClient: Sendable {
  private let descriptor: Int32

  /// - Parameter receiveBuffer: bytes the kernel takes in unread; nil = its own choice.
  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw ClientError("socket: \(errno)") }
    self.descriptor = descriptor
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw ClientError("connect: \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sends as much as the peer takes.
  ///
  /// - Returns: the number of bytes taken; fewer than all where the peer has closed, or took none for two seconds.
  @discardableResult
  func send(_ bytes: [UInt8]) async -> Int {
    await offPool {
      var sent = 0
      while sent < bytes.count {
        var waiting = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 2000) == 1 else { break }
        let count = bytes[sent...].withUnsafeBytes {
          sendQuietly(self.descriptor, $0)
        }
        if count < 0, errno == EAGAIN { continue }
        if count <= 0 { break }
        sent += count
      }
      return sent
    }
  }

  @discardableResult
  func send(_ text: String) async -> Int { await send(Array(text.utf8)) }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  enum Piece: Equatable {
    case bytes([UInt8])
    case end
    case reset
    case silence
  }

  func receive(within milliseconds: Int32 = 5000) async -> Piece {
    await offPool {
      var waiting = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, milliseconds) == 1 else { return .silence }
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = recv(self.descriptor, &bytes, bytes.count, 0)
      if count < 0 { return .reset }
      return count == 0 ? .end : .bytes(Array(bytes[..<count]))
    }
  }

  /// All that comes until the peer closes.
  func receiveAll(within milliseconds: Int32 = 5000) async -> (text: String, last: Piece) {
    var bytes: [UInt8] = []
    while true {
      let piece = await receive(within: milliseconds)
      guard case .bytes(let more) = piece else { return (String(decoding: bytes, as: UTF8.self), piece) }
      bytes += more
    }
  }

  /// The next `count` responses, which must come whole.
  func responses(_ count: Int, within milliseconds: Int32 = 5000) async throws -> [RawResponse] {
    var parser = ResponseParser()
    var responses: [RawResponse] = []
    while responses.count < count {
      if let response = try parser.next() {
        responses.append(response)
        continue
      }
      let piece = await receive(within: milliseconds)
      guard case .bytes(let bytes) = piece else {
        throw ClientError("after \(responses.count) responses: \(piece)")
      }
      parser.append(bytes)
    }
    return responses
  }

  func response(within milliseconds: Int32 = 5000) async throws -> RawResponse {
    try await responses(1, within: milliseconds)[0]
  }

  private func offPool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }
}

/// Sends what fits, without a signal where the peer is gone.
private func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Glibc)
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  #else
    send(descriptor, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
  #endif
}

struct ClientError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

/// A response as it came over the wire.
struct RawResponse {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
}

/// Cuts a stream of bytes into responses.
struct ResponseParser {
  private var bytes: [UInt8] = []
  private var start = 0

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// nil = not all of it is there yet. Interim responses (1xx) have no body.
  mutating func next() throws -> RawResponse? {
    let rest = bytes[start...]
    guard let headEnd = Self.endOfHead(rest) else { return nil }
    let lines = String(decoding: rest[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    guard let statusLine = lines.first, statusLine.hasPrefix("HTTP/1.1 "),
      let status = Int(statusLine.dropFirst(9).prefix(3))
    else { throw ClientError("no response: \(String(decoding: rest.prefix(200), as: UTF8.self))") }
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    guard rest.count >= headEnd - start + 4 + length else { return nil }
    let bodyStart = headEnd + 4
    start = bodyStart + length
    return RawResponse(status: status, headers: Array(headers), body: Array(bytes[bodyStart..<start]))
  }

  private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (bytes.startIndex...(bytes.endIndex - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }
}
