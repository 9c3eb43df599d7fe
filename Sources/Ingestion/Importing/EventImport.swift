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
    /// Events from here on are history, not clocks gone wrong; nil stops at the first that is over 400 days old. Those of
    /// the last 400 days are believed whatever it is.
    package var historyFrom: Timestamp?
    /// How records of other systems are read.
    package var foreign = ForeignOptions()
    /// Reads and judges everything and writes nothing; what is counted as stored would have been, unless it is there.
    package var isDry = false

    package init() {}
  }

  package static let source = "import"
  /// Several statements a transaction: each waits for the disk once.
  private static let eventsAtATime = 4_000
  private static let bytesAtATime = 1 << 21

  private let options: Options
  private let writer: BatchWriter
  private let preparer: Connection
  private let now: () -> Timestamp
  private var judge: ImportJudge
  /// Weeks of history that have a partition, in days since 1970.
  private var coveredDays: Set<Int32> = []
  /// What the writer has in hand.
  private var underWay: JudgedBatch?
  package private(set) var tally = ImportTally()

  /// - Parameter now: the time of arrival.
  package init(
    _ store: EventStore, app: App, options: Options,
    now: @escaping () -> Timestamp = { .now }
  ) throws {
    var options = options
    // It only ever widens what is believed.
    options.historyFrom = options.historyFrom.map { day in
      min(day, Timestamp(microseconds: now().microseconds - EventTiming.furthestPast))
    }
    let writer = BatchWriter(try store.connect(.writing))
    let preparer = try store.connect(.ingesting)
    let judge = ImportJudge(
      app: app.id, options: options, secret: store.secret,
      categories: try CategoryRegistry.current(of: app.id, on: preparer).map(CategoryIndex.init),
      replies: try CategoryRegistry.replyKeeping(of: app.id, on: preparer))
    self.options = options
    tally.campaigns = CampaignTally(options.foreign.campaigns)
    self.now = now
    self.judge = judge
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
      var lines = try ForeignLines(source, translator, zone: options.zone, campaigns: tally.campaigns)
      defer {
        tally.ambiguousTimes = before + lines.times.ambiguousTimes
        tally.campaigns = lines.campaigns
      }
      try run(
        &lines, of: ImportOrigin(source, system: foreign.rawValue, limits: foreign.limits), progress)
    } else if format == .ndjson {
      var lines = try LineReader(source)
      try run(&lines, of: ImportOrigin(source), progress)
    } else if let mapping = options.foreign.mapping {
      var rows = try MappedRows(
        source, mapping, options.foreign, zone: options.zone, campaigns: tally.campaigns)
      defer {
        tally.ambiguousTimes = before + rows.times.ambiguousTimes
        tally.campaigns = rows.campaigns
      }
      let origin = ImportOrigin(source, system: MappedRows.system, limits: mapping.limits)
      try run(&rows, of: origin, progress)
    } else {
      var rows = try CSVEvents(
        source, zone: options.zone, derivesIDs: options.derivesIDs,
        ignoresUnknownColumns: options.ignoresUnknownColumns)
      defer { tally.ambiguousTimes = before + rows.times.ambiguousTimes }
      try run(&rows, of: ImportOrigin(source), progress)
    }
  }

  private mutating func run(
    _ items: inout some ImportItems, of origin: ImportOrigin, _ progress: (ImportTally) -> Void
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

  /// Judges a batch while the one before is written, and hands it over.
  private mutating func append(_ items: [ImportItem], of origin: ImportOrigin) throws {
    let receivedAt = now()
    var judged = try judge.judge(items, of: origin, receivedAt, warnings: &tally.warnings)
    try finish()
    guard !options.isDry else {
      tally += judged.tally
      tally.stored += judged.batch.rows.count
      return
    }
    judged.tally.duplicates += try leaveOutErased(of: &judged.batch)
    try cover(judged.batch.rows, receivedAt)
    try DeclaredLimit.declare(judged.limits, on: preparer)
    underWay = judged
    writer.start(judged.batch)
  }

  /// - Returns: how many events of erased devices are there already.
  private func leaveOutErased(of batch: inout AppendBatch) throws -> Int {
    let known = try ErasedEvents.known(in: batch.rows, on: preparer)
    guard !known.isEmpty else { return 0 }
    let places = batch.rows.indices.filter { !known.contains($0) }
    (batch.rows, batch.indices) = (places.map { batch.rows[$0] }, places.map { batch.indices[$0] })
    return known.count
  }

  /// Waits for what was handed over; the tally changes once it is on disk.
  private mutating func finish() throws {
    guard var judged = underWay else { return }
    underWay = nil
    guard let outcomes = try writer.finish() else { return }
    count(outcomes, of: judged.batch, file: judged.file, in: &judged.tally)
    tally += judged.tally
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
          field: "id", code: AppendOutcome.conflictCode, message: batch.conflictMessage)
        tally.reject(.init(file: file, line: line, fault))
      case .refused(let reason):
        tally.reject(
          .init(file: file, line: line, RowFault(code: AppendOutcome.refusedCode, message: reason)))
      }
    }
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
