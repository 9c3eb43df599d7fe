package import EngagementEvents
package import EventStore
internal import Postgres

/// Tries dead letters again by the present rules, and appends the events that are good now.
///
/// A letter has neither device id nor reply text. The device is known by its key, which makes the same unit and the same
/// fingerprint as the original: sent once more by its device, before or after the replay, that is a duplicate. A reply
/// text is gone, so that a replayed action counts as an action and never as a reply. Nothing is doubled, since the event
/// keeps its identity; nothing is lost, since a letter stays where it is and is only marked.
package struct DeadLetterReplay: ~Copyable {
  private let store: EventStore
  /// Events from here on are history, not clocks gone wrong.
  private let historyFrom: Timestamp?
  private let writer: EventWriter
  private let reader: Connection
  private let decoder = EventBatchDecoder()

  /// What became of a letter.
  package enum Outcome: Sendable, Hashable {
    /// Appended now; on a dry run: it would be, unless it is stored already.
    case stored
    /// The same, but of a time that cannot be believed: kept, never counted.
    case storedUncounted
    /// The same event is in the store already.
    case duplicate
    /// Another event of this identity is in the store, and stays. It may be the same with its reply text.
    case conflict
    /// It still breaks a rule.
    case rejected(EventFault)
    /// What was wrong with it is not kept, so that the rule cannot be tried again: a reply's text, for instance, without
    /// which the event would pass. The reason is the letter's own.
    case notKept(reason: String)
    /// It is from long before its import, which would be taken for a wrong clock, and nobody said that it is history.
    case unannouncedHistory(reason: String)
    /// It was replayed before.
    case replayedBefore
    /// Postgres would not take it.
    case refused(reason: String)
  }

  /// Letters that share a transaction.
  private static let lettersAtATime = 500

  /// - Parameter historyFrom: as an import has it; nil leaves letters of imports alone whose events are over 400 days older.
  package init(_ store: EventStore, historyFrom: Timestamp? = nil) throws {
    let writer = EventWriter(try store.connect(.writing))
    let reader = try store.connect(.administering)
    self.store = store
    self.historyFrom = historyFrom
    self.writer = writer
    self.reader = reader
  }

  /// Replays the letters of these ids, whatever their state.
  ///
  /// - Parameter app: whose they have to be; nil for any.
  /// - Throws: `StoreError.invalidValue` for an id that there is not; nothing was replayed then.
  package func run(
    ids: [Int64], of app: App? = nil, isDry: Bool, _ tell: (StoredDeadLetter, Outcome) -> Void
  ) throws {
    let letters = try ids.map { id in try StoredDeadLetter.find(id, of: app, on: reader) }
    try replay(letters, isDry: isDry, tell)
  }

  /// Replays the letters of a selection, oldest first; conflicts and those replayed before are left out.
  package func run(
    _ selection: StoredDeadLetter.Selection, isDry: Bool, _ tell: (StoredDeadLetter, Outcome) -> Void
  ) throws {
    var selection = selection
    selection.onlyReplayable = true
    var last: Int64 = 0
    while true {
      let letters = try StoredDeadLetter.next(
        selection, after: last, limit: Self.lettersAtATime, on: reader)
      guard let end = letters.last?.id else { return }
      last = end
      try replay(letters, isDry: isDry, tell)
    }
  }

  private func replay(
    _ letters: [StoredDeadLetter], isDry: Bool, _ tell: (StoredDeadLetter, Outcome) -> Void
  ) throws {
    var batch = AppendBatch(rows: [], indices: [], deadLetters: [], source: "replay")
    batch.leavesLetters = false
    var appended: [StoredDeadLetter] = []
    for stored in letters {
      switch try row(of: stored) {
      case .success(let row) where !isDry:
        batch.rows.append(row)
        batch.indices.append(appended.count)
        appended.append(stored)
      case .success(let row): tell(stored, Outcome(.stored, of: row))
      case .failure(let verdict): tell(stored, verdict.outcome)
      }
    }
    guard !appended.isEmpty else { return }
    try cover(batch.rows)
    let results = try writer.append(batch)
    let outcomes = zip(results, batch.rows).map { Outcome($0, of: $1) }
    let done = zip(appended, results).filter { $1 == .stored || $1 == .duplicate }.map(\.0.id)
    // Not in the same transaction: if this is not reached, the next replay finds duplicates and marks them.
    try StoredDeadLetter.markReplayed(done, on: reader)
    for (stored, outcome) in zip(appended, outcomes) { tell(stored, outcome) }
  }

  /// Makes the partitions of history, which is older than those that the log has anyway. Not of clocks that were corrected:
  /// what they said is the day that such an event lies under.
  private func cover(_ rows: [EventRow]) throws {
    let oldest = Timestamp.now.microseconds - EventTiming.furthestPast
    let days = rows.lazy.filter {
      $0.timing.quality == .client && $0.event.occurredAt.instant.microseconds < oldest
    }.map(\.key.day)
    try EventPartitions.cover(Set(days), on: reader)
  }

  /// The letter's reason where its body no longer holds what it was about.
  private func reasonNotKept(of letter: DeadLetter) -> String? {
    let isOfPrivateField = letter.field.split { ".[]".contains($0) }.contains {
      PrivateName.matches(String($0))
    }
    // What made the event too large has been taken out of it.
    let isSmallerNow =
      letter.code == EventFault.Code.eventTooLarge.rawValue
      && letter.body.count <= DecodingLimits().eventBytes
    let isLost = isOfPrivateField || isSmallerNow || !EventRedactor(letter.body).isWhole
    return isLost ? letter.message : nil
  }

  private struct Verdict: Error { let outcome: Outcome }

  private func row(of stored: StoredDeadLetter) throws -> Result<EventRow, Verdict> {
    let letter = stored.letter
    if stored.replayedAt != nil { return .failure(Verdict(outcome: .replayedBefore)) }
    if letter.code == AppendOutcome.conflictCode { return .failure(Verdict(outcome: .conflict)) }
    if let reason = reasonNotKept(of: letter) { return .failure(Verdict(outcome: .notKept(reason: reason))) }
    let device = try letter.deviceKey.map { try DeviceID(StoredEvent.deviceKeyPrefix + $0.description) }
    var unknownFields = 0
    let decoded = try decoder.decode(
      event: letter.body, index: letter.index, device: device, unknownFields: &unknownFields)
    switch decoded {
    case .rejected(let rejected): return .failure(Verdict(outcome: .rejected(rejected.fault)))
    case .event(let event, _):
      guard let deviceKey = letter.deviceKey else {
        return .failure(Verdict(outcome: .rejected(EventField.deviceId.missing)))
      }
      let row = row(of: event, deviceKey, letter)
      if let reason = reasonUnannounced(row, letter) {
        return .failure(Verdict(outcome: .unannouncedHistory(reason: reason)))
      }
      return .success(row)
    }
  }

  private func row(of event: EngagementEvent, _ deviceKey: UUID128, _ letter: DeadLetter) -> EventRow {
    // Only files hold history, and there it only ever widens what is believed: what was posted with such a time comes from a
    // wrong clock.
    let earliest = letter.source == EventImport.source ? historyFrom : nil
    return EventRow(
      event, app: letter.app, deviceKey: deviceKey, receivedAt: letter.receivedAt, sentAt: letter.sentAt,
      secret: store.secret,
      earliest: earliest.map { day in
        min(day, Timestamp(microseconds: letter.receivedAt.microseconds - EventTiming.furthestPast))
      })
  }

  /// Why an event of an import is not stored, where that would keep it for good without ever counting it. What was posted with
  /// such a time had been stored so, too.
  private func reasonUnannounced(_ row: EventRow, _ letter: DeadLetter) -> String? {
    let time = row.event.occurredAt
    guard historyFrom == nil, letter.source == EventImport.source, row.timing.quality == .implausible,
      time.instant < letter.receivedAt
    else { return nil }
    return
      "the event is of \(time.raw.prefix(10)), over 400 days before its import, and would never be counted; if it is "
      + "history, say from when on, such as --history-from \(time.raw.prefix(4))-01-01"
  }
}

extension DeadLetterReplay.Outcome {
  fileprivate init(_ outcome: AppendOutcome, of row: EventRow) {
    switch outcome {
    case .stored: self = row.timing.quality == .implausible ? .storedUncounted : .stored
    case .duplicate: self = .duplicate
    case .conflict: self = .conflict
    case .refused(let reason): self = .refused(reason: reason)
    }
  }
}
