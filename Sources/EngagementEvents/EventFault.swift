/// Why an event, or one value of it, is not acceptable.
///
/// The message says what is wrong, where, and how to mend it. It never repeats reply text or a device id; other values
/// are repeated at most in part, with control characters escaped.
public struct EventFault: Error, Sendable, Hashable {
  /// The path of the field at fault, such as `occurredAt` or `attachments[0].kind`; empty for the event as a whole.
  public var field: String
  /// The kind of fault, for programs.
  public var code: Code
  /// The fault in a sentence, for people.
  public var message: String

  /// Makes a fault of its parts.
  public init(field: String, code: Code, message: String) {
    self.field = field
    self.code = code
    self.message = message
  }

  /// The kinds of fault; the raw values are what a server answers with.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    // What a field holds.
    case missingField = "missing_field"
    case wrongType = "wrong_type"
    case fieldNotAllowed = "field_not_allowed"
    case unknownValue = "unknown_value"
    case empty = "empty"
    case tooLong = "too_long"
    case replyTooLarge = "reply_too_large"
    case nullCharacter = "null_character"
    case invalidUUID = "invalid_uuid"
    case notAnInteger = "not_an_integer"
    case numberOutOfRange = "number_out_of_range"

    // Times.
    case invalidTime = "invalid_time"
    case numberForTime = "number_for_time"
    case infiniteTime = "infinite_time"
    case twelveHourClock = "twelve_hour_clock"
    case foreignCalendar = "foreign_calendar"
    case missingTimeZone = "missing_time_zone"
    case invalidTimeZone = "invalid_time_zone"
    case dayOutOfRange = "day_out_of_range"
    case clockOutOfRange = "clock_out_of_range"
    case impossibleLeapSecond = "impossible_leap_second"
    case yearOutOfRange = "year_out_of_range"

    // The JSON itself.
    case invalidJSON = "invalid_json"
    case invalidNumber = "invalid_number"
    case invalidEscape = "invalid_escape"
    case controlCharacter = "control_character"
    case loneSurrogate = "lone_surrogate"
    case invalidUTF8 = "invalid_utf8"
    case duplicateKey = "duplicate_key"
    case tooDeep = "too_deep"
    case eventTooLarge = "event_too_large"
  }
}

extension EventFault: CustomStringConvertible {
  /// The code, the field and the message on one line.
  public var description: String {
    field.isEmpty ? "\(code.rawValue): \(message)" : "\(code.rawValue) (\(field)): \(message)"
  }
}

extension EventFault {
  /// A rejected value as a message may repeat it: in quotation marks, cut and escaped.
  public static func quote(_ text: String) -> String { "“" + escape(text) + "”" }

  /// A text as a message may repeat it: cut, and with whatever cannot be seen escaped.
  public static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars.prefix(EventLimits.echoedCharacters) {
      if scalar.isInvisible, scalar != " " {
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    if text.unicodeScalars.dropFirst(EventLimits.echoedCharacters).first != nil { escaped += "…" }
    return escaped
  }

  /// The fault of a value that is none of a closed set.
  static func unknownValue(_ value: String, of field: String, known: [String]) -> EventFault {
    EventFault(
      field: field, code: .unknownValue,
      message: "\(field) is \(quote(value)); send one of \(known.joined(separator: ", "))")
  }
}
