internal import EngagementEvents
internal import Foundation

/// Reads times as spreadsheets and databases write them, and local ones in a zone.
///
/// A local time that the clocks showed twice, in the hour in which they go back, is taken for the earlier of the two: that
/// is a rule, not knowledge, and the times it was needed for are counted. One that no clock showed, in the hour that is
/// left out in spring, is an error.
struct LocalTime {
  /// Nil where none was named.
  let zone: TimeZone?
  private(set) var ambiguousTimes = 0

  init(zone: TimeZone?) { self.zone = zone }

  enum Fault: Error, Hashable {
    case noZone
    case nonexistent
    /// Behind the time stands a name, such as CET, which is not the same offset everywhere and all year.
    case namedZone
    /// A day or an hour that there is not, for instance.
    case impossible(RowFault)
  }

  /// The time in RFC 3339; what has not the shape of a date and a time comes back as it is.
  mutating func rfc3339(_ text: [UInt8]) throws(Fault) -> [UInt8] {
    guard let parts = try Self.split(text) else { return text }
    if let offset = parts.offset { return parts.local + offset }
    guard let zone else { throw .noZone }
    let local = String(decoding: parts.local, as: UTF8.self)
    // A day or an hour that there is not is for the event's own rules to name.
    guard let asUTC = try? Timestamp(rfc3339: local + "Z", field: "") else {
      return parts.local + [UInt8(ascii: "Z")]
    }
    return parts.local + Array(try offset(in: zone, at: asUTC.microseconds / 1_000_000).utf8)
  }

  /// - Parameter local: seconds since 1970, as if the zone's clocks were in UTC.
  private mutating func offset(in zone: TimeZone, at local: Int64) throws(Fault) -> String {
    func offset(_ seconds: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
    }
    // A day before and after, the offsets on both sides of a change are in force.
    let candidates = Set([offset(local - 86_400), offset(local + 86_400)])
    let valid = candidates.filter { offset(local - $0) == $0 }
    // The greater offset is the earlier instant.
    guard let chosen = valid.max() else { throw .nonexistent }
    if valid.count > 1 { ambiguousTimes += 1 }
    let minutes = abs(chosen) / 60
    let digits = [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10].map { String($0) }
    return (chosen < 0 ? "-" : "+") + digits[0] + digits[1] + ":" + digits[2] + digits[3]
  }

  /// `2023-03-16 10:00:00.25 +01` in its parts: the local time with a T and seconds, and an offset in RFC 3339 if there is one.
  private static func split(_ text: [UInt8]) throws(Fault) -> (local: [UInt8], offset: [UInt8]?)? {
    guard text.count >= 16, hasShape(text[..<10], "dddd-dd-dd"), hasShape(text[11..<16], "dd:dd"),
      [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(text[10])
    else { return nil }
    var local = text[..<10] + [UInt8(ascii: "T")] + text[11..<16]
    var rest = text[16...]
    if rest.count >= 3, hasShape(rest.prefix(3), ":dd") {
      local += rest.prefix(3)
      rest = rest.dropFirst(3)
      if let point = rest.first, point == UInt8(ascii: ".") || point == UInt8(ascii: ",") {
        let digits = rest.dropFirst().prefix { isDigit($0) }
        local += [UInt8(ascii: ".")] + digits
        rest = rest.dropFirst(1 + digits.count)
      }
    } else {
      local += Array(":00".utf8)
    }
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    if rest.isEmpty { return (Array(local), nil) }
    if let offset = offset(rest) { return (Array(local), offset) }
    let word = String(decoding: rest, as: UTF8.self).lowercased()
    let isName = word.first?.isLetter == true && rest.allSatisfy(isOfZoneName)
    guard isName, word != "am", word != "pm" else { return nil }
    throw .namedZone
  }

  private static func offset(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if ["Z", "z", "UTC", "GMT"].contains(String(decoding: text, as: UTF8.self)) {
      return [UInt8(ascii: "Z")]
    }
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = text.dropFirst()
    if hasShape(digits, "dd:dd") { return Array(text) }
    if hasShape(digits, "dd") { return Array(text) + Array(":00".utf8) }
    if hasShape(digits, "dddd") { return Array(text.prefix(3)) + [UInt8(ascii: ":")] + digits.suffix(2) }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 <= 9 }

  /// `CET`, `PST8PDT` or `Europe/Berlin`.
  private static func isOfZoneName(_ byte: UInt8) -> Bool {
    isDigit(byte) || (97...122).contains(byte | 0x20) || "/_-+".utf8.contains(byte)
  }

  private static func hasShape(_ text: ArraySlice<UInt8>, _ shape: StaticString) -> Bool {
    shape.withUTF8Buffer { shape in
      text.count == shape.count
        && zip(text, shape).allSatisfy { $1 == UInt8(ascii: "d") ? isDigit($0) : $0 == $1 }
    }
  }
}

extension LocalTime {
  /// The same for a text; one that is RFC 3339 as it is, as nearly all are, is not taken apart.
  mutating func occurredAt(_ text: String) throws(RowFault) -> String {
    let behindDay = text.utf8.dropFirst(10).first
    if behindDay == UInt8(ascii: "T"), (try? Timestamp(rfc3339: text)) != nil { return text }
    return String(decoding: try occurredAt(Array(text.utf8)), as: UTF8.self)
  }

  /// The time of an event in RFC 3339, as far as it has the shape of a time.
  mutating func occurredAt(_ text: [UInt8]) throws(RowFault) -> [UInt8] {
    let shown = EventFault.quote(String(decoding: text, as: UTF8.self))
    do throws(LocalTime.Fault) {
      let time = try rfc3339(text)
      if time != text { try Self.check(String(decoding: time, as: UTF8.self), shown: shown) }
      return time
    } catch {
      throw switch error {
      case .noZone:
        RowFault(
          field: EventField.occurredAt.rawValue, code: EventFault.Code.missingTimeZone.rawValue,
          message:
            "occurredAt is \(shown), which does not tell its time zone. Name the zone that the file's times are in "
            + "with --timezone, such as --timezone Europe/Berlin or --timezone UTC.")
      case .nonexistent:
        RowFault(
          field: EventField.occurredAt.rawValue, code: EventFault.Code.clockOutOfRange.rawValue,
          message:
            "occurredAt is \(shown), which no clock in \(zone?.identifier ?? "") showed: they were put forward over it"
        )
      case .namedZone:
        RowFault(
          field: EventField.occurredAt.rawValue, code: EventFault.Code.invalidTimeZone.rawValue,
          message:
            "occurredAt is \(shown), whose zone is a name; write its offset, such as +01:00, or leave it out and name the zone with --timezone"
        )
      case .impossible(let fault): fault
      }
    }
  }

  /// What breaks a rule is told as the file has it.
  private static func check(_ time: String, shown: String) throws(Fault) {
    do throws(EventFault) {
      _ = try Timestamp(rfc3339: time, field: EventField.occurredAt.rawValue)
    } catch {
      throw .impossible(
        RowFault(
          field: error.field, code: error.code.rawValue,
          message: error.message.replacing(EventFault.quote(time), with: shown)))
    }
  }
}
