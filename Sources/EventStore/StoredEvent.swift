package import EngagementEvents
package import Postgres

/// An event as it is read back from the log.
///
/// It is not an `EngagementEvent`: the device id is not in the store, and what an older pushlift took need not satisfy
/// today's rules.
package struct StoredEvent: Sendable, Hashable {
  package let position: Int64
  package let id: UUID128
  package let type: EventType
  package let deviceKey: UUID128
  package let notificationID: String
  /// Empty for none.
  package let category: String
  /// As it was sent.
  package let occurredAt: String
  package let sequence: Int64?
  package let source: EventSource?
  package let experiment: String?
  package let arm: String?
  /// The fields that only deliveries have, as a JSON object; nil for other events.
  package let detail: JSONB?
  package let actionID: String?
  /// Whether there was a reply, whatever is kept of it.
  package let hasReply: Bool
  /// Bytes of UTF-8; nil where no reply text came, or its length is not kept.
  package let replyLength: Int?
  /// From the vault, where it was asked for and is still there.
  package let replyText: String?
  package let receivedAt: Timestamp
  package let sentAt: Timestamp?
  package let correctedAt: Timestamp
  package let timeQuality: TimeQuality

  /// Whether there was a reply of which nothing else is kept.
  package var isReplyWithheld: Bool { hasReply && replyLength == nil }
}

extension StoredEvent {
  /// Positions that one query reads, so that the server never sorts more than that.
  private static let positionsAtATime: Int64 = 100_000

  /// Lends the events of an app in the order of their positions, as they arrive, in constant memory.
  ///
  /// - Parameters:
  ///   - positions: the upper end must lie behind the `PositionBarrier`, or events could be missed.
  ///   - devices: only events of these devices, by their keys; nil for all.
  ///   - withReplies: reads the vault as well, for which the connection has to be one that reads replies.
  package static func forEach(
    of app: AppID, devices: [UUID128]? = nil, in positions: ClosedRange<Int64>, withReplies: Bool,
    on connection: borrowing Connection,
    _ body: (StoredEvent) throws -> Void
  ) throws {
    // Of a device there is little to sort.
    let step = devices == nil ? positionsAtATime : Int64.max
    var first = positions.lowerBound
    while first <= positions.upperBound {
      let last = positions.upperBound - first < step ? positions.upperBound : first + step - 1
      try connection.forEachRow(of: select(app, devices, first, last, withReplies)) { row in
        try body(try StoredEvent(row))
      }
      first = last + 1
    }
  }

  private static func select(
    _ app: AppID, _ devices: [UUID128]?, _ first: Int64, _ last: Int64, _ withReplies: Bool
  ) -> SQL {
    let vault: SQL = withReplies ? "left join reply using (event_id, unit_id, day)" : ""
    let text: SQL = withReplies ? "reply.text" : "null::text"
    let isMeant: SQL = devices.map { "event.device_key = any(\($0))" } ?? "true"
    return """
      select position, event_id, event.type, event.device_key, notification_id, category, occurred_at_raw, sequence,
        source, experiment, arm, detail, action_id, reply_length, \(text),
        event.received_at, sent_at, corrected_at, time_quality
      from event \(vault)
      where event.app_id = \(app.rawValue) and position between \(first) and \(last) and \(isMeant)
      order by position
      """
  }

  private init(_ row: borrowing Row) throws {
    position = try row.value(0)
    id = try row.value(1)
    let type = try row.value(2, as: Int16.self)
    self.type = try Self.word(EventType.allCases.first { $0.storedCode == type }, "type", type)
    deviceKey = try row.value(3)
    notificationID = try row.value(4)
    category = try row.value(5)
    occurredAt = try row.value(6)
    sequence = try row.value(7)
    source = try row.value(8, as: Int16?.self).map { code in
      try Self.word(EventSource.allCases.first { $0.storedCode == code }, "source", code)
    }
    experiment = try row.value(9)
    arm = try row.value(10)
    detail = try row.value(11)
    actionID = try row.value(12)
    let length = try row.value(13, as: Int32?.self)
    hasReply = length != nil
    replyLength = length == KeptReply.withheldLength ? nil : length.map(Int.init)
    replyText = try row.value(14)
    receivedAt = Timestamp(try row.value(15, as: PostgresTimestamp.self))
    sentAt = try row.value(16, as: PostgresTimestamp?.self).map { Timestamp($0) }
    correctedAt = Timestamp(try row.value(17, as: PostgresTimestamp.self))
    let quality = try row.value(18, as: Int16.self)
    timeQuality = try Self.word(TimeQuality(rawValue: quality), "time quality", quality)
  }

  private static func word<Word>(_ word: Word?, _ what: String, _ code: Int16) throws -> Word {
    guard let word else {
      throw StoreError(
        .schema, "The store has an event with the unknown \(what) \(code).", remedy: "Update pushlift.")
    }
    return word
  }
}
