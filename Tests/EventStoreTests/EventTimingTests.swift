import EngagementEvents
import EventStore
import TestSupport
import Testing

struct EventTimingTests {
  private static let now = EventSample.noon
  private static let minute: Int64 = 60_000_000
  private static let day: Int64 = 86_400_000_000

  private func at(_ offset: Int64) -> Timestamp { Timestamp(microseconds: Self.now.microseconds + offset) }

  /// Microseconds by which the device's clock is behind, and by which the time is then moved.
  struct Skew: Sendable {
    let behind: Int64
    let moved: Int64
    let quality: TimeQuality

    init(_ behind: Int64, moved: Int64, _ quality: TimeQuality) {
      self.behind = behind
      self.moved = moved
      self.quality = quality
    }

    static let edge: Int64 = 55 * minute
    static let all = [
      Skew(0, moved: 0, .client),
      Skew(edge, moved: 0, .client),
      Skew(edge + 1, moved: edge + 1, .corrected),
      Skew(-edge, moved: 0, .client),
      Skew(-edge - 1, moved: -edge - 1, .corrected),
      Skew(3_650 * day, moved: 3_650 * day, .implausible),
    ]
  }

  @Test(arguments: Skew.all)
  func onlyASkewBeyond55MinutesIsCorrected(_ skew: Skew) {
    let occurred = -10 * Self.minute
    let timing = EventTiming(occurredAt: at(occurred), sentAt: at(-skew.behind), receivedAt: Self.now)
    #expect(timing.corrected == at(occurred + skew.moved))
    #expect(timing.quality == skew.quality)
  }

  private static let believed: [Int64] = [0, -1, 1, day, -400 * day]
  private static let unbelievable: [Int64] = [day + 1, -400 * day - 1, 36_500 * day, -7_000 * day]

  @Test func beyondADayAheadOr400DaysBackNoTimeIsBelieved() {
    for (offsets, quality) in [(Self.believed, TimeQuality.client), (Self.unbelievable, .implausible)] {
      for offset in offsets {
        let timing = EventTiming(occurredAt: at(offset), sentAt: nil, receivedAt: Self.now)
        #expect(timing.quality == quality)
        #expect(timing.corrected == at(offset))
      }
    }
  }

  /// It is the corrected time that has to be believable.
  @Test func aClockThatIsYearsOffIsCorrectedBeforeItIsJudged() {
    let off = 3_000 * Self.day
    for sign: Int64 in [-1, 1] {
      let timing = EventTiming(
        occurredAt: at(sign * off - Self.minute), sentAt: at(sign * off), receivedAt: Self.now)
      #expect(timing.quality == .corrected)
      #expect(timing.corrected == at(-Self.minute))
    }
    // And a good clock with a `sentAt` that is off makes a good time a bad one.
    let spoilt = EventTiming(occurredAt: at(0), sentAt: at(-off), receivedAt: Self.now)
    #expect(spoilt.quality == .implausible)
  }

  /// A correction moves all events of a request alike.
  @Test func theOrderWithinARequestStays() {
    let sent = at(-7 * Self.day)
    let times = [0, 1, Self.minute, 2 * Self.minute].map { at(-7 * Self.day - Self.minute * 5 + $0) }
    let corrected = times.map { EventTiming(occurredAt: $0, sentAt: sent, receivedAt: Self.now).corrected }
    #expect(corrected == corrected.sorted())
    #expect(zip(corrected, times).allSatisfy { $0.microseconds - $1.microseconds == 7 * Self.day })
  }
}
