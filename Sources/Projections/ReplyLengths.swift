package import EngagementEvents
internal import EventStore
package import Postgres

/// How long the replies of a category and arm are.
package struct ReplyLengths: Sendable, Hashable {
  package let category: String
  package let isRich: Bool
  /// Units with such a reply.
  package let units: Int
  /// Replies with text within the window, on the units that the query counts; one unit may have several. One whose text is
  /// empty is none of them: that may be all that a source tells of it, and nobody knows its length.
  package let replies: Int
  /// In bytes of UTF-8; each is the length of a reply that there is.
  package let lowerQuartile: Int
  package let median: Int
  package let upperQuartile: Int
  package let longest: Int
}

/// Replies with text that no figure counts yet.
package struct WaitingReplies: Sendable, Hashable {
  /// On notifications whose delivery nobody has reported.
  package let undelivered: Int
  /// On notifications whose window is still open.
  package let recent: Int
}

/// One reply as it was written.
package struct ReplyWords: Sendable, Hashable {
  package let at: Timestamp
  package let category: String
  package let isRich: Bool
  package let action: String
  package let text: String
}

extension RateReader {
  /// Reads who replies and how much, in one snapshot. The query's metric is taken for `reply`.
  ///
  /// - Throws: as `read`.
  package static func readReplies(
    _ query: RateQuery, on connection: borrowing Connection
  ) throws -> (result: RateResult, lengths: [ReplyLengths], waiting: WaitingReplies) {
    var query = query
    query.metric = .reply
    return try withSnapshot(of: query, asOf: nil, on: connection) { checkpoint, tables, connection in
      let result = try read(query, at: checkpoint, from: tables, false, on: connection)
      return (
        result, try lengths(query, checkpoint, tables, on: connection),
        try waiting(query, checkpoint, tables, on: connection)
      )
    }
  }

  private static func lengths(
    _ query: RateQuery, _ checkpoint: EngagementProjection.Checkpoint, _ tables: ProjectionTables,
    on connection: borrowing Connection
  ) throws -> [ReplyLengths] {
    guard let replies = try replies(query, checkpoint, tables, on: connection) else { return [] }
    let statement: SQL = """
      select category, is_rich, count(distinct unit_id), count(*), percentile_disc(0.25) within group (order by reply_length),
        percentile_disc(0.5) within group (order by reply_length),
        percentile_disc(0.75) within group (order by reply_length), max(reply_length)
      from (\(replies)) reply
      group by category, is_rich
      order by category collate "C", is_rich
      """
    return try connection.query(statement).map { row in
      ReplyLengths(
        category: try row.value(0), isRich: try row.value(1), units: try row.value(2),
        replies: try row.value(3), lowerQuartile: Int(try row.value(4, as: Int32.self)),
        median: Int(try row.value(5, as: Int32.self)), upperQuartile: Int(try row.value(6, as: Int32.self)),
        longest: Int(try row.value(7, as: Int32.self)))
    }
  }

  /// Reads what people wrote, latest first.
  ///
  /// - Parameter connection: of who may read the vault; see `EventStore.Purpose.readingReplies`.
  /// - Throws: as `read`; `StoreError.database` where the login may not.
  package static func readReplyWords(
    _ query: RateQuery, limit: Int, on connection: borrowing Connection
  ) throws -> (words: [ReplyWords], waiting: WaitingReplies) {
    guard try connection.value(of: "select has_table_privilege('reply', 'select')", as: Bool.self) else {
      throw StoreError(
        .database, "This login may not read the texts of replies.",
        remedy: "Make it a member of the role pushlift_replies, or leave --text out.")
    }
    return try withSnapshot(of: query, asOf: nil, on: connection) { checkpoint, tables, connection in
      (
        try words(query, checkpoint, tables, limit, on: connection),
        try waiting(query, checkpoint, tables, on: connection)
      )
    }
  }

  private static func words(
    _ query: RateQuery, _ checkpoint: EngagementProjection.Checkpoint, _ tables: ProjectionTables,
    _ limit: Int,
    on connection: borrowing Connection
  ) throws -> [ReplyWords] {
    guard let replies = try replies(query, checkpoint, tables, on: connection) else { return [] }
    let statement: SQL = """
      select corrected_at, category, is_rich, action_id, text
      from (\(replies)) written join reply using (event_id, unit_id, day)
      order by corrected_at desc, event_id limit \(limit)
      """
    return try connection.query(statement).map { row in
      ReplyWords(
        at: Timestamp(try row.value(0, as: PostgresTimestamp.self)), category: try row.value(1),
        isRich: try row.value(2), action: try row.value(3), text: try row.value(4))
    }
  }

  /// Whether an event is a reply with text: what comes with the default action or a dismissal answers nothing.
  private static func isReply(upTo position: Int64) -> SQL {
    """
    (type = 2 and reply_length > 0 and coalesce(action_id, '') not in (\(ActionRow.notCustom)) and time_quality <> 2
      and position <= \(position))
    """
  }

  /// Replies with text that are in no figure: their notification's delivery was never reported, or its window is still open.
  private static func waiting(
    _ query: RateQuery, _ checkpoint: EngagementProjection.Checkpoint, _ tables: ProjectionTables,
    on connection: borrowing Connection
  ) throws -> WaitingReplies {
    guard let watermark = checkpoint.watermark else { return WaitingReplies(undelivered: 0, recent: 0) }
    let statements = RateStatements(
      query, try RatePeriod(query, watermark: watermark, on: connection), tables: tables)
    let counts = try connection.query(
      """
      select count(*) filter (where delivered_at is null), count(*) filter (where delivered_at is not null)
      from \(tables.unitOutcome) unit join event on event.unit_id = unit.unit_id
      where unit.app_id = \(query.app.id.rawValue) and \(isReply(upTo: checkpoint.position))
        and \(statements.isWantedUnitCategory)
        and (
          (delivered_at is null and \(statements.period.contains(instant: "first_seen_at")))
          or (
            \(statements.isImmature) and \(statements.period.contains(instant: "delivered_at"))
            and corrected_at >= delivered_at and corrected_at < delivered_at + \(statements.window)
          )
        )
      """
    ).map { row in WaitingReplies(undelivered: try row.value(0), recent: try row.value(1)) }
    return counts.first ?? WaitingReplies(undelivered: 0, recent: 0)
  }

  /// The replies within the window on the units that the query counts; nil while nothing was aggregated.
  private static func replies(
    _ query: RateQuery, _ checkpoint: EngagementProjection.Checkpoint, _ tables: ProjectionTables,
    on connection: borrowing Connection
  ) throws -> SQL? {
    guard let watermark = checkpoint.watermark else { return nil }
    let statements = RateStatements(
      query, try RatePeriod(query, watermark: watermark, on: connection), tables: tables)
    return """
      select event_id, event.unit_id, event.day, corrected_at, unit.category, is_rich, action_id, reply_length
      from (\(statements.matureUnits)) unit join event on event.unit_id = unit.unit_id
      where replied_at is not null and app_id = \(query.app.id.rawValue) and \(isReply(upTo: checkpoint.position))
        and corrected_at >= delivered_at and corrected_at < delivered_at + \(statements.window)
      """
  }
}
