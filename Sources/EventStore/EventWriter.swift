internal import EngagementEvents
package import Postgres

/// Appends batches of events over one connection of the role that writes.
///
/// Not for sharing between threads; a batch is one transaction.
package struct EventWriter: ~Copyable {
  private let connection: Connection
  private let hope = Hope()

  package init(_ connection: consuming Connection) { self.connection = connection }

  /// Whether the connection still stands, as far as is known.
  package var isAlive: Bool { connection.isAlive }

  /// Appends a batch in one transaction, which is on disk when this returns.
  ///
  /// - Returns: an outcome for each of the batch's rows, in their order.
  /// - Throws: `PostgresError`; then nothing of the batch is stored, unless the connection was lost at the commit itself,
  ///   where nobody can know. Sending the same batch again is right in either case.
  package borrowing func append(_ batch: AppendBatch) throws -> [AppendOutcome] {
    let plan = AppendPlan(batch.rows)
    if hope.isJustified {
      do {
        return try appendNew(batch, plan)
      } catch let error as PostgresError where error.isDataFault {
        // One is there already, its device was erased, or Postgres does not take it: below it is found out which.
        hope.lose()
      }
    }
    do {
      let (outcomes, hasErased) = try append(batch, plan, insert: Self.insertMissing)
      hope.learn(wasNew: !hasErased && outcomes.allSatisfy { $0 == .stored })
      return outcomes
    } catch let error as PostgresError where error.isDataFault {
      // It should have been caught at the door. Once more, so that only the event at fault is refused.
      hope.lose()
      return try append(batch, plan, insert: Self.insertBisecting).outcomes
    }
  }

  /// Writes down what deliveries do not tell, and waits for nobody: events are to come behind it.
  borrowing func declare(_ limits: [DeclaredLimit]) throws {
    try connection.withTransaction(first: "set local lock_timeout = '250ms'") {
      (connection: borrowing Connection) in
      try DeclaredLimit.declare(limits, on: connection)
    }
  }

  private typealias Insert = (ArraySlice<EventRow>, borrowing Connection) throws -> [AppendPlan.Verdict]

  /// - Returns: also whether a device of the batch was erased, even if all that it sent was stored.
  private borrowing func append(
    _ batch: AppendBatch, _ plan: AppendPlan, insert: Insert
  ) throws -> (outcomes: [AppendOutcome], hasErased: Bool) {
    try connection.withTransaction(first: PositionBarrier.share) { (connection: borrowing Connection) in
      let erased = try ErasedDevices(in: batch, on: connection)
      if erased.isEmpty { return (try Self.write(batch, plan, insert, on: connection), false) }
      let spared = erased.spare(batch)
      var outcomes = [AppendOutcome](repeating: .duplicate, count: batch.rows.count)
      let written = try Self.write(spared.batch, AppendPlan(spared.batch.rows), insert, on: connection)
      for (place, outcome) in zip(spared.places, written) { outcomes[place] = outcome }
      return (outcomes, true)
    }
  }

  private static func write(
    _ batch: AppendBatch, _ plan: AppendPlan, _ insert: Insert, on connection: borrowing Connection
  ) throws -> [AppendOutcome] {
    var verdicts: [AppendPlan.Verdict] = []
    verdicts.reserveCapacity(plan.sorted.count)
    for rows in plan.statementRows { verdicts += try insert(rows, connection) }
    let outcomes = plan.outcomes(verdicts)
    if let replies = insertReplies(batch.rows, outcomes) { _ = try connection.execute(replies.prepared) }
    let letters = batch.deadLetters + batch.letters(for: outcomes)
    if !letters.isEmpty { _ = try connection.execute(DeadLetter.insert(letters).prepared) }
    return outcomes
  }

  /// Appends rows that are expected to be new: what becomes of each is known beforehand, and all is one round trip.
  private borrowing func appendNew(_ batch: AppendBatch, _ plan: AppendPlan) throws -> [AppendOutcome] {
    let outcomes = plan.outcomes(Array(repeating: .inserted, count: plan.sorted.count))
    var statements = [SQL(unsafeRaw: PositionBarrier.share), ErasedDevices.refusal(of: batch)]
    statements += plan.statementRows.map { EventColumns($0).insert }
    if let replies = Self.insertReplies(batch.rows, outcomes) { statements.append(replies) }
    let letters = batch.deadLetters + batch.letters(for: outcomes)
    if !letters.isEmpty { statements.append(DeadLetter.insert(letters)) }
    try connection.executeTogether(statements)
    return outcomes
  }

  /// As `insertMissing`, with the rows that Postgres does not take left out one by one.
  private static func insertBisecting(
    _ rows: ArraySlice<EventRow>, on connection: borrowing Connection
  ) throws -> [AppendPlan.Verdict] {
    do {
      return try connection.withSavepoint { (connection: borrowing Connection) in
        try insertMissing(rows, on: connection)
      }
    } catch let error as PostgresError where error.isDataFault {
      if rows.count == 1 {
        return [.refused(reason: "Postgres refused the event: \(error.sqlState ?? "data error")")]
      }
      let half = rows.count / 2
      return try insertBisecting(rows.prefix(half), on: connection)
        + insertBisecting(rows.dropFirst(half), on: connection)
    }
  }

  /// Inserts rows that are sorted and unique by key, and tells for each what the store now has.
  private static func insertMissing(
    _ rows: ArraySlice<EventRow>, on connection: borrowing Connection
  ) throws -> [AppendPlan.Verdict] {
    let statement = EventColumns(rows).insertMissing.prepared
    let inserted = try connection.query(statement).map { row in try EventRow.Key(row) }
    if inserted.count == rows.count { return Array(repeating: .inserted, count: rows.count) }
    let new = Set(inserted)
    let existing = try fingerprints(of: rows.lazy.map(\.key).filter { !new.contains($0) }, on: connection)
    return try rows.map { row in
      if new.contains(row.key) { return .inserted }
      guard let fingerprint = existing[row.key] else {
        throw PostgresError(.decoding, "an event was neither inserted nor found; was it removed meanwhile?")
      }
      return .existing(fingerprint)
    }
  }

  private static func fingerprints(
    of keys: some Sequence<EventRow.Key>, on connection: borrowing Connection
  ) throws -> [EventRow.Key: UUID128] {
    var eventIDs = ColumnBuilder<UUID128>()
    var unitIDs = ColumnBuilder<UUID128>()
    var days = ColumnBuilder<PostgresDate>()
    for key in keys {
      eventIDs.append(key.eventID)
      unitIDs.append(key.unitID)
      days.append(PostgresDate(daysSince1970: key.day))
    }
    let statement: SQL = """
      select event_id, unit_id, day, fingerprint
      from unnest(\(eventIDs), \(unitIDs), \(days)) as key (event_id, unit_id, day)
      join event using (event_id, unit_id, day)
      """
    let pairs = try connection.query(statement.prepared).map { row in
      (try EventRow.Key(row), try row.value(3, as: UUID128.self))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The texts of the replies that were stored now; nil where there are none.
  private static func insertReplies(_ rows: [EventRow], _ outcomes: [AppendOutcome]) -> SQL? {
    var columns = ReplyColumns()
    for (row, outcome) in zip(rows, outcomes) where outcome == .stored {
      if let text = row.reply?.text { columns.append(row, text) }
    }
    return columns.isEmpty ? nil : columns.insert
  }
}

extension EventRow.Key {
  /// From the first three columns of a row.
  init(_ row: borrowing Row) throws {
    self.init(
      eventID: try row.value(0, as: UUID128.self), unitID: try row.value(1, as: UUID128.self),
      day: try row.value(2, as: PostgresDate.self).daysSince1970)
  }
}

extension PostgresError {
  /// Whether the content of a row is at fault: data exceptions, violated constraints, values beyond a limit.
  var isDataFault: Bool {
    guard let sqlState else { return false }
    return ["22", "23", "54"].contains { sqlState.hasPrefix($0) }
  }
}
