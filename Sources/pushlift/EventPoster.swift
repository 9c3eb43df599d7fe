internal import EngagementEvents
internal import Foundation
internal import Synchronization

/// Posts events to an endpoint, some requests at a time, and repeats those that the server asks to repeat.
struct EventPoster: Sendable {
  let target: HTTPTarget
  let key: String
  var eventsPerRequest = 1_000
  var requestsAtATime = 4
  /// Told, in words, once the server asks to come back later, and not again before it has taken something.
  var onWait: @Sendable (String) -> Void = { _ in }
  /// How long a request is repeated before it is given up.
  var patience = Duration.seconds(60)
  private let isWaiting = Flag()

  private final class Flag: Sendable {
    private let value = Mutex(false)

    /// - Returns: the former value.
    func set(_ new: Bool) -> Bool {
      value.withLock { value in
        defer { value = new }
        return value
      }
    }
  }

  init(target: HTTPTarget, key: String) {
    self.target = target
    self.key = key
  }

  /// The endpoint for events at a URL; a server's address alone means its usual path.
  static func target(_ url: String) throws(PostingError) -> HTTPTarget {
    guard let target = HTTPTarget(url, defaultPath: "/v1/events") else {
      throw PostingError("\(url) is no URL such as http://127.0.0.1:8080.")
    }
    return target
  }

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

    mutating func next() -> [UInt8]? {
      var bytes: [UInt8] = [UInt8(ascii: "[")]
      for _ in 0..<count {
        guard let event = events.next() else { break }
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        event.appendJSON(to: &bytes)
      }
      guard bytes.count > 1 else { return nil }
      bytes.append(UInt8(ascii: "]"))
      return bytes
    }
  }

  private func post(_ body: [UInt8]) async throws -> Tally {
    let end = ContinuousClock.now + patience
    while true {
      let answer = try await exchange(body)
      switch answer.status {
      case 200, 207, 422:
        guard let verdicts = try? JSONDecoder().decode(Verdicts.self, from: Data(answer.body)) else {
          throw PostingError(
            "\(target) answered \(answer.status) with something else than pushlift's verdicts.")
        }
        _ = isWaiting.set(false)
        return Tally(
          accepted: verdicts.accepted, duplicates: verdicts.duplicates, rejected: verdicts.rejected.count)
      case 429, 503:
        let refusal = PostingError(refusal: answer, of: target)
        let seconds = answer.headers["retry-after"].flatMap(Double.init) ?? 1
        let pause = Duration.seconds(min(max(seconds, 0.1), 10))
        guard ContinuousClock.now + pause < end else {
          throw PostingError("\(refusal) Given up after \(patience.components.seconds) s.")
        }
        if !isWaiting.set(true) {
          onWait("\(refusal) Trying again for up to \(patience.components.seconds) s.")
        }
        try await Task.sleep(for: pause)
      default: throw PostingError(refusal: answer, of: target)
      }
    }
  }

  /// On a thread that may wait.
  private func exchange(_ body: [UInt8]) async throws -> HTTPTarget.Answer {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try target.post(body, ["Content-Type": "application/json", "Authorization": "Bearer \(key)"])
          })
      }
    }
  }

  private struct Verdicts: Decodable {
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

  /// - Parameter refusal: an answer that is no verdict; the server's own words are repeated where it has any.
  fileprivate init(refusal: HTTPTarget.Answer, of target: HTTPTarget) {
    struct Body: Decodable {
      struct Fault: Decodable { let message: String }
      let error: Fault
    }
    let body = try? JSONDecoder().decode(Body.self, from: Data(refusal.body))
    let words = body?.error.message ?? String(decoding: refusal.body.prefix(300), as: UTF8.self)
    description = "\(target) answered \(refusal.status): \(words)"
  }
}
