internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Postgres

/// Where the events of an import come from.
struct ImportOrigin {
  /// As messages call it.
  let file: String
  /// As letters have it.
  let fileName: String
  /// Empty for events in the contract's form.
  let system: String
  /// What no record of the system tells.
  let limits: LimitSet

  init(_ source: ByteSource, system: String = "", limits: LimitSet = []) {
    file = source.name
    fileName = source.fileName
    self.system = system
    self.limits = limits
  }
}

/// A batch that was judged, and what it adds to the tally once it is on disk.
struct JudgedBatch {
  let file: String
  var batch = AppendBatch(rows: [], indices: [], deadLetters: [], source: EventImport.source)
  var limits: [DeclaredLimit] = []
  var tally = ImportTally()
}

/// Judges the events of an import by the rules that hold for posted ones.
struct ImportJudge {
  private let app: AppID
  private let options: EventImport.Options
  private let secret: StoreSecret
  private let categories: CategoryIndex?
  private let replies: ReplyKeeping
  private let decoder = EventBatchDecoder()
  private let records = ForeignDecoder()
  private var declared: Set<Declaration> = []

  /// What deliveries of a day and category do not tell, all at once: nearly all lines have it in common with others.
  private struct Declaration: Hashable {
    let day: Int32
    let category: Category
    let system: String
    let lacks: LimitSet
  }

  /// - Parameter categories: those that the app has registered; nil where it has registered none.
  init(
    app: AppID, options: EventImport.Options, secret: StoreSecret, categories: CategoryIndex?,
    replies: ReplyKeeping
  ) {
    self.app = app
    self.options = options
    self.secret = secret
    self.categories = categories
    self.replies = replies
  }

  /// - Parameter warnings: of the whole import, since only the first of these are told apart.
  /// - Throws: `ImportError.history`; `RequestFault` where no memory is left.
  mutating func judge(
    _ items: [ImportItem], of origin: ImportOrigin, _ receivedAt: Timestamp, warnings: inout ImportWarnings
  ) throws -> JudgedBatch {
    var judged = JudgedBatch(file: origin.file)
    judged.batch.file = origin.fileName
    if !origin.system.isEmpty { judged.batch.conflictMessage = Self.conflictOfRecords }
    judged.batch.rows.reserveCapacity(items.count)
    judged.batch.indices.reserveCapacity(items.count)
    for item in items {
      switch item {
      case .ignored(let what): judged.tally.ignore(what)
      case .fault(let line, let fault):
        judged.batch.deadLetters.append(letter(fault, of: origin, line: line, receivedAt))
        judged.tally.reject(.init(file: origin.file, line: line, fault))
      case .event(let line, let json, let lacks):
        switch try decoder.decode(event: json, index: line, unknownFields: &judged.tally.unknownFields) {
        case .event(let told, let oddities):
          let (event, withheld) = try complete(told, json, &judged.tally)
          judged.tally.tooOld +=
            try isTooOld(event, receivedAt, place: "\(origin.file), line \(line)") ? 1 : 0
          judged.tally.note(
            event, json: json, lacks: lacks.union(origin.limits), isReply: withheld != nil)
          judged.limits += undeclared(lacks.union(origin.limits), event, origin)
          note(oddities, about: event, file: origin.file, line: line, in: &warnings)
          judged.batch.rows.append(row(event, withheld, receivedAt))
          judged.batch.indices.append(line)
        case .rejected(let event):
          judged.batch.deadLetters.append(
            DeadLetter(
              event, app: app, receivedAt: receivedAt, source: EventImport.source, file: origin.fileName,
              deviceKey: deviceKey))
          let fault = event.fault
          judged.tally.reject(
            .init(
              file: origin.file, line: line, field: fault.field, code: fault.code.rawValue,
              message: fault.message))
        }
      }
    }
    return judged
  }

  /// Ids are made of the records, so that the same one with other content was completed differently.
  private static let conflictOfRecords =
    "another event with this id, notification, device and day is stored with other content; the first one stays. "
    + "If these records were imported before with other categories or media, import them into a new app"

  /// An export has a device's key in the place of its id, which meets what is there of it already.
  private func deviceKey(_ device: DeviceID) -> UUID128 {
    StoredEvent.deviceKey(device) ?? secret.deviceKey(app: app, device: device)
  }

