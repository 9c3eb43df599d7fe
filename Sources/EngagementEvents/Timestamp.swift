/// An instant, in microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Timestamp: Sendable, Hashable {
  /// Microseconds since 1970 in UTC; negative before.
  public let microseconds: Int64

  /// Makes an instant; every number is one.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The UTC day: days since 1970-01-01, negative before.
  public var utcDay: Int { Int(microseconds.floorDivided(by: Timestamp.microsecondsPerDay)) }

  static let microsecondsPerSecond: Int64 = 1_000_000
  static let microsecondsPerDay: Int64 = 86_400_000_000
}

extension Timestamp: Comparable, CustomStringConvertible {
  /// The order of time.
  public static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.microseconds < other.microseconds
  }

  /// RFC 3339 in UTC.
  public var description: String { rfc3339 }
}

extension Timestamp {
  /// RFC 3339 in UTC, with no fraction digits, three or six, whichever are needed to be exact.
  ///
  /// Years outside 0–9999, which RFC 3339 cannot write, come with a sign and at least six digits, as in ISO 8601.
  public var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends ``rfc3339`` to bytes.
  public func appendRFC3339(to bytes: inout [UInt8]) {
    let date = CivilDate(day: utcDay)
    let ofDay = microseconds - Int64(utcDay) * Timestamp.microsecondsPerDay
    let seconds = Int(ofDay / Timestamp.microsecondsPerSecond)
    let fraction = Int(ofDay % Timestamp.microsecondsPerSecond)
    if (0...9999).contains(date.year) {
      bytes.appendDecimal(date.year, width: 4)
    } else {
      bytes.append(UInt8(ascii: date.year < 0 ? "-" : "+"))
      bytes.appendDecimal(abs(date.year), width: 6)
    }
    let parts = [
      ("-", date.month), ("-", date.day), ("T", seconds / 3600), (":", seconds / 60 % 60),
      (":", seconds % 60),
    ]
    for (separator, number) in parts {
      bytes.append(contentsOf: separator.utf8)
      bytes.appendDecimal(number, width: 2)
    }
    if fraction != 0 {
      bytes.append(UInt8(ascii: "."))
      if fraction % 1000 == 0 {
        bytes.appendDecimal(fraction / 1000, width: 3)
      } else {
        bytes.appendDecimal(fraction, width: 6)
      }
    }
    bytes.append(UInt8(ascii: "Z"))
  }
}

extension Int64 {
  func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

extension [UInt8] {
  /// Appends a number of at least `width` digits, filled with zeros.
  mutating func appendDecimal(_ number: Int, width: Int) {
    let digits = String(number)
    for _ in 0..<Swift.max(0, width - digits.utf8.count) { append(UInt8(ascii: "0")) }
    append(contentsOf: digits.utf8)
  }
}
