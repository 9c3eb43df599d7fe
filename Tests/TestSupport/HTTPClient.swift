#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Asks an HTTP server on this machine, a connection a request, and waits for the answer on the caller's thread.
package struct HTTPClient: Sendable {
  package let port: UInt16

  /// Whoever is silent for so long has failed.
  private static let patienceSeconds = 60

  package init(port: UInt16) { self.port = port }

  package func get(_ path: String, _ headers: [String: String] = [:]) throws -> HTTPAnswer {
    try exchange(head("GET", path, headers))
  }

  package func post(_ path: String, _ headers: [String: String], body: [UInt8]) throws -> HTTPAnswer {
    var headers = headers
    if headers["Transfer-Encoding"] == nil { headers["Content-Length"] = String(body.count) }
    return try exchange(head("POST", path, headers) + body)
  }

  /// Sends bytes as they are, and reads an answer.
  ///
  /// - Parameter expectsBody: false for HEAD, whose answer tells the length of a body that does not come.
  package func exchange(_ request: [UInt8], expectsBody: Bool = true) throws -> HTTPAnswer {
    let socket = try connect()
    defer { close(socket) }
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes { Self.send(socket, $0) }
      // A server that turns a request down need not read all of it.
      guard count > 0 else { break }
      sent += count
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let answer = HTTPAnswer(bytes, expectsBody: expectsBody) { return answer }
      let count = recv(socket, &piece, piece.count, 0)
      guard count > 0 else {
        let text = String(decoding: bytes.prefix(300), as: UTF8.self)
        throw HTTPClientError("no whole answer (errno \(count < 0 ? errno : 0)), only: \(text)")
      }
      bytes += piece[..<count]
    }
  }

  private func head(_ method: String, _ path: String, _ headers: [String: String]) -> [UInt8] {
    let headers = ["Host": "localhost"].merging(headers) { $1 }
    let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return Array("\(method) \(path) HTTP/1.1\r\nConnection: close\r\n\(lines)\r\n".utf8)
  }

  private func connect() throws -> Int32 {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw HTTPClientError("socket: \(errno)") }
    var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else {
      let reason = errno
      close(descriptor)
      throw HTTPClientError("connect: \(reason)")
    }
    return descriptor
  }

  /// Without a signal where the peer is gone.
  private static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      systemSend(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      systemSend(descriptor, bytes.baseAddress, bytes.count, 0)
    #endif
  }
}

// The system's functions, which methods of the same names hide.
private let systemConnect = connect
private let systemSend = send

/// Why there is no answer.
package struct HTTPClientError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// An answer as it came.
package struct HTTPAnswer: Sendable {
  package let status: Int
  package let body: [UInt8]
  private let headers: [(name: String, value: String)]

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The first header of this name, in any case.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Nil while the answer is not whole. Interim answers are passed over.
  init?(_ bytes: [UInt8], expectsBody: Bool = true) {
    var rest = bytes[...]
    while let end = Self.endOfHead(rest) {
      let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n")
      rest = rest[(end + 4)...]
      guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
        return nil
      }
      if (100..<200).contains(status) { continue }
      headers = lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
      }
      self.status = status
      let length =
        !expectsBody
        ? 0 : headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
      guard rest.count >= length else { return nil }
      body = Array(rest.prefix(length))
      return
    }
    return nil
  }

  private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.dropLast(3).first { Array(bytes[$0..<($0 + 4)]) == [13, 10, 13, 10] }
  }
}
