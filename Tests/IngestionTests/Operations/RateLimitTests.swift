import EventStore
import Synchronization
import TestSupport
import Testing

@testable import Ingestion

/// How many events a key may send.
@Suite struct RateLimiterTests {
  /// A clock that stands until it is moved.
  private final class Hands: Sendable {
    private let time = Mutex<Int64>(0)
    var now: Int64 { time.withLock { $0 } }
    func move(seconds: Double) { time.withLock { $0 += Int64(seconds * 1_000_000) } }
  }

  @Test func aBucketEmptiesAndFillsAgain() {
    let hands = Hands()
    let limiter = RateLimiter(eventsPerSecond: 10, burst: 20) { hands.now }
    #expect(limiter.charge(15, to: "a") == nil)
    #expect(limiter.delay(of: "a") == nil)
    // What is too much is owed: 5 left, 30 taken, so 26 have to come until there is one.
    #expect(limiter.charge(30, to: "a") == nil)
    #expect(limiter.delay(of: "a") == 3)
    #expect(limiter.charge(1, to: "a") == 3)
    hands.move(seconds: 2.4)
    #expect(limiter.delay(of: "a") == 1)
    hands.move(seconds: 0.2)
    #expect(limiter.delay(of: "a") == nil)
    // A long silence saves no more than the burst.
    hands.move(seconds: 1_000)
    #expect(limiter.charge(20, to: "a") == nil)
    #expect(limiter.delay(of: "a") == 1)
  }

  @Test func eachKeyHasItsOwn() {
    let hands = Hands()
    let limiter = RateLimiter(eventsPerSecond: 1, burst: 1) { hands.now }
    #expect(limiter.charge(1, to: "a") == nil)
    #expect(limiter.delay(of: "a") == 1)
    #expect(limiter.delay(of: "b") == nil)
  }

  /// Whatever is sent, what passes in the long run is the rate.
  @Test func theRateHoldsOverTime() {
    let hands = Hands()
    let limiter = RateLimiter(eventsPerSecond: 100, burst: 2_500) { hands.now }
    var passed = 0
    for step in 0..<10_000 {
      let events = [1, 2_500, 7, 400][step % 4]
      if limiter.charge(events, to: "a") == nil { passed += events }
      hands.move(seconds: 0.1)
    }
    #expect((100_000...105_000).contains(passed))
  }
}

@Suite(.store) struct RateLimitTests {
  @Test func aKeyThatSendsTooMuchIsToldToWait() throws {
    let service = try TestService(options: ServiceOptions(eventsPerSecond: 1))
    let other = try service.makeKey()
    try poll(upTo: .seconds(5), "the other key is known") { try service.post("[]", key: other).status == 200 }
    try Self.exhaust(service)
    let before = try service.eventCount()
    let refused = try service.post([Event(99_999).json])
    #expect(refused.status == 429)
    #expect(refused.errorCode == "rate_limited")
    #expect(try #require(refused["Retry-After"].flatMap { Int($0) }) > 1_000)
    #expect(try service.eventCount() == before)
    #expect(try service.post([Event(99_998).json], key: other).status == 200)
    #expect(
      try #require(try service.metrics()[#"pushlift_http_requests_total{route="/v1/events",status="429"}"#])
        >= 1)
  }

  /// Sends until more is owed than a slow machine can wait off.
  private static func exhaust(_ service: TestService) throws {
    let events = (0..<2_500).map { Event($0).json }
    for _ in 0..<2 { #expect([200, 429].contains(try service.post(events).status)) }
    try poll(upTo: .seconds(60), "the key is refused") { try service.post(events).status == 429 }
  }

  @Test func itMaySendAgainAfterwards() throws {
    let service = try TestService(options: ServiceOptions(eventsPerSecond: 2_000))
    let events = (0..<2_500).map { Event($0).json }
    var refusal: HTTPAnswer?
    try poll(upTo: .seconds(60), "the key is refused") {
      let answers = (0..<4).map { _ in BackgroundWork { try service.post(events) } }
      refusal = try answers.map { try $0.value() }.first { $0.status == 429 }
      return refusal != nil
    }
    #expect((1...10).contains(try #require(refusal?["Retry-After"].flatMap { Int($0) })))
    try poll(upTo: .seconds(60), "it may send again") { try service.post([Event(9_999).json]).status == 200 }
  }

  /// A large body is not even sent: the answer comes before it.
  @Test func theBodyIsNotRead() throws {
    let service = try TestService(options: ServiceOptions(eventsPerSecond: 1))
    try Self.exhaust(service)
    let head =
      "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(service.key)\r\n"
      + "Content-Type: application/json\r\nContent-Length: 4000000\r\n\r\n"
    #expect(try service.client.exchange(Array(head.utf8)).status == 429)
  }

  @Test func withoutALimitAnythingGoes() throws {
    let service = try TestService()
    for part in 0..<3 {
      #expect(try service.post((0..<2_500).map { Event(part * 2_500 + $0).json }).status == 200)
    }
    #expect(try service.eventCount() == 7_500)
  }
}
