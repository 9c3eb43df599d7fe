import EngagementEvents
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", nil),
      ("2026-09-02T03:33:07Z", 1_788_319_987_000_000),
      ("2026-09-02t03:33:07z", 1_788_319_987_000_000),
      ("2026-09-02T05:33:07+02:00", 1_788_319_987_000_000),
      ("2026-09-01T22:03:07-05:30", 1_788_319_987_000_000),
      ("2026-09-02T03:33:07-00:00", 1_788_319_987_000_000),
      ("2022-04-20T10:57:26.413878+02:00", 1_650_445_046_413_878),
      ("2022-04-20T10:57:26.4Z", 1_650_452_246_400_000),
      ("2022-04-20T10:57:26Z", 1_650_452_246_000_000),
      ("2024-02-29T23:59:59.999999999Z", 1_709_251_199_999_999),
      ("2007-01-01T00:00:00Z", 1_167_609_600_000_000),
      ("2100-12-31T23:59:59.999999Z", 4_133_980_799_999_999),
      ("2026-09-03T03:32:07+23:59", 1_788_319_987_000_000),
    ] as [(String, Int64?)])
  func aTimeIsReadToTheMicrosecond(text: String, expected: Int64?) throws {
    if let expected {
      #expect(try Timestamp(rfc3339: text).microseconds == expected)
    } else {
      #expect(throws: EventFault.self) { try Timestamp(rfc3339: text) }
    }
  }

  @Test func fractionsAreCutAndNotRounded() throws {
    let whole = try Timestamp(rfc3339: "2022-04-20T10:57:26Z").microseconds
    for (digits, expected) in [
      ("1", 100_000), ("12", 120_000), ("123", 123_000), ("1234", 123_400), ("12345", 123_450),
      ("123456", 123_456), ("1234567", 123_456), ("12345678", 123_456), ("123456789", 123_456),
      ("999999999", 999_999), ("000000001", 0),
    ] as [(String, Int64)] {
      #expect(try Timestamp(rfc3339: "2022-04-20T10:57:26.\(digits)Z").microseconds - whole == expected)
    }
  }

  @Test(
    arguments: [
      ("", .empty),
      ("2026-09-02T3:33:07 PMZ", .twelveHourClock),
      ("2026-09-02T03:33:07 a.m.Z", .twelveHourClock),
      ("0027-08-21T午後11:16:17.552Z+0900", .foreignCalendar),
      ("٢٠٢٦-٠٩-٠٢T٠٣:٣٣:٠٧Z", .foreignCalendar),
      ("2569-09-17T10:00:00Z", .yearOutOfRange),
      ("0027-08-21T11:16:17Z", .yearOutOfRange),
      ("20231-01-05T00:00:00Z", .yearOutOfRange),
      ("+12023-01-05T00:00:00Z", .yearOutOfRange),
      ("2006-12-31T23:59:59Z", .yearOutOfRange),
      ("2101-01-01T00:00:00Z", .yearOutOfRange),
      ("1970-01-01T01:30:27Z", .yearOutOfRange),
      ("2007-01-01T00:00:00+05:00", .yearOutOfRange),
      ("infinity", .infiniteTime),
      ("-infinity", .infiniteTime),
      ("0000-00-00T00:00:00Z", .dayOutOfRange),
      ("2023-02-30T00:00:00Z", .dayOutOfRange),
      ("2023-02-29T00:00:00Z", .dayOutOfRange),
      ("2100-02-29T00:00:00Z", .dayOutOfRange),
      ("2023-04-31T00:00:00Z", .dayOutOfRange),
      ("2023-13-01T00:00:00Z", .dayOutOfRange),
      ("2023-01-01T24:00:00Z", .clockOutOfRange),
      ("2023-01-01T23:60:00Z", .clockOutOfRange),
      ("2023-01-01T23:59:61Z", .clockOutOfRange),
      ("1718000000", .numberForTime),
      ("1000", .numberForTime),
      ("1718000000.5", .numberForTime),
      ("1e18", .numberForTime),
      ("-1", .numberForTime),
      ("2026-09-02T03:33:07", .missingTimeZone),
      ("2026-09-02T03:33:07.123", .missingTimeZone),
      ("2026-09-02T03:33:07+0900", .invalidTimeZone),
      ("2026-09-02T03:33:07+9:00", .invalidTimeZone),
      ("2026-09-02T03:33:07+24:00", .invalidTimeZone),
      ("2026-09-02T03:33:07+02:60", .invalidTimeZone),
      ("2026-09-02 03:33:07Z", .invalidTime),
      ("2026-09-02", .invalidTime),
      ("2026-9-2T03:33:07Z", .invalidTime),
      ("2026-09-02T03:33Z", .invalidTime),
      ("2026-09-02T03:33:07.Z", .invalidTime),
      ("2026-09-02T03:33:07,5Z", .invalidTime),
      ("2026-09-02T03:33:07.1234567890Z", .invalidTime),
      ("2026-09-02T03:33:07ZZ", .invalidTime),
      ("2026-09-02T03:33:07 Z", .invalidTime),
      ("yesterday", .invalidTime),
    ] as [(String, EventFault.Code)])
  func whatIsNoTimeIsRejectedByName(text: String, code: EventFault.Code) {
    let fault = #expect(throws: EventFault.self) { try Timestamp(rfc3339: text, field: "occurredAt") }
    #expect(fault?.code == code)
    #expect(fault?.field == "occurredAt")
    #expect(fault?.message.contains("occurredAt") == true)
  }

  @Test func aLeapSecondIsTakenOnlyWhereItCanBe() throws {
    let last = try Timestamp(rfc3339: "2016-12-31T23:59:59.999999Z")
    #expect(try Timestamp(rfc3339: "2016-12-31T23:59:60Z") == last)
    #expect(try Timestamp(rfc3339: "2016-12-31T23:59:60.75Z") == last)
    #expect(try Timestamp(rfc3339: "2017-01-01T00:59:60+01:00") == last)
    for text in [
      "2016-12-31T23:58:60Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00", "2016-12-30T23:59:60Z",
    ] {
      let fault = #expect(throws: EventFault.self) { try Timestamp(rfc3339: text) }
      #expect(fault?.code == .impossibleLeapSecond)
    }
  }

  @Test func writtenAndReadAgainATimeIsTheSame() throws {
    var generator = SplitMix(seed: 7)
    for _ in 0..<5_000 {
      let microseconds = Int64.random(in: 1_167_609_600_000_000..<4_133_980_800_000_000, using: &generator)
      let coarse: Int64 = [1, 1000, 1_000_000].randomElement(using: &generator) ?? 1
      let time = Timestamp(microseconds: microseconds / coarse * coarse)
      #expect(try Timestamp(rfc3339: time.rfc3339) == time)
    }
  }

  @Test func timesAreWrittenAsShortAsIsExact() {
    #expect(Timestamp(microseconds: 0).rfc3339 == "1970-01-01T00:00:00Z")
    #expect(Timestamp(microseconds: 1_650_452_246_400_000).rfc3339 == "2022-04-20T10:57:26.400Z")
    #expect(Timestamp(microseconds: 1_650_452_246_000_001).rfc3339 == "2022-04-20T10:57:26.000001Z")
    #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999999Z")
    #expect(Timestamp(microseconds: -62_198_755_200_000_000).rfc3339 == "-000001-01-01T00:00:00Z")
  }

  @Test func theDayIsThatOfUTC() throws {
    #expect(Timestamp(microseconds: -1).utcDay == -1)
    #expect(Timestamp(microseconds: 0).utcDay == 0)
    #expect(Timestamp(microseconds: 86_400_000_000).utcDay == 1)
    #expect(try Timestamp(rfc3339: "2026-03-02T00:30:00+01:00").utcDay == 20_513)
  }
}

/// A small generator whose sequence is the same everywhere.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
