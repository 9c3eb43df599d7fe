/// The rule of RFC 3339, or of the contract, that a time breaks.
enum TimeFault: Error {
  case malformed, fraction, noOffset, offset, day, clock, leapSecond, year

  /// The fault with a code and a sentence; looks closer at a malformed text to tell what it is instead.
  func eventFault(of text: String, field: String) -> EventFault {
    let (code, reason) = self == .malformed ? TimeFault.look(at: text) : verdict
    return EventFault(
      field: field, code: code, message: "\(field) is \(EventFault.quote(text)): \(reason)")
  }

  private var verdict: (EventFault.Code, String) {
    switch self {
    case .malformed:
      (.invalidTime, "not an RFC 3339 time; send one such as 2026-09-02T03:33:07.25+02:00")
    case .fraction: (.invalidTime, "a fraction has one to nine digits after a point")
    case .noOffset:
      (.missingTimeZone, "there is no offset from UTC; end the time with Z or an offset such as +02:00")
    case .offset: (.invalidTimeZone, "the offset is not one from -23:59 to +23:59, written as +02:00")
    case .day: (.dayOutOfRange, "there is no such day in the calendar")
    case .clock: (.clockOutOfRange, "hours go to 23, minutes to 59, seconds to 59")
    case .leapSecond:
      (.impossibleLeapSecond, "second 60 is possible only at 23:59:60 UTC at the end of a month")
    case .year:
      (
        .yearOutOfRange,
        "the year lies outside \(EventLimits.years.lowerBound)–\(EventLimits.years.upperBound) in UTC; "
          + "format with the Gregorian calendar and a set clock"
      )
    }
  }

  /// What a text is that has not even the shape of a time; only for the message, so it may be slow.
  private static func look(at text: String) -> (EventFault.Code, String) {
    if text.isEmpty { return (.empty, "send an RFC 3339 time") }
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      return (
        .foreignCalendar, "format with the Gregorian calendar and the locale en_US_POSIX, in ASCII digits"
      )
    }
    let lower = text.lowercased()
    if isNumber(text) {
      return (.numberForTime, "a number does not tell its unit; send an RFC 3339 time")
    }
    if ["infinity", "-infinity", "+infinity", "inf", "-inf", "nan"].contains(lower) {
      return (.infiniteTime, "send the instant at which it happened")
    }
    if ["am", "pm", "a.m", "p.m"].contains(where: lower.contains) {
      return (
        .twelveHourClock,
        "this is a 12-hour clock; format with the locale en_US_POSIX and hours from 00 to 23"
      )
    }
    let year =
      bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    let yearDigits = year.prefix { $0 &- 48 <= 9 }.count
    if yearDigits > 4, year.dropFirst(yearDigits).first == UInt8(ascii: "-") { return TimeFault.year.verdict }
    if bytes.count > 10, yearDigits == 4, bytes[10] != UInt8(ascii: "T"), bytes[10] != UInt8(ascii: "t") {
      return (.invalidTime, "date and time are joined by a T")
    }
    if bytes.count == 19, bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[16] == UInt8(ascii: ":") {
      return TimeFault.noOffset.verdict
    }
    return TimeFault.malformed.verdict
  }

  private static func isNumber(_ text: String) -> Bool {
    Double(text).map { $0.isFinite } ?? false
  }
}
