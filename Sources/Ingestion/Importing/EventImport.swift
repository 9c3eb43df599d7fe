package import EngagementEvents
package import EventStore
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

    package init() {}
  }

  package static let source = "import"
  private static let eventsAtATime = 1_000
  private static let bytesAtATime = 1 << 21

  private let app: App
  private let options: Options
  private let secret: StoreSecret
  private let replies: ReplyKeeping
  private let writer: EventWriter
  private let preparer: Connection
  private let decoder = EventBatchDecoder()
  private let now: () -> Timestamp
  /// Weeks of history that have a partition, in days since 1970.
  private var coveredDays: Set<Int32> = []
  package private(set) var tally = ImportTally()

  /// - Parameter now: the time of arrival.
  package init(
    _ store: EventStore, app: App, options: Options,
    now: @escaping () -> Timestamp = {
      Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
    }
  ) throws {
    let writer = EventWriter(try store.connect(.writing))
    let preparer = try store.connect(.asking)
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
    switch format {
    case .ndjson:
      var lines = try LineReader(source)
      try run(&lines, of: source.name, progress)
    case .csv:
      let before = tally.ambiguousTimes
      var rows = try CSVEvents(
        source, zone: options.zone, derivesIDs: options.derivesIDs,
        ignoresUnknownColumns: options.ignoresUnknownColumns)
      defer { tally.ambiguousTimes = before + rows.times.ambiguousTimes }
      try run(&rows, of: source.name, progress)
    }
  }

  private mutating func run(
    _ items: inout some ImportItems, of file: String, _ progress: (ImportTally) -> Void
  ) throws {
    var pending: [ImportItem] = []
    var bytes = 0
    while let item = try items.next() {
      pending.append(item)
      if case .event(_, let json) = item { bytes += json.count }
      if pending.count == Self.eventsAtATime || bytes > Self.bytesAtATime {
        try append(pending, of: file)
        pending.removeAll(keepingCapacity: true)
        bytes = 0
        progress(tally)
      }
    }
    if !pending.isEmpty { try append(pending, of: file) }
    progress(tally)
  }

  /// Stores a batch; the tally changes once it is on disk.
  private mutating func append(_ items: [ImportItem], of file: String) throws {
    let receivedAt = now()
    var tally = tally
    var batch = AppendBatch(rows: [], indices: [], deadLetters: [], source: Self.source)
    for item in items {
      switch item {
      case .fault(let line, let fault):
        batch.deadLetters.append(letter(fault, line: line, receivedAt))
        tally.reject(.init(file: file, line: line, fault))
      case .event(let line, let json):
        switch try decoder.decode(event: json, index: line, unknownFields: &tally.unknownFields) {
        case .event(let event, _):
          tally.tooOld += try isTooOld(event, receivedAt, place: "\(file), line \(line)") ? 1 : 0
          batch.rows.append(
            EventRow(
              event, app: app.id, receivedAt: receivedAt, sentAt: nil, secret: secret,
              earliest: options.historyFrom, keeping: replies))
          batch.indices.append(line)
        case .rejected(let event):
          batch.deadLetters.append(
            DeadLetter(
              event, app: app.id, receivedAt: receivedAt, sentAt: nil, source: Self.source, secret: secret))
          let fault = event.fault
          tally.reject(
            .init(
              file: file, line: line, field: fault.field, code: fault.code.rawValue, message: fault.message))
        }
      }
    }
    try cover(batch.rows, receivedAt)
    count(try write(batch), of: batch, file: file, in: &tally)
    self.tally = tally
  }

  /// Once more where Postgres itself asks for it.
  private func write(_ batch: AppendBatch) throws -> [AppendOutcome] {
    do {
      return try writer.append(batch)
    } catch let error as PostgresError where error.isRetryable && writer.isAlive {
      return try writer.append(batch)
    }
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
