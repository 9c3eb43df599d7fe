internal import EngagementEvents

/// Numbers as text, the same in every locale: ASCII digits, a point for decimals, never an exponent.
package enum Format {
  /// A number with exactly so many decimals, rounded half away from zero.
  ///
  /// - Parameters:
  ///   - value: finite; its magnitude times ten to the digits must stay below 2⁶³.
  ///   - digits: 0 to 15.
  package static func decimal(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled.isFinite, scaled < 9e18 else {
      return value > 0 ? "infinity" : value < 0 ? "-infinity" : "undefined"
    }
    let number = UInt64(scaled)
    let sign = value < 0 && number > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(number) }
    let text = String(number)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }

  /// A count with commas between the thousands: `12,345`.
  package static func count(_ value: Double) -> String {
    var text = decimal(value, digits: 0)
    var position = text.count - 3
    while position > (text.hasPrefix("-") ? 1 : 0) {
      text.insert(",", at: text.index(text.startIndex, offsetBy: position))
      position -= 3
    }
    return text
  }

  package static func count(_ value: Int) -> String { count(Double(value)) }

  /// A count with its noun: `1 reply`, `2,000 replies`.
  ///
  /// - Parameter plural: nil where it is the noun with an s.
  package static func count(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(Self.noun(value, noun, plural))"
  }

  /// The noun of a count, in the singular or the plural.
  package static func noun(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
    value == 1 ? noun : plural ?? noun + "s"
  }

  /// What stands in tables where there is no name.
  private static let stands: Set<ExactText> = ["(none)", "(all)", "(all, crude)", "(not told)", "(others)"]

  /// A name that came from outside, for people: "(none)" where it is empty, and in quotation marks where it could be taken for
  /// such a word.
  package static func name(_ name: String) -> String {
    guard !name.isEmpty else { return "(none)" }
    let isQuoted =
      name.utf8.count > 1 && name.utf8.first == UInt8(ascii: "\"") && name.utf8.last == UInt8(ascii: "\"")
    return stands.contains(ExactText(name)) || isQuoted ? "\"\(name)\"" : name
  }

  /// Names as a sentence has them, no more than a few.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(5).map { TextTable.visible(name($0)) }.joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(count(names.count - 5, "other"))" : shown
  }

  /// `12.3 %`.
  package static func percent(_ share: Double, digits: Int = 1) -> String {
    guard share.isFinite else { return "unlimited" }
    return decimal(share * 100, digits: digits) + " %"
  }

  /// `+35.1 %`, `−4.0 %`.
  package static func signedPercent(_ share: Double, digits: Int = 1) -> String {
    guard share.isFinite else { return "unlimited" }
    return signed(share * 100, digits: digits) + " %"
  }

  /// With a sign, unless it rounds to zero.
  package static func signed(_ value: Double, digits: Int) -> String {
    let text = decimal(value.magnitude, digits: digits)
    guard text.contains(where: { $0 != "0" && $0 != "." }) else { return text }
    return (value < 0 ? "−" : "+") + text
  }

  /// A p-value as people quote it.
  package static func pValue(_ value: Double) -> String {
    value < 0.0001 ? "p < 0.0001" : "p = " + decimal(value, digits: 4)
  }

  /// Seconds in the largest unit that divides them: `24 h`, `7 d`, `90 s`.
  package static func window(_ seconds: Int) -> String {
    if seconds > 172_800, seconds.isMultiple(of: 86_400) { return "\(seconds / 86_400) d" }
    if seconds.isMultiple(of: 3_600) { return "\(seconds / 3_600) h" }
    if seconds.isMultiple(of: 60) { return "\(seconds / 60) min" }
    return "\(seconds) s"
  }

  /// Elapsed seconds in the unit that suits their size: `0.4 s`, `12 s`, `3.5 min`, `7.2 h`, `2.1 d`.
  package static func elapsed(_ seconds: Double) -> String {
    switch seconds {
    case ..<10: decimal(seconds, digits: 1) + " s"
    case ..<120: decimal(seconds, digits: 0) + " s"
    case ..<7_200: decimal(seconds / 60, digits: 1) + " min"
    case ..<172_800: decimal(seconds / 3_600, digits: 1) + " h"
    default: decimal(seconds / 86_400, digits: 1) + " d"
    }
  }
}
