import EngagementEvents
import Foundation
import Testing

@testable import EngagementSDK

/// The uploader's parts, each by itself.
struct UploadPartsTests {
  @Test func waitsGrowFromNothingToALimit() {
    var backoff = Backoff(base: .seconds(2), limit: .seconds(60))
    let waits = (0..<8).map { _ in backoff.next(after: nil, jitter: 1) / .seconds(1) }
    #expect(waits == [2, 4, 8, 16, 32, 60, 60, 60])
    let none = (0..<100).map { _ in backoff.next(after: nil, jitter: 0) }
    #expect(none.allSatisfy { $0 == .zero })
    let wait1 = backoff.next(after: nil, jitter: 0.5)
    #expect(wait1 == .seconds(30))
    backoff.reset()
    let wait2 = backoff.next(after: nil, jitter: 1)
    #expect(wait2 == .seconds(2))
  }

  @Test func whatTheServerAsksForIsWaitedFor() {
    var backoff = Backoff(base: .seconds(2), limit: .seconds(60), longestRetryAfter: .seconds(3_600))
    let wait3 = backoff.next(after: .seconds(120), jitter: 0)
    #expect(wait3 == .seconds(120))
    // Not all at the same moment.
    let wait4 = backoff.next(after: .seconds(120), jitter: 1)
    #expect(wait4 == .seconds(122))
    let wait5 = backoff.next(after: .seconds(1 << 40), jitter: 0)
    #expect(wait5 == .seconds(3_600))
    let wait6 = backoff.next(after: .seconds(-5), jitter: 0)
    #expect(wait6 == .zero)
  }

  @Test(arguments: [
    ("120", 120.0), ("0", 0), (" 7 ", 7), ("99999999999999999999", 4_294_967_296),
    ("Sun, 06 Nov 2033 08:50:37 GMT", 60), ("Sun, 06 Nov 2033 08:40:37 GMT", 0), ("-5", nil), ("1.5", nil),
    ("", nil),
    ("soon", nil), ("Sun, 06 Nov 2033 08:50:37 CET", nil), ("Sun, 31 Feb 2033 08:50:37 GMT", nil),
  ])
  func retryAfterIsRead(value: String, seconds: Double?) throws {
    let now = try Timestamp(rfc3339: "2033-11-06T08:49:37Z")
    #expect(RetryAfter.duration(value, date: nil, now: now) == seconds.map { .seconds($0) })
  }

  @Test func aDateIsMeasuredByTheServersClock() throws {
    let wrong = try Timestamp(rfc3339: "2020-01-01T00:00:00Z")
    let wait = RetryAfter.duration(
      "Sun, 06 Nov 2033 08:50:37 GMT", date: "Sun, 06 Nov 2033 08:49:37 GMT", now: wrong)
    #expect(wait == .seconds(60))
    #expect(RetryAfter.duration(nil, date: nil, now: wrong) == nil)
  }

  @Test(arguments: [429, 503]) func aWaitIsFoundWhateverTheHeadersCase(status: Int) {
    let response = UploadResponse(status: status, headers: ["retry-after": "30"])
    let verdict = UploadVerdict(response, eventCount: 1, now: Timestamp(microseconds: 0))
    #expect(verdict == .retry(after: .seconds(30), reason: "status \(status)"))
  }

  @Test func batchesShrinkAndGrow() {
    var size = BatchSize(largest: 100)
    let shrunk100 = size.shrink(from: 100)
    #expect(shrunk100)
    #expect(size.events == 50)
    let shrunk3 = size.shrink(from: 3)
    #expect(shrunk3)
    #expect(size.events == 1)
    let shrunk1 = size.shrink(from: 1)
    #expect(!shrunk1)
    for _ in 0..<10 { size.grow() }
    #expect(size.events == 100)
    #expect(BatchSize(largest: 0).events == 1)
  }

  @Test func compressionIsUndoneByAnybody() throws {
    for count in [100, 5_000, 300_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let compressed = try #require(Gzip.compress(bytes))
      #expect(compressed.count < count)
      #expect(try gunzip(compressed) == bytes)
    }
    // What gets no smaller stays as it is.
    #expect(Gzip.compress([]) == nil)
    #expect(Gzip.compress([1, 2, 3]) == nil)
  }

  @Test func theChecksumIsGzips() {
    #expect(CRC32.checksum("123456789".utf8) == 0xCBF4_3926)
    #expect(CRC32.checksum([UInt8]()) == 0)
  }

  @Test func timeIsAdvancedToTheMicrosecond() {
    #expect(Timestamp(microseconds: 5).advanced(by: .microseconds(1_500_001)).microseconds == 1_500_006)
    #expect(Timestamp(microseconds: 5).advanced(by: .seconds(Int64.max)).microseconds == .max)
  }
}
