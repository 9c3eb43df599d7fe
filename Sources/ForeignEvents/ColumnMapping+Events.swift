package import EngagementEvents

extension ColumnMapping {
  /// Why a row makes no event.
  package struct CellFault: Error, Sendable, Hashable {
    package let field: EventField
    package let code: EventFault.Code
    package let message: String

    fileprivate init(_ field: EventField, _ code: EventFault.Code, _ message: String) {
      self.field = field
      self.code = code
      self.message = message
    }
  }

  /// The cells of a row that are columns of ours, without empty ones.
  package struct Cells {
    fileprivate var cells: [(target: Target, text: String)] = []

    package init(reservingCapacity count: Int) { cells.reserveCapacity(count) }

    package mutating func append(_ text: String, for target: Target) { cells.append((target, text)) }

    /// Rows are narrow: this is quicker than to hash.
    fileprivate subscript(target: Target) -> String? { cells.first { $0.target == target }?.text }
  }

  /// The event of a row.
  ///
  /// - Parameter cells: in the order of `targets`, so that a row is the same however its columns stand.
  /// - Throws: where the row's type is none that the mapping knows, or its time a number in another unit.
  package func translate(
    _ cells: Cells, campaigns: Campaigns?, ignoresSent: Bool
  ) throws(CellFault) -> Translation {
    let kind = try kind(of: cells[.field(.type)])
    var event: ForeignEvent
    switch kind {
    case .ignored: return .ignored(cells[.field(.type)] ?? "row")
    case .sent: event = .delivered(by: .provider, isOnlySent: true)
    case .delivered: event = ForeignEvent(.delivered)
    case .expanded: event = ForeignEvent(.expanded)
    case .opened: event = .opening
    case .dismissed: event = .dismissal
    case .replied: event = .action(cells[.field(.actionId)] ?? "reply")
    case .action(let identifier): event = .action(identifier)
    }
    event.identity = identity(of: cells, kind)
    event.occurredAt = try cells[.field(.occurredAt)].map(time)
    for (target, text) in cells.cells {
      if case .field(let field) = target { set(field, text, kind, in: &event) }
    }
    if let name = cells[.experimentName], let arm = cells[.experimentArm] {
      event.variant = ForeignEvent.Variant(experiment: name, arm: arm, campaignKey: "\(name)/\(arm)")
    }
    event.campaignKeys = cells[.campaign].map { [$0] } ?? []
    if ignoresSent, event.isOnlySent { return .ignored("sent") }
    event.complete(by: campaigns)
    return .event(event)
  }

  private func kind(of value: String?) throws(CellFault) -> Kind {
    guard let value else {
      guard let kind else { throw CellFault(.type, .unknownValue, "the row has no type") }
      return kind
    }
    guard let kind = kinds[value] ?? Kind(value) else {
      throw CellFault(
        .type, .unknownValue, "the type is \(EventFault.quote(value)), which the mapping's types do not have")
    }
    return kind
  }

  /// An id of the source's own; otherwise what a row of another export would have alike.
  private func identity(of cells: Cells, _ kind: Kind) -> ForeignEvent.Identity? {
    if let id = cells[.field(.id)] { return .ownID(id) }
    guard let notification = cells[.field(.notificationId)], let device = cells[.field(.deviceId)],
      let time = cells[.field(.occurredAt)]
    else { return nil }
    return .parts([
      kind.word, notification, device, time, cells[.field(.sequence)] ?? "", cells[.field(.actionId)] ?? "",
    ])
  }

  /// A number has the mapping's unit, if it can: of which unit a time is shows in its size.
  private func time(_ text: String) throws(CellFault) -> ForeignTime {
    guard let count = Int64(text) else { return .text(text) }
    let likely = TimeUnit(of: count)
    if let timeUnit, likely == timeUnit || count < 100_000_000 {
      return .instant(count, unit: timeUnit.rawValue)
    }
    let remedy = likely.map { "; if it counts \($0), the mapping needs \"timeUnit\": \"\($0)\"" }
    throw CellFault(
      .occurredAt, .numberForTime,
      "the time is \(EventFault.quote(text)), "
        + (timeUnit.map { "too large or small a number for \($0)" }
          ?? "a number, and the mapping has no timeUnit")
        + (remedy ?? ""))
  }

  private func set(_ field: EventField, _ text: String, _ kind: Kind, in event: inout ForeignEvent) {
    switch field {
    case .id, .type, .occurredAt, .experiment: break
    case .actionId: if kind == .delivered || kind == .sent { break }
    case .source: if kind != .sent { event.set(.source, text) }
    case .sequence, .relevanceScore, .customInterface: event.set(field, json: literal(text))
    case .intended, .actions: event.set(field, json: list(text, isAttachments: false))
    case .attachments: event.set(field, json: list(text, isAttachments: true))
    default: event.set(field, text)
    }
  }

  /// A number or a Boolean as it is written; anything else as text, for the contract's rules to name.
  private func literal(_ text: String) -> [UInt8] {
    let word = text.lowercased()
    if word == "true" || word == "false" { return Array(word.utf8) }
    if Int64(text) != nil { return Array(text.utf8) }
    if let number = Double(text), number.isFinite { return Array("\(number)".utf8) }
    var json: [UInt8] = []
    json.appendJSONString(text)
    return json
  }

  /// Words between bars; `none` and `[]` are an empty list.
  private func list(_ text: String, isAttachments: Bool) -> [UInt8] {
    var json: [UInt8] = [UInt8(ascii: "[")]
    let words = text == "none" || text == "[]" ? [] : text.split(separator: "|")
    for (place, word) in words.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      if isAttachments { json.append(contentsOf: #"{"kind":"#.utf8) }
      json.appendJSONString(String(word.drop { $0 == " " }))
      if isAttachments { json.append(UInt8(ascii: "}")) }
    }
    json.append(UInt8(ascii: "]"))
    return json
  }
}
