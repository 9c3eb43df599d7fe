import Foundation
import Testing

@testable import Ingestion

@Suite struct LocalTimeTests {
  private func read(_ text: String, _ zone: String? = nil) throws -> (text: String, ambiguous: Int) {
    var times = LocalTime(zone: try zone.map { try #require(TimeZone(identifier: $0)) })
    let read = try times.rfc3339(Array(text.utf8))
    return (String(decoding: read, as: UTF8.self), times.ambiguousTimes)
  }

  @Test(arguments: [
    ("2023-03-16T10:00:00Z", "2023-03-16T10:00:00Z"),
    ("2023-03-16 10:00:00 UTC", "2023-03-16T10:00:00Z"),
    ("2023-03-16 10:00:00.25+01", "2023-03-16T10:00:00.25+01:00"),
    ("2023-03-16 10:00:00,5 -0330", "2023-03-16T10:00:00.5-03:30"),
    ("2023-03-16 10:00+02:00", "2023-03-16T10:00:00+02:00"),
    ("1678960800", "1678960800"), ("2023-03-16", "2023-03-16"), ("16.03.2023 10:00", "16.03.2023 10:00"),
    ("2023-03-16 10:00:00 PM", "2023-03-16 10:00:00 PM"),
    ("2023-03-16 10:00:00 +1", "2023-03-16 10:00:00 +1"),
  ])
  func aTimeWithItsOffsetNeedsNoZone(_ text: String, _ expected: String) throws {
    #expect(try read(text).text == expected)
    #expect(try read(text, "Asia/Tokyo").text == expected)
  }

  @Test func aTimeWithoutAZoneIsNeverGuessed() {
    #expect(throws: LocalTime.Fault.noZone) { try read("2023-03-16 10:00:00") }
    #expect(throws: LocalTime.Fault.noZone) { try read("2023-03-16T10:00:00.5") }
  }

  @Test(arguments: [
    ("2023-03-16 10:00:00", "Europe/Berlin", "+01:00"), ("2023-07-16 10:00:00", "Europe/Berlin", "+02:00"),
    ("2023-03-26 01:59:59", "Europe/Berlin", "+01:00"), ("2023-03-26 03:00:00", "Europe/Berlin", "+02:00"),
    ("2023-10-29 01:59:59", "Europe/Berlin", "+02:00"), ("2023-10-29 03:00:00", "Europe/Berlin", "+01:00"),
    ("2023-01-01 00:00:00", "Asia/Kolkata", "+05:30"), ("2023-01-01 00:00:00", "America/St_Johns", "-03:30"),
    ("2023-01-01 00:00:00", "UTC", "+00:00"),
  ])
  func aLocalTimeGetsTheOffsetOfItsZone(_ text: String, _ zone: String, _ offset: String) throws {
    let read = try read(text, zone)
    #expect(read.text == text.replacing(" ", with: "T") + offset)
    #expect(read.ambiguous == 0)
  }

  @Test func aTimeThatClocksShowedTwiceIsTheEarlierAndCounted() throws {
    let berlin = try read("2023-10-29 02:30:00", "Europe/Berlin")
    #expect(berlin == ("2023-10-29T02:30:00+02:00", 1))
    // Half an hour, on the other side of the world.
    let lordHowe = try read("2023-04-02 01:45:00", "Australia/Lord_Howe")
    #expect(lordHowe == ("2023-04-02T01:45:00+11:00", 1))
  }

  @Test func aTimeThatNoClockShowedIsAFault() {
    #expect(throws: LocalTime.Fault.nonexistent) { try read("2023-03-26 02:30:00", "Europe/Berlin") }
    #expect(throws: LocalTime.Fault.nonexistent) { try read("2023-03-12 02:00:00", "America/New_York") }
  }

  @Test(arguments: ["CET", "EST", "PST8PDT", "Europe/Berlin", "MESZ"]) func aZonesNameIsNoOffset(name: String)
  {
    for text in ["2023-03-16 10:00:00 \(name)", "2023-03-16T10:00\(name)"] {
      #expect(throws: LocalTime.Fault.namedZone) { try read(text) }
      #expect(throws: LocalTime.Fault.namedZone) { try read(text, "Asia/Tokyo") }
    }
  }

  /// What is told is what the file has, and not what became of it.
  @Test(arguments: [
    ("2026-11-20 24:00:00", "clock_out_of_range", "hours go to 23"),
    ("2026-11-31 10:00", "day_out_of_range", "no such day"),
    ("2026-02-30 10:00:00+01", "day_out_of_range", "no such day"),
    ("1970-01-01 00:00:00 UTC", "year_out_of_range", "outside"),
    ("2026-11-20 10:00:00 CET", "invalid_time_zone", "whose zone is a name; write its offset"),
  ])
  func aFaultQuotesTheTimeAsItIsWritten(text: String, code: String, reason: String) throws {
    var times = LocalTime(zone: TimeZone(identifier: "Europe/Berlin"))
    let fault = #expect(throws: RowFault.self) { try times.occurredAt(Array(text.utf8)) }
    #expect(fault?.field == "occurredAt")
    #expect(fault?.code == code)
    #expect(fault?.message.hasPrefix("occurredAt is “\(text)”") == true, "\(fault?.message ?? "")")
    #expect(fault?.message.contains(reason) == true, "\(fault?.message ?? "")")
  }

  @Test func aDayThatThereIsNotIsLeftToTheEventsRules() throws {
    #expect(try read("2023-02-30 10:00:00", "Europe/Berlin").text == "2023-02-30T10:00:00Z")
  }
}
