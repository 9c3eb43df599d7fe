internal import EngagementEvents
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Posts events to an endpoint, some requests at a time, and repeats those that the server asks to repeat.
struct EventPoster: Sendable {
  let endpoint: URL
  let key: String
  var eventsPerRequest = 1_000
  var requestsAtATime = 4

  /// What became of the events.
  struct Tally: Sendable {
    var accepted = 0
    var duplicates = 0
    var rejected = 0
    var total: Int { accepted + duplicates + rejected }
  }

  /// - Parameter progress: told after each request what has become of the events so far.
  func post(
    _ events: some Sequence<EngagementEvent>, progress: (Tally) -> Void
  ) async throws -> Tally {
    var bodies = Bodies(events: events.makeIterator(), count: eventsPerRequest)
    return try await withThrowingTaskGroup(of: Tally.self) { group in
      var tally = Tally()
      for _ in 0..<requestsAtATime {
        if let body = bodies.next() { group.addTask { try await post(body) } }
      }
      while let part = try await group.next() {
        tally.accepted += part.accepted
        tally.duplicates += part.duplicates
        tally.rejected += part.rejected
        progress(tally)
        if let body = bodies.next() { group.addTask { try await post(body) } }
      }
      return tally
    }
  }

  /// Arrays of events as JSON.
  private struct Bodies<Events: IteratorProtocol<EngagementEvent>>: IteratorProtocol {
    var events: Events
    let count: Int

    mutating func next() -> Data? {
      var bytes: [UInt8] = [UInt8(ascii: "[")]
      for _ in 0..<count {
        guard let event = events.next() else { break }
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        event.appendJSON(to: &bytes)
      }
      guard bytes.count > 1 else { return nil }
      bytes.append(UInt8(ascii: "]"))
      return Data(bytes)
    }
  }

  private func post(_ body: Data) async throws -> Tally {
    var request = URLRequest(url: endpoint)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    request.httpBody = body
    for attempt in 1... {
      let (data, response) = try await URLSession.shared.data(for: request)
      guard let response = response as? HTTPURLResponse else {
        throw PostingError("no HTTP answer from \(endpoint)")
      }
      switch response.statusCode {
      case 200, 207, 422:
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        return Tally(
          accepted: answer.accepted, duplicates: answer.duplicates, rejected: answer.rejected.count)
      case let status where attempt < 10 && (status == 429 || status == 503):
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init) ?? 1
        try await Task.sleep(for: .seconds(min(seconds, 10)))
      default:
        let text = String(decoding: data.prefix(300), as: UTF8.self)
        throw PostingError("\(endpoint) answered \(response.statusCode): \(text)")
      }
    }
    preconditionFailure("the last attempt answers or throws")
  }

  private struct Answer: Decodable {
    struct Rejection: Decodable {}

    let accepted: Int
    let duplicates: Int
    let rejected: [Rejection]
  }
}

/// Why events could not be posted.
struct PostingError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
