package import EngagementEvents
package import EventStore
package import ForeignEvents
package import Foundation
internal import Postgres

/// Appends the events of files, in batches and constant memory.
///
/// An event keeps its id, so that files which were imported before, or in part, change nothing a second time.
package struct EventImport: ~Copyable {
  /// How the events of a file are written.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// An event a line, in the contract's form.
    case ndjson
    /// A header and an event a row.
    case csv
    /// Records of another system, one a line.
    case segment, onesignal, braze, airship, firebase

    /// The system whose records these are; nil for events in the contract's form.
    package var foreign: ForeignFormat? { ForeignFormat(rawValue: rawValue) }

    /// By the extension of a file's name; nil for other ones.
    package init?(path: String) {
      switch path.lowercased().split(separator: ".").last {
      case "ndjson", "jsonl", "json": self = .ndjson
      case "csv", "tsv": self = .csv
      default: return nil
      }
    }
  }

  package struct Options: Sendable {
    /// The zone of times without one, in CSV; nil refuses these.
    package var zone: TimeZone?
    /// Makes the id of a row of its content, where a CSV file has no column `id`.
    package var derivesIDs = false
    package var ignoresUnknownColumns = false
    /// Events from here on are history, not clocks gone wrong; nil stops at the first that is over 400 days old.
    package var historyFrom: Timestamp?
    /// How records of other systems are read.
    package var foreign = ForeignOptions()
    /// Reads and judges everything and writes nothing; what is counted as stored would have been, unless it is there.
    package var isDry = false

    package init() {}
  }

  package static let source = "import"
  private static let eventsAtATime = 1_000
  private static let bytesAtATime = 1 << 21

  private let app: App
  private let options: Options
  private let secret: StoreSecret
  private let replies: ReplyKeeping
  private let writer: BatchWriter
  private let preparer: Connection
  private let decoder = EventBatchDecoder()
  private let now: () -> Timestamp
  /// Weeks of history that have a partition, in days since 1970.
  private var coveredDays: Set<Int32> = []
  private var declaredLimits: Set<DeclaredLimit> = []
  /// What the writer has in hand.
  private var underWay: Judged?
  package private(set) var tally = ImportTally()

  /// - Parameter now: the time of arrival.
  package init(
    _ store: EventStore, app: App, options: Options,
    now: @escaping () -> Timestamp = { .now }
  ) throws {
    let writer = BatchWriter(try store.connect(.writing))
    let preparer = try store.connect(.ingesting)
    let replies = try CategoryRegistry.replyKeeping(of: app.id, on: preparer)
    self.app = app
    self.options = options
    self.now = now
    secret = store.secret
    self.replies = replies
    self.writer = writer
    self.preparer = preparer
  }

  /// Imports one file.
  ///
  /// - Parameter progress: told after each batch.
  /// - Throws: `ImportError` where it has to stop; `PostgresError` and `StoreError`. What `tally` has by then is stored.
  package mutating func run(
    _ source: ByteSource, format: Format, progress: (ImportTally) -> Void = { _ in }
  ) throws {
    let before = tally.ambiguousTimes
    if let foreign = format.foreign {
      let translator = Translator(
        foreign, campaigns: options.foreign.campaigns, ignoresSent: options.foreign.ignoresSent,
        place: .file(path: source.name))
      var lines = try ForeignLines(source, translator, zone: options.zone)
      defer { tally.ambiguousTimes = before + lines.times.ambiguousTimes }
      try run(
        &lines, of: Origin(file: source.name, system: foreign.rawValue, limits: foreign.limits), progress)
    } else if format == .ndjson {
      var lines = try LineReader(source)
      try run(&lines, of: Origin(file: source.name), progress)
    } else if let mapping = options.foreign.mapping {
      var rows = try MappedRows(source, mapping, options.foreign, zone: options.zone)
      defer { tally.ambiguousTimes = before + rows.times.ambiguousTimes }
      let origin = Origin(file: source.name, system: MappedRows.system, limits: mapping.limits)
      try run(&rows, of: origin, progress)
    } else {
      var rows = try CSVEvents(
        source, zone: options.zone, derivesIDs: options.derivesIDs,
        ignoresUnknownColumns: options.ignoresUnknownColumns)
      defer { tally.ambiguousTimes = before + rows.times.ambiguousTimes }
      try run(&rows, of: Origin(file: source.name), progress)
    }
  }

  /// Where events come from.
  private struct Origin {
    let file: String
    /// Empty for events in the contract's form.
    var system = ""
    /// What no record of the system tells.
    var limits: Set<SourceLimit> = []
  }

  private mutating func run(
    _ items: inout some ImportItems, of origin: Origin, _ progress: (ImportTally) -> Void
  ) throws {
    do {
      var pending: [ImportItem] = []
      var bytes = 0
      while let item = try items.next() {
        pending.append(item)
        if case .event(_, let json, _) = item { bytes += json.count }
        if pending.count == Self.eventsAtATime || bytes > Self.bytesAtATime {
          try append(pending, of: origin)
          pending.removeAll(keepingCapacity: true)
          bytes = 0
          progress(tally)
        }
      }
      if !pending.isEmpty { try append(pending, of: origin) }
    } catch {
      // What was handed over before is stored and counted all the same; why it stopped is the better reason to tell.
      try? finish()
      throw error
    }
    try finish()
    progress(tally)
  }

  /// A batch that was judged, and what it adds to the tally once it is on disk.
  private struct Judged {
    let file: String
    var batch = AppendBatch(rows: [], indices: [], deadLetters: [], source: EventImport.source)
    var limits: Set<DeclaredLimit> = []
    var tally = ImportTally()
  }

  /// Judges a batch while the one before is written, and hands it over.
  private mutating func append(_ items: [ImportItem], of origin: Origin) throws {
    let receivedAt = now()
    let judged = try judge(items, of: origin, receivedAt)
    try finish()
    guard !options.isDry else {
      tally += judged.tally
      tally.stored += judged.batch.rows.count
      return
    }
    try cover(judged.batch.rows, receivedAt)
    try DeclaredLimit.declare(judged.limits, on: preparer)
    declaredLimits.formUnion(judged.limits)
    underWay = judged
    writer.start(judged.batch)
  }

  /// Waits for what was handed over; the tally changes once it is on disk.
  private mutating func finish() throws {
    guard var judged = underWay else { return }
    underWay = nil
    guard let outcomes = try writer.finish() else { return }
    count(outcomes, of: judged.batch, file: judged.file, in: &judged.tally)
    tally += judged.tally
  }

  private func judge(_ items: [ImportItem], of origin: Origin, _ receivedAt: Timestamp) throws -> Judged {
    var judged = Judged(file: origin.file)
    for item in items {
      switch item {
      case .ignored(let what): judged.tally.ignore(what)
      case .fault(let line, let fault):
        judged.batch.deadLetters.append(letter(fault, line: line, receivedAt))
        judged.tally.reject(.init(file: origin.file, line: line, fault))
      case .event(let line, let json, let lacks):
        switch try decoder.decode(event: json, index: line, unknownFields: &judged.tally.unknownFields) {
        case .event(let event, _):
          let place = "\(origin.file), line \(line)"
          judged.tally.tooOld += try isTooOld(event, receivedAt, place: place) ? 1 : 0
          let lacks = lacks.union(origin.limits)
          judged.tally.note(event, json: json, lacks: lacks)
          judged.limits.formUnion(undeclared(lacks, event, origin))
          judged.batch.rows.append(row(event, receivedAt))
          judged.batch.indices.append(line)
        case .rejected(let event):
          judged.batch.deadLetters.append(
            DeadLetter(
              event, app: app.id, receivedAt: receivedAt, sentAt: nil, source: Self.source, secret: secret))
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

  /// An export has a device's key in the place of its id, which meets what is there of it already.
  private func row(_ event: EngagementEvent, _ receivedAt: Timestamp) -> EventRow {
    EventRow(
      event, app: app.id,
      deviceKey: StoredEvent.deviceKey(event.deviceID)
        ?? secret.deviceKey(app: app.id, device: event.deviceID),
      receivedAt: receivedAt, sentAt: nil, secret: secret, earliest: options.historyFrom, keeping: replies)
  }

  /// What a delivery does not tell, and has not been written down for its day and category.
  private func undeclared(
    _ lacks: Set<SourceLimit>, _ event: EngagementEvent, _ origin: Origin
  ) -> [DeclaredLimit] {
    guard event.type == .delivered, !lacks.isEmpty else { return [] }
    let day = Int32(event.occurredAt.instant.utcDay)
    return lacks.map { limit in
      DeclaredLimit(
        app: app.id, day: day, category: event.category.text, source: origin.system, limit: limit)
    }.filter { !declaredLimits.contains($0) }
  }

  private func count(
    _ outcomes: [AppendOutcome], of batch: AppendBatch, file: String, in tally: inout ImportTally
  ) {
    for (line, outcome) in zip(batch.indices, outcomes) {
      switch outcome {
      case .stored: tally.stored += 1
      case .duplicate: tally.duplicates += 1
      case .conflict:
        let fault = RowFault(
          field: "id", code: AppendOutcome.conflictCode, message: AppendOutcome.conflictMessage)
        tally.reject(.init(file: file, line: line, fault))
      case .refused(let reason):
        tally.reject(
          .init(file: file, line: line, RowFault(code: AppendOutcome.refusedCode, message: reason)))
      }
    }
  }

  /// The letter of a row that makes no event. Nobody can tell which of its cells are private, so that none is kept.
  private func letter(_ fault: RowFault, line: Int, _ receivedAt: Timestamp) -> DeadLetter {
    DeadLetter(
      app: app.id, receivedAt: receivedAt, source: Self.source, index: line, eventID: nil, deviceKey: nil,
      field: fault.field, code: fault.code, message: fault.message, body: [])
  }

  /// Whether an event is older than what is announced as history.
  private func isTooOld(_ event: EngagementEvent, _ receivedAt: Timestamp, place: String) throws -> Bool {
    let instant = event.occurredAt.instant
    if let historyFrom = options.historyFrom { return instant < historyFrom }
    guard receivedAt.microseconds - instant.microseconds > EventTiming.furthestPast else { return false }
    throw ImportError(
      .history,
      "\(place): the event is of \(event.occurredAt.raw.prefix(10)), over 400 days ago, and would be taken for one whose clock "
        + "is wrong: kept, never counted. If the file is history, say from when on, such as --history-from "
        + "\(event.occurredAt.raw.prefix(4))-01-01; what is older than that is kept and not counted.")
  }

  /// Makes partitions for history, which reach back 400 days otherwise.
  private mutating func cover(_ rows: [EventRow], _ receivedAt: Timestamp) throws {
    guard let historyFrom = options.historyFrom else { return }
    let oldest = receivedAt.microseconds - EventTiming.furthestPast
    let days = Set(
      rows.lazy.filter {
        let instant = $0.event.occurredAt.instant
        return instant >= historyFrom && instant.microseconds < oldest
      }.map(\.key.day)
    ).subtracting(coveredDays)
    guard !days.isEmpty else { return }
    try EventPartitions.cover(days, on: preparer)
    coveredDays.formUnion(days)
  }
}

extension ImportTally.Rejection {
  init(file: String, line: Int, _ fault: RowFault) {
    self.init(file: file, line: line, field: fault.field, code: fault.code, message: fault.message)
  }
}