  /// The event of one of our own exports with what that tells of its reply beside the contract's fields.
  private func complete(
    _ event: EngagementEvent, _ json: [UInt8], _ tally: inout ImportTally
  ) throws -> (EngagementEvent, WithheldReply?) {
    // Where Segment's calls tell of a reply without its text, that is empty.
    guard case .action(let action) = event.detail, action.replyText?.byteCount ?? 0 == 0,
      StoredEvent.deviceKey(event.deviceID) != nil
    else { return (event, nil) }
    let reply = try records.withRecord(json, ExportedReply.init)
    if reply != .none { tally.unknownFields -= 1 }
    switch reply {
    case .none: return (event, nil)
    case .empty: return (try event.replying(ReplyText("")), nil)
    case .withheld(let reply): return (try event.replying(nil), reply)
    }
  }

  private func row(
    _ event: EngagementEvent, _ withheld: WithheldReply?, _ receivedAt: Timestamp
  ) -> EventRow {
    EventRow(
      event, app: app, deviceKey: deviceKey(event.deviceID), receivedAt: receivedAt, sentAt: nil,
      secret: secret, earliest: options.historyFrom, withheld: withheld, keeping: replies)
  }

  /// What a delivery does not tell, and has not been written down for its day and category.
  private mutating func undeclared(
    _ lacks: LimitSet, _ event: EngagementEvent, _ origin: ImportOrigin
  ) -> [DeclaredLimit] {
    guard event.type == .delivered, !lacks.isEmpty else { return [] }
    let day = Int32(event.occurredAt.instant.utcDay)
    let isNew = declared.insert(
      Declaration(day: day, category: event.category, system: origin.system, lacks: lacks)
    ).inserted
    guard isNew else { return [] }
    return lacks.limits.map { limit in
      DeclaredLimit(app: app, day: day, category: event.category.text, source: origin.system, limit: limit)
    }
  }

  private func note(
    _ oddities: [EventWarning], about event: EngagementEvent, file: String, line: Int,
    in warnings: inout ImportWarnings
  ) {
    for warning in oddities {
      warnings.note(.oddity(field: warning.field, warning.code), file: file, line: line, warning)
    }
    guard let categories else { return }
    for (name, field) in categories.unregistered(in: event) {
      warnings.note(
        .unregistered(name), file: file, line: line,
        categories.warning(of: name, in: field, isQuoted: true))
    }
  }

  /// The letter of a row that makes no event. Nobody can tell which of its cells are private, so that none is kept.
  private func letter(
    _ fault: RowFault, of origin: ImportOrigin, line: Int, _ receivedAt: Timestamp
  ) -> DeadLetter {
    DeadLetter(
      app: app, receivedAt: receivedAt, source: EventImport.source, file: origin.fileName, index: line,
      eventID: nil, deviceKey: nil, field: fault.field, code: fault.code, message: fault.message, body: [])
  }

  /// Whether an event is older than what is announced as history.
  private func isTooOld(
    _ event: EngagementEvent, _ receivedAt: Timestamp, place: @autoclosure () -> String
  ) throws(ImportError) -> Bool {
    let instant = event.occurredAt.instant
    if let historyFrom = options.historyFrom { return instant < historyFrom }
    guard receivedAt.microseconds - instant.microseconds > EventTiming.furthestPast else { return false }
    throw ImportError(
      .history,
      "\(place()): the event is of \(event.occurredAt.raw.prefix(10)), over 400 days ago, and would be taken for one whose "
        + "clock is wrong: kept, never counted. If the file is history, say from when on, such as --history-from "
        + "\(event.occurredAt.raw.prefix(4))-01-01; what is older than that is kept and not counted.")
  }
}

extension EngagementEvent {
  /// The same action with another reply, or with none.
  fileprivate func replying(_ text: ReplyText?) throws(EventFault) -> EngagementEvent {
    guard case .action(let action) = detail else { return self }
    return try EngagementEvent(
      id: id, notificationID: notificationID, deviceID: deviceID, category: category, occurredAt: occurredAt,
      sequence: sequence, source: source, experiment: experiment,
      detail: .action(ActionTaken(actionID: action.actionID, replyText: text)))
  }
}

extension ImportTally.Rejection {
  init(file: String, line: Int, _ fault: RowFault) {
    self.init(file: file, line: line, field: fault.field, code: fault.code, message: fault.message)
  }
}
