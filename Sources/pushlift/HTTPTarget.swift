internal import Foundation

/// A place that takes posts over plain HTTP/1.1.
///
/// URLSession on Linux keeps a processor busy for as long as it waits for an answer, so this speaks for itself: a
/// connection a request, on the caller's thread.
struct HTTPTarget: Sendable, CustomStringConvertible {
  /// The whole URL, for people.
  let description: String
  private let host: String
  private let port: String
  private let path: String

  /// Whoever is silent for so many seconds is given up.
  private static let patience = 60

  /// An answer, with the names of its headers in lower case.
  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]
  }

  /// Nil unless the text is an http URL with a host.
  ///
  /// - Parameter defaultPath: stands for the path of a URL that has none.
  init?(_ text: String, defaultPath: String) {
    guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http",
      let host = parts.host, !host.isEmpty
    else { return nil }
    // An IPv6 address stands in brackets in a URL, and without them elsewhere.
    self.host = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    port = String(parts.port ?? 80)
    let path = parts.percentEncodedPath
    let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
    self.path = (path.isEmpty || path == "/" ? defaultPath : path) + query
    description = "http://\(host)\(parts.port.map { ":\($0)" } ?? "")\(self.path)"
  }

  /// Posts a body, and waits for the answer.
  ///
  /// - Throws: `PostingError` where there is no answer.
  func post(_ body: [UInt8], _ headers: KeyValuePairs<String, String>) throws(PostingError) -> Answer {
    let socket = try connect()
    defer { close(socket) }
    let bracketed = host.contains(":") ? "[\(host)]" : host
    var head = "POST \(path) HTTP/1.1\r\nHost: \(bracketed):\(port)\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    head += "Content-Length: \(body.count)\r\n\r\n"
    // A server that turns the request down need not read all of it, and answers all the same.
    if send(Array(head.utf8), to: socket) { _ = send(body, to: socket) }
    guard let answer = Answer(receive(from: socket)) else {
      throw PostingError("\(description) gave no answer that is HTTP.")
    }
    return answer
  }

  private func connect() throws(PostingError) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Self.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, port, &hints, &list)
    guard code == 0 else {
      throw PostingError("\(description) cannot be reached: \(String(cString: gai_strerror(code))).")
    }
    defer { freeaddrinfo(list) }
    var reason = ECONNREFUSED
    var next = list
    while let address = next?.pointee {
      next = address.ai_next
      let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
      if descriptor < 0 { continue }
      var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
      }
      if Foundation.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
      reason = errno
      close(descriptor)
    }
    throw PostingError(
      "\(description) cannot be reached: \(String(cString: strerror(reason))). Does pushlift serve run there?"
    )
  }

  private func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Self.quiet)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// All that comes until the server closes.
  private func receive(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    /// No signal where the peer is gone.
    private static let quiet = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let quiet: Int32 = 0
  #endif
}

extension HTTPTarget.Answer {
  /// Nil where the bytes are no whole answer of a known length.
  init?(_ bytes: [UInt8]) {
    guard let end = bytes.indices.dropLast(3).first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) })
    else {
      return nil
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let line = lines.first, line.hasPrefix("HTTP/1."),
      let status = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let body = Array(bytes[(end + 4)...])
    guard headers["content-length"].flatMap({ Int($0) }) == body.count else { return nil }
    self.init(status: status, headers: headers, body: body)
  }
}
