package import EventStore
internal import Postgres

/// Drops the oldest events, a partition at a time, once everything that is made from them has read them.
///
/// Figures stay: units that lose an event are sealed, and from then on taken over as they are by whatever works the
/// projections out afresh.
package struct EventRetention: Sendable {
  /// Events that arrived in so many days, or are dated in them, are kept.
  package let keptDays: Int32

  /// The shortest that can be kept: what comes as late as the systems between allow still finds its unit's events.
  package static let shortest: Int32 = 35

  package init(keptDays: Int32) { self.keptDays = keptDays }

  /// A partition that was dropped.
  package struct Dropped: Sendable, Hashable {
    package let partition: String
    package let events: Int
  }

  /// A weekly partition that is old enough by the dates of its events.
  private struct Candidate {
    let name: String
    let monday: PostgresDate
  }

  /// What a partition holds.
  private struct Content: Hashable {
    let events: Int
    let implausible: Int
    let lastPosition: Int64?
    /// Whether all of it came long enough ago.
    let isOld: Bool
  }

  /// Undoes a try in which something came into the partition after it was looked through.
  private struct Changed: Error {}

  /// - Parameter progress: told each partition before it is dropped.
  /// - Throws: `StoreError.overloaded` where events were not aggregated yet, a rebuild or the job was under way, or the log
  ///   was too busy; what was dropped until then stays so.
  package func run(
    _ store: EventStore, progress: (_ partition: String) throws -> Void = { _ in }
  ) throws -> [Dropped] {
    let connection = try store.connect(.owning)
    return try ProjectionRebuild.withoutRebuild(on: connection) { (connection: borrowing Connection) in
      guard try RunnerLock.take(patience: .seconds(120), on: connection) else {
        throw StoreError(
          .overloaded, "Another process kept aggregating for two minutes.", remedy: "Try again later.")
      }
      defer { RunnerLock.giveBack(on: connection) }
      let candidates = try candidates(on: connection)
      for candidate in candidates { try requireRead(candidate, on: connection) }
      var dropped: [Dropped] = []
      for candidate in candidates {
        let content = try content(candidate, on: connection)
        guard content.events > 0, content.isOld else { continue }
        try progress(candidate.name)
        if let events = try drop(candidate, on: connection) {
          dropped.append(Dropped(partition: candidate.name, events: events))
        }
      }
      return dropped
    }
  }

  private func candidates(on connection: borrowing Connection) throws -> [Candidate] {
    try connection.query(
      """
      select name, monday from (
        select relname::text as name, (regexp_match(pg_get_expr(relpartbound, oid), '\\d{4}-\\d\\d-\\d\\d'))[1]::date as monday
        from pg_class
        where oid in (select inhrelid from pg_inherits where inhparent = 'event'::regclass)
      ) partition
      where monday + 7 <= (now() at time zone 'UTC')::date - \(keptDays)
      order by monday
      """
    ).map { row in Candidate(name: try row.value(0), monday: try row.value(1)) }
  }

  private func requireRead(_ candidate: Candidate, on connection: borrowing Connection) throws {
    let isRead = try connection.value(
      of: """
        select coalesce(max(position), 0) <= (select min(position) from projection_checkpoint)
        from \(identifier: candidate.name)
        """, as: Bool.self)
    guard !isRead else { return }
    throw StoreError(
      .overloaded,
      "The partition \(candidate.name) has events that were not aggregated yet; it was not dropped.",
      remedy: "Run pushlift aggregate first.")
  }

  private func content(_ candidate: Candidate, on connection: borrowing Connection) throws -> Content {
    try connection.query(
      """
      select count(*), count(*) filter (where time_quality = 2), max(position),
        coalesce(max(received_at) < now() - \(keptDays) * interval '1 day', true)
      from \(identifier: candidate.name)
      """
    ).map { row in
      Content(
        events: try row.value(0), implausible: try row.value(1), lastPosition: try row.value(2),
        isOld: try row.value(3))
    }[0]
  }

  /// To detach a partition, Postgres locks the whole log for a moment. Writers wait for it behind this one, so it is only
  /// waited for a moment at a time.
  ///
  /// - Returns: how many events went with it; nil where one came meanwhile for whose sake it stays.
  private func drop(_ candidate: Candidate, on connection: borrowing Connection) throws -> Int? {
    for _ in 0..<40 {
      // Each time, since events may have come in meanwhile: what was acknowledged is read and kept before it goes.
      let content = try content(candidate, on: connection)
      guard content.isOld else { return nil }
      try requireRead(candidate, on: connection)
      // Sealing may be repeated, and takes too long to be done under that lock.
      try connection.execute(
        """
        update unit_outcome set is_sealed = true
        where not is_sealed and unit_id in (select unit_id from \(identifier: candidate.name))
        """)
      do {
        try connection.withTransaction { (connection: borrowing Connection) in
          try connection.execute(
            "delete from reply where day >= \(candidate.monday) and day < \(candidate.monday) + 7")
          try connection.script(BriefLock.bound)
          try connection.execute("lock table only event in access exclusive mode")
          guard try self.content(candidate, on: connection) == content else { throw Changed() }
          try record(candidate, content, on: connection)
          try connection.execute("alter table event detach partition \(identifier: candidate.name)")
          try connection.execute("drop table \(identifier: candidate.name)")
        }
        return content.events
      } catch is Changed {
        continue
      } catch let error as PostgresError where error.isLockDenied {
        continue
      }
    }
    throw StoreError(
      .overloaded, "The log was too busy for a minute to drop \(candidate.name).",
      remedy: "Try again when it is not.")
  }

  private func record(
    _ candidate: Candidate, _ content: Content, on connection: borrowing Connection
  ) throws {
    try connection.execute(
      "update log_tally set dropped = dropped + \(content.events) where week = \(candidate.monday)")
    if content.implausible > 0 {
      try connection.execute(
        """
        update daily_implausible counted set dropped = dropped + gone.events
        from (
          select app_id, (received_at at time zone zone)::date as day, category, count(*) as events
          from \(identifier: candidate.name) join app using (app_id)
          where time_quality = 2
          group by app_id, 2, category
        ) gone
        where (counted.app_id, counted.day, counted.category) = (gone.app_id, gone.day, gone.category)
        """)
    }
    try connection.execute(
      """
      insert into retired_partition (name, week, events, last_received_at)
      select \(candidate.name), \(candidate.monday), count(*), max(received_at) from \(identifier: candidate.name)
      """)
  }
}
