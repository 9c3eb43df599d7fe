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
    if let json = CSVCell.json(of: cell, as: field) { members += json } else { members.append(string: cell) }
  }

  private mutating func append(name: String) {
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    members.append(string: name.utf8)
    members.append(UInt8(ascii: ":"))
  }

  /// The event, with an id of its own content where the file has none.
  consuming func json(derivesID: Bool) -> [UInt8] {
    if derivesID {
      let id = derivedID.text
      append(name: EventField.id.rawValue)
      members.append(string: id.utf8)
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
      members += CSVCell.number(replyLength)
    }
    if let replyWithheld {
      append(name: "replyWithheld")
      members += CSVCell.boolean(replyWithheld)
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
