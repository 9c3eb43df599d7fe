extension Timestamp {
  /// Parses RFC 3339: `2026-09-02T03:33:07.25+02:00`.
  ///
  /// `T` and `Z` may be lower case; a blank is not taken for `T`. The fraction has up to nine digits and is cut, not
  /// rounded, to microseconds. The offset goes to ±23:59. Second 60 is taken as the last microsecond of the minute,
  /// and only where a leap second can be: at 23:59:60 UTC at the end of a month. The instant lies within
  /// ``EventLimits/years`` in UTC.
  ///
  /// - Throws: the code and the message tell which of these rules is broken.
  public init(rfc3339 text: String, field: String = "time") throws(EventFault) {
    switch text.withUTF8Span(Timestamp.parse) {
    case .success(let microseconds): self.init(microseconds: microseconds)
    case .failure(let fault): throw fault.eventFault(of: text, field: field)
    }
  }

  private static func parse(_ bytes: Span<UInt8>) -> Result<Int64, TimeFault> {
    guard bytes.count >= 20, let year = bytes.digits(at: 0, count: 4), bytes[4] == UInt8(ascii: "-"),
      let month = bytes.digits(at: 5, count: 2), bytes[7] == UInt8(ascii: "-"),
      let day = bytes.digits(at: 8, count: 2), bytes[10] | 0x20 == UInt8(ascii: "t"),
      let hour = bytes.digits(at: 11, count: 2), bytes[13] == UInt8(ascii: ":"),
      let minute = bytes.digits(at: 14, count: 2), bytes[16] == UInt8(ascii: ":"),
      let second = bytes.digits(at: 17, count: 2)
    else { return .failure(.malformed) }

    var position = 19
    guard let fraction = bytes.fraction(at: &position) else { return .failure(.fraction) }
    let offset: Int
    switch bytes.offset(at: position) {
    case .success(let minutes): offset = minutes
    case .failure(let fault): return .failure(fault)
    }

    let date = CivilDate(year: year, month: month, day: day)
    guard date.isValid else { return .failure(.day) }
    guard hour <= 23, minute <= 59, second <= 60 else { return .failure(.clock) }
    var minutes = (date.dayNumber * 24 + hour) * 60 + minute - offset
    guard firstMinute..<endMinute ~= minutes else { return .failure(.year) }
    guard second == 60 else {
      return .success(Int64(minutes * 60 + second) * microsecondsPerSecond + Int64(fraction))
    }
    minutes += 1
    guard minutes % 1440 == 0, CivilDate(day: minutes / 1440).day == 1 else { return .failure(.leapSecond) }
    return .success(Int64(minutes * 60) * microsecondsPerSecond - 1)
  }

  private static let firstMinute =
    CivilDate(year: EventLimits.years.lowerBound, month: 1, day: 1).dayNumber * 1440
  private static let endMinute =
    CivilDate(year: EventLimits.years.upperBound + 1, month: 1, day: 1).dayNumber * 1440
}

extension Span<UInt8> {
  /// The number that so many decimal digits spell, or nil; the caller has checked the length.
  fileprivate func digits(at start: Int, count: Int) -> Int? {
    var number = 0
    for position in start..<start + count {
      let digit = self[position] &- 48
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// Microseconds of the fraction at the position, which moves behind it; 0 without one, nil if it is malformed.
  fileprivate func fraction(at position: inout Int) -> Int? {
    guard self[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    var microseconds = 0
    var digits = 0
    while position < count, self[position] &- 48 <= 9 {
      if digits < 6 { microseconds = microseconds * 10 + Int(self[position] &- 48) }
      digits += 1
      position += 1
    }
    guard (1...9).contains(digits) else { return nil }
    while digits < 6 {
      microseconds *= 10
      digits += 1
    }
    return microseconds
  }

  /// Minutes east of UTC, from the position to the end.
  fileprivate func offset(at position: Int) -> Result<Int, TimeFault> {
    guard position < count else { return .failure(.noOffset) }
    let sign = self[position]
    if sign | 0x20 == UInt8(ascii: "z") { return position + 1 == count ? .success(0) : .failure(.malformed) }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return .failure(.malformed) }
    guard position + 6 == count, let hours = digits(at: position + 1, count: 2),
      self[position + 3] == UInt8(ascii: ":"), let minutes = digits(at: position + 4, count: 2),
      hours <= 23, minutes <= 59
    else { return .failure(.offset) }
    let total = hours * 60 + minutes
    return .success(sign == UInt8(ascii: "+") ? total : -total)
  }
}
