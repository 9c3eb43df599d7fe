internal import EngagementEvents

/// How the columns of somebody's CSV become events: which column is which field, and which value is which type.
package struct ColumnMapping: Sendable, Hashable {
  /// What a row is about.
  package enum Kind: Sendable, Hashable {
    case sent, delivered, expanded, opened, dismissed, replied, ignored
    case action(String)

    init?(_ word: String) {
      switch word {
      case "sent": self = .sent
      case "delivered": self = .delivered
      case "expanded": self = .expanded
      case "opened": self = .opened
      case "dismissed": self = .dismissed
      case "replied": self = .replied
      case "ignored": self = .ignored
      default:
        guard word.hasPrefix("action:"), word.utf8.count > 7 else { return nil }
        self = .action(String(word.dropFirst(7)))
      }
    }

    /// The word for it in a mapping.
    var word: String {
      switch self {
      case .sent: "sent"
      case .delivered: "delivered"
      case .expanded: "expanded"
      case .opened: "opened"
      case .dismissed: "dismissed"
      case .replied: "replied"
      case .ignored: "ignored"
      case .action(let identifier): "action:" + identifier
      }
    }

    fileprivate static let words =
      "sent, delivered, expanded, opened, dismissed, replied, action:ID or ignored"
  }

  /// By the names of the file's columns.
  package private(set) var columns: [String: CSVColumn] = [:]
  /// By the values of the column that is the type.
  private(set) var kinds: [String: Kind] = [:]
  /// Of all rows, where no column tells.
  private(set) var kind: Kind?
  /// Of times that are numbers; nil where there are none.
  private(set) var timeUnit: TimeUnit?

  /// What a number counts since 1970, in microseconds.
  enum TimeUnit: Int64, CustomStringConvertible {
    case seconds = 1_000_000
    case milliseconds = 1_000
    case microseconds = 1

    /// The unit in which a number is a time from 1973 to 5138; nil for none.
    init?(of count: Int64) {
      switch count {
      case 100_000_000..<100_000_000_000: self = .seconds
      case 100_000_000_000..<100_000_000_000_000: self = .milliseconds
      case 100_000_000_000_000..<100_000_000_000_000_000: self = .microseconds
      default: return nil
      }
    }

    var description: String {
      switch self {
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .microseconds: "microseconds"
      }
    }
  }

  /// Why a mapping will not do.
  package struct Fault: Error, Sendable, Hashable {
    package let message: String
  }

  /// - Throws: what of the mapping is missing or unknown.
  package init(_ json: some ForeignNode) throws(Fault) {
    guard json.kind == .object else { throw Fault(message: "it is no JSON object") }
    for (name, value) in json.members {
      switch name {
      case "columns": try readColumns(value)
      case "types": try readTypes(value)
      case "type":
        guard let kind = Kind(value.text) else { throw Fault(message: "type is not \(Kind.words)") }
        self.kind = kind
      case "timeUnit": try readUnit(value)
      default:
        throw Fault(
          message:
            "it has the unknown member '\(EventFault.escape(name))'; known are columns, types, type, timeUnit"
        )
      }
    }
    let required: [EventField] = [.notificationId, .deviceId, .occurredAt]
    var missing = required.filter { !columns.values.contains(.field($0)) }.map(\.rawValue)
    if kind == nil, !columns.values.contains(.field(.type)) {
      missing.insert("type (or a member \"type\" for all rows)", at: 0)
    }
    // Of an experiment, one means nothing without the other.
    let ofExperiment: [CSVColumn] = [.experimentName, .experimentArm]
    if columns.values.contains(where: ofExperiment.contains) {
      missing += ofExperiment.filter { !columns.values.contains($0) }.map(\.name)
    }
    guard missing.isEmpty else {
      throw Fault(message: "no column is mapped to: \(missing.joined(separator: ", "))")
    }
  }

  private mutating func readColumns(_ json: some ForeignNode) throws(Fault) {
    for (name, value) in json.members {
      guard let column = CSVColumn.ofMappings.first(where: { $0.name == value.text }) else {
        throw Fault(
          message: "the column '\(EventFault.escape(name))' is mapped to the unknown field "
            + "'\(EventFault.escape(value.text))'; known are \(CSVColumn.ofMappings.map(\.name).joined(separator: ", "))"
        )
      }
      guard !columns.values.contains(column) else {
        throw Fault(message: "two columns are mapped to \(EventFault.escape(value.text))")
      }
      columns[name] = column
    }
  }

  private mutating func readTypes(_ json: some ForeignNode) throws(Fault) {
    for (name, value) in json.members {
      guard let kind = Kind(value.text) else {
        throw Fault(
          message: "the type '\(EventFault.escape(name))' stands for '\(EventFault.escape(value.text))', "
            + "which is not \(Kind.words)")
      }
      kinds[name] = kind
    }
  }

  private mutating func readUnit(_ json: some ForeignNode) throws(Fault) {
    switch json.text {
    case "seconds": timeUnit = .seconds
    case "milliseconds": timeUnit = .milliseconds
    case "microseconds": timeUnit = .microseconds
    default: throw Fault(message: "timeUnit is not seconds, milliseconds or microseconds")
    }
  }

  /// What no row of such a file tells.
  package var limits: LimitSet {
    func has(_ field: EventField) -> Bool { columns.values.contains(.field(field)) }
    var limits: LimitSet = has(.attachments) ? [] : [.display]
    let all = Set(kinds.values).union(kind.map { [$0] } ?? [])
    // The value of a type may be one of our own words, or a button's, unless every type is listed.
    guard !all.isEmpty else { return limits }
    if !all.contains(.opened) { limits.insert(.opening) }
    if !all.contains(.expanded) { limits.insert(.expansion) }
    if !all.contains(.dismissed) { limits.insert(.dismissal) }
    // Only an opening looks which button it was.
    let hasButtons =
      all.contains { if case .action = $0 { true } else { false } }
      || (has(.actionId) && all.contains(.opened))
    if !hasButtons { limits.insert(.action) }
    // A text makes a reply of any button.
    if !all.contains(.replied), !(hasButtons && has(.replyText)) { limits.insert(.reply) }
    return limits
  }
}
