internal import EngagementEvents

/// One row on its way to the JSON of an event. Empty cells are no fields.
struct CSVRow {
  private var members: [UInt8] = []
  /// What an event is told apart by where the file has no ids.
  private var identity: [EventField: [UInt8]] = [:]
  var experimentName: [UInt8]?
  var experimentArm: [UInt8]?
  /// What tells of a reply whose text the row does not have.
  var replyLength: [UInt8]?
  var replyWithheld: [UInt8]?
  private var hasReplyText = false

  private static let identifying: [EventField] = [
    .type, .notificationId, .deviceId, .occurredAt, .sequence, .actionId,
  ]

  mutating func append(_ field: EventField, _ cell: [UInt8]) {
    if Self.identifying.contains(field) { identity[field] = cell }
    if field == .replyText { hasReplyText = true }
    append(name: field.rawValue)
    switch field {
    case .sequence, .relevanceScore: members.append(number: cell)
    case .customInterface: members.append(boolean: cell)
    case .attachments, .intended, .actions: append(list: cell, isAttachments: field == .attachments)
    default: members.append(string: cell)
    }
  }

  private mutating func append(name: String) {
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    members.append(string: Array(name.utf8))
    members.append(UInt8(ascii: ":"))
  }

  /// JSON as it is, or else words between bars.
  private mutating func append(list cell: [UInt8], isAttachments: Bool) {
    if cell.first == UInt8(ascii: "["), JSONDiagnosis.firstFault(in: cell) == nil {
      members += cell
      return
    }
    members.append(UInt8(ascii: "["))
    for (place, word) in cell.split(separator: UInt8(ascii: "|")).enumerated() {
      if place > 0 { members.append(UInt8(ascii: ",")) }
      if isAttachments { members += Array(#"{"kind":"#.utf8) }
      members.append(string: Array(word.trimmed))
      if isAttachments { members.append(UInt8(ascii: "}")) }
    }
    members.append(UInt8(ascii: "]"))
  }

  /// The event, with an id of its own content where the file has none.
  consuming func json(derivesID: Bool) -> [UInt8] {
    if derivesID {
      let id = derivedID.text
      append(name: EventField.id.rawValue)
      members.append(string: Array(id.utf8))
    }
    if experimentName != nil || experimentArm != nil {
      append(name: EventField.experiment.rawValue)
      members += Array(#"{"name":"#.utf8)
      members.append(string: experimentName ?? [])
      members += Array(#","arm":"#.utf8)
      members.append(string: experimentArm ?? [])
      members.append(UInt8(ascii: "}"))
    }
    if !hasReplyText { appendWithheldReply() }
    return [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
  }

  private mutating func appendWithheldReply() {
    if let replyLength {
      append(name: "replyLength")
      members.append(number: replyLength)
    }
    if let replyWithheld {
      append(name: "replyWithheld")
      members.append(boolean: replyWithheld)
    }
  }

  /// A hash of the identifying cells.
  private var derivedID: EventID { EventID(hashing: Self.identifying.map { identity[$0] ?? [] }) }

  /// Takes off the apostrophe that pushlift's own CSV puts before text which a spreadsheet would take for a formula.
  static func withoutGuard(_ cell: [UInt8]) -> [UInt8] {
    guard cell.first == UInt8(ascii: "'"), cell.count > 1 else { return cell }
    let rest = cell.dropFirst()
    let isGuarded = guarded.contains { rest.starts(with: $0) }
    return isGuarded ? Array(rest) : cell
  }

  private static let guarded = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"].map {
    Array($0.utf8)
  }
}

extension [UInt8] {
  /// A JSON string; bytes that are no UTF-8 stay as they are, for the event's rules to name.
  fileprivate mutating func append(string bytes: [UInt8]) {
    append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
        append(contentsOf: String(byte & 15, radix: 16).utf8)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// The number as it is written if JSON has it so, else a string, for the event's rules to name.
  fileprivate mutating func append(number cell: [UInt8]) {
    let isNumber = cell.allSatisfy { ("0"..."9").contains(Unicode.Scalar($0)) || "+-.eE".utf8.contains($0) }
    if isNumber, JSONDiagnosis.firstFault(in: cell) == nil { self += cell } else { append(string: cell) }
  }

  /// `TRUE` and `1` too, as spreadsheets and databases write it.
  fileprivate mutating func append(boolean cell: [UInt8]) {
    switch String(decoding: cell, as: UTF8.self).lowercased() {
    case "true", "1": self += Array("true".utf8)
    case "false", "0": self += Array("false".utf8)
    default: append(string: cell)
    }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// Without the blanks around it.
  var trimmed: SubSequence {
    let start = drop(while: \.isBlank)
    return start.lastIndex { !$0.isBlank }.map { start[...$0] } ?? start.prefix(0)
  }
}
