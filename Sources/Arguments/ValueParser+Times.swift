extension ValueParser where Value == Duration {
  /// A whole number and a unit: `90s`, `5m`, `24h`, `30d` (a day is 24 hours). Zero or more, at most 10,000 days.
  package static var duration: Self { duration(in: .zero ... .seconds(864_000_000)) }

  /// The same within bounds, which the error names.
  package static func duration(in range: ClosedRange<Duration>) -> Self {
    let isBounded = range.lowerBound > .zero
    let bounds =
      isBounded ? ", \(describeDuration(range.lowerBound)) to \(describeDuration(range.upperBound))" : ""
    return ValueParser(
      placeholder: "duration",
      parse: { text throws(ValueError) in
        guard let unit = text.last, let seconds = secondsByUnit[unit],
          text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let count = Int64(text.dropLast()), count <= 864_000_000 / seconds,
          range.contains(.seconds(count * seconds))
        else { throw ValueError(expected: "a duration such as 90s, 5m, 24h or 30d\(bounds)") }
        return .seconds(count * seconds)
      },
      describe: describeDuration)
  }
}

private let secondsByUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]

/// In hours up to two days and in the largest unit that divides it beyond, as people write windows: `24h`, `14d`.
@Sendable private func describeDuration(_ duration: Duration) -> String {
  let seconds = duration.components.seconds
  if seconds > 172_800, seconds % 86400 == 0 { return "\(seconds / 86400)d" }
  if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
  if seconds > 0, seconds % 60 == 0 { return "\(seconds / 60)m" }
  return "\(seconds)s"
}

extension ValueParser where Value == CalendarDate {
  /// A day of the calendar, `2026-11-30`.
  package static var date: Self {
    ValueParser(
      placeholder: "date",
      parse: { text throws(ValueError) in
        guard let date = CalendarDate(text) else {
          throw ValueError(expected: "a date of the calendar such as 2026-11-30")
        }
        return date
      },
      describe: \.description)
  }
}
