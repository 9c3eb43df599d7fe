internal import Foundation

/// Keeps connections busy with fresh events of the contract, each in a closed loop, from one thread, and counts the answers.
///
/// The same generator drives every server that is measured; it renders its events as it goes, which costs it about
/// a third of a microsecond each.
struct LoadGenerator: Sendable {
  let port: UInt16
  /// Nil for a server that asks for none.
  let key: String?
  let eventsPerRequest: Int
  var connections = 16
  var seconds = 8.0

  struct Result: Sendable {
    /// Requests answered 200.
    var requests = 0
    var events = 0
    var seconds = 0.0
    /// Answers that were not 200, and broken connections.
    var failures = 0

    var eventsPerSecond: Double { Double(events) / seconds }

    /// - Parameter status: nil where the connection broke.
    mutating func count(_ status: Int?, events: Int) {
      guard status == 200 else { return failures += 1 }
      requests += 1
      self.events += events
    }
  }

  func run() -> Result {
    let start = ContinuousClock.now
    let deadline = start + .seconds(seconds)
    var result = Result()
    var writer = EventWriterText(seed: 0)
    var clients: [LoopbackClient] = []
    for _ in 0..<connections {
      guard let client = LoopbackClient(port: port), client.send(request(&writer)) else {
        result.failures += 1
        continue
      }
      clients.append(client)
    }
    while !clients.isEmpty {
      let isOver = ContinuousClock.now >= deadline
      let ready = Self.ready(clients)
      if ready.isEmpty, isOver {
        // A second without a word.
        result.failures += clients.count
        break
      }
      for client in ready {
        guard !client.isSending || client.sendMore() else {
          result.failures += 1
          clients.removeAll { $0 === client }
          continue
        }
        guard case .answered(let status) = client.receive() else { continue }
        result.count(status, events: eventsPerRequest)
        let goesOn = status != nil && !isOver && client.send(request(&writer))
        if !goesOn { clients.removeAll { $0 === client } }
      }
    }
    result.seconds = (ContinuousClock.now - start) / .seconds(1)
    return result
  }

  /// Those that can go on, once there are some.
  private static func ready(_ clients: [LoopbackClient]) -> [LoopbackClient] {
    var waiting = clients.map { client in
      pollfd(
        fd: client.descriptor, events: Int16(POLLIN) | (client.isSending ? Int16(POLLOUT) : 0), revents: 0)
    }
    guard poll(&waiting, nfds_t(waiting.count), 1_000) > 0 else { return [] }
    return zip(clients, waiting).filter { $0.1.revents != 0 }.map(\.0)
  }

  private func request(_ writer: inout EventWriterText) -> [UInt8] {
    let body = writer.batch(of: eventsPerRequest)
    let authorization = key.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let head =
      "POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
      + "\(authorization)Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body
  }
}

/// Renders events as an app would send them.
struct EventWriterText {
  private var state: UInt64
  private let time: [UInt8]

  private static let kinds = [
    #","type":"delivered","category":"social_post","intended":["image"],"attachments":[{"kind":"image","bytes":204800}],"actions":["reply","like"]}"#,
    #","type":"expanded","category":"social_post"}"#,
    #","type":"action","category":"social_post","actionId":"like"}"#,
  ].map { Array($0.utf8) }
  private static let digits = Array("0123456789abcdef".utf8)

  init(seed: UInt64) {
    // No two runs repeat an id.
    state = seed &+ UInt64(Date.now.timeIntervalSince1970 * 1_000_000) &* 1_000
    time = Array(Date.now.formatted(.iso8601).utf8)
  }

  /// SplitMix64 (Steele, Lea and Flood 2014).
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func batch(of count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 320)
    bytes.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      let kind = count == 1 ? Int(next() % 3) : index % 3
      bytes.append(contentsOf: #"{"id":""#.utf8)
      appendUUID(to: &bytes)
      bytes.append(contentsOf: #"","notificationId":""#.utf8)
      appendUUID(to: &bytes)
      bytes.append(contentsOf: #"","deviceId":"dev-"#.utf8)
      bytes.append(contentsOf: String(next() % 100_000).utf8)
      bytes.append(contentsOf: #"","occurredAt":""#.utf8)
      bytes.append(contentsOf: time)
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: Self.kinds[kind])
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  private mutating func appendUUID(to bytes: inout [UInt8]) {
    var half = next()
    for position in 0..<32 {
      if position == 16 { half = next() }
      if position == 8 || position == 12 || position == 16 || position == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      bytes.append(position == 12 ? UInt8(ascii: "4") : Self.digits[Int(half & 15)])
      half >>= 4
    }
  }
}
