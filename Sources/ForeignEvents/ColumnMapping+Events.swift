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
    fileprivate struct Cell {
      let column: CSVColumn
      let text: String
      let json: [UInt8]?
    }

    fileprivate var cells: [Cell] = []

    package init(reservingCapacity count: Int) { cells.reserveCapacity(count) }

    /// - Parameter json: the field's value where it is no text; nil for texts.
    package mutating func append(_ text: String, json: [UInt8]?, for column: CSVColumn) {
      cells.append(Cell(column: column, text: text, json: json))
    }

    /// Rows are narrow: this is quicker than to hash.
    fileprivate subscript(column: CSVColumn) -> String? { cells.first { $0.column == column }?.text }
  }

  /// The event of a row.
  ///
  /// - Parameter cells: in the order of `CSVColumn.ofMappings`, so that a row is the same however its columns stand.
  /// - Throws: where the row's type is none that the mapping knows, or its time a number in another unit.
  package func translate(
    _ cells: Cells, campaigns: Campaigns?, ignoresSent: Bool
  ) throws(CellFault) -> Translation {
    let kind = try kind(of: cells[.field(.type)])
    let button = cells[.field(.actionId)]
    var event: ForeignEvent
    switch kind {
    case .ignored: return .ignored(cells[.field(.type)] ?? "row")
    case .sent: event = .delivered(by: .provider, isOnlySent: true)
    case .delivered: event = ForeignEvent(.delivered)
    case .expanded: event = ForeignEvent(.expanded)
    case .opened: event = button.map { .action($0) } ?? .opening
    case .dismissed: event = .dismissal
    case .replied: event = .reply(button, text: cells[.field(.replyText)])
    case .action(let identifier): event = .action(identifier)
    }
    event.identity = identity(of: cells, kind)
    event.occurredAt = try cells[.field(.occurredAt)].map(time)
    for cell in cells.cells {
      if case .field(let field) = cell.column { set(field, cell, kind, in: &event) }
    }
    if ignoresSent, event.isOnlySent { return .ignored("sent") }
    addCampaign(cells, to: &event)
    event.complete(by: campaigns)
    return .event(event)
  }

  /// What was drawn for a device is told here, and stays an arm whatever the campaigns file has of the campaign.
  private func addCampaign(_ cells: Cells, to event: inout ForeignEvent) {
    event.campaignKeys = cells[.campaign].map { [$0] } ?? []
    let name = cells[.experimentName]
    let arm = cells[.experimentArm]
    guard name != nil || arm != nil else { return }
    // Where one is empty, the contract's rules name it.
    event.setExperiment(name: name ?? "", arm: arm ?? "")
    if let name, let arm { event.campaignKeys.insert("\(name)/\(arm)", at: 0) }
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

  private func set(_ field: EventField, _ cell: Cells.Cell, _ kind: Kind, in event: inout ForeignEvent) {
    switch field {
    // Read before, by the row's type.
    case .id, .type, .occurredAt, .experiment, .actionId: break
    case .replyText: if kind != .replied { event.set(.replyText, cell.text) }
    case .source: if kind != .sent { event.set(.source, cell.text) }
    default:
      if let json = cell.json { event.set(field, json: json) } else { event.set(field, cell.text) }
    }
  }
}
