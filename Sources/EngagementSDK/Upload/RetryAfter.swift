internal import EngagementEvents

/// Reads `Retry-After`, RFC 9110 section 10.2.3: seconds, or a date.
enum RetryAfter {
  /// The time to wait; nil where the header is absent or makes no sense.
  ///
  /// A date is measured against the answer's own `Date`, since the device's clock may be wrong.
  static func duration(_ value: String?, date: String?, now: Timestamp) -> Duration? {
    guard let value = value?.trimmed, !value.isEmpty else { return nil }
    if value.utf8.allSatisfy({ (48...57).contains($0) }) {
      return .seconds(Int64(value).map { min($0, 1 << 32) } ?? 1 << 32)
    }
    guard let until = instant(value) else { return nil }
    let start = date.flatMap { instant($0.trimmed) } ?? now
    return .microseconds(max(0, until.microseconds - start.microseconds))
  }

  /// The instant of a date such as `Sun, 06 Nov 2033 08:49:37 GMT`, the only form that may be sent.
  private static func instant(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", parts[1].utf8.count == 2,
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return try? Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension String {
  fileprivate var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
