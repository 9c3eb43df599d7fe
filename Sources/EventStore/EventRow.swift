package import EngagementEvents
package import Postgres

/// An event as it goes into the store: what was sent, what the server adds, and the hashes that stand for the device.
///
/// Never changed once made; a class, since a row is handed on half a dozen times and copying its many parts each time
/// costs more than all the rest.
package final class EventRow: Sendable {
  package let app: AppID
  package let event: EngagementEvent
  package let key: Key
  package let deviceKey: UUID128
  package let fingerprint: UUID128
  package let receivedAt: Timestamp
  package let sentAt: Timestamp?
  package let timing: EventTiming
  /// What the store keeps of the event's reply; nil where it has none.
  package let reply: KeptReply?
  /// Whether it came without the text of its reply, so that nobody can tell whether another one is the same to the letter.
  let lacksReplyText: Bool

  /// The unique key of an event. Batches are written in its order, so that overlapping ones never deadlock.
  package struct Key: Sendable, Hashable, Comparable {
    package let eventID: UUID128
    package let unitID: UUID128
    /// UTC day of the raw `occurredAt`, in days since 1970.
    package let day: Int32

    package static func < (left: Key, right: Key) -> Bool {
      // Nearly always decides: ids are random.
      if left.eventID.high != right.eventID.high { return left.eventID.high < right.eventID.high }
      if left.eventID != right.eventID { return left.eventID < right.eventID }
      if left.unitID != right.unitID { return left.unitID < right.unitID }
      return left.day < right.day
    }
  }

  /// - Parameters:
  ///   - receivedAt: when the request that carried the event arrived.
  ///   - sentAt: the request's own `sentAt`; nil where it had none.
  ///   - earliest: as `EventTiming` has it.
  ///   - withheld: the reply of an event that came without its text.
  ///   - keeping: what the app keeps of replies.
  package convenience init(
    _ event: EngagementEvent, app: AppID, receivedAt: Timestamp, sentAt: Timestamp?, secret: StoreSecret,
    earliest: Timestamp? = nil, keeping: ReplyKeeping = .everything
  ) {
    self.init(
      event, app: app, deviceKey: secret.deviceKey(app: app, device: event.deviceID), receivedAt: receivedAt,
      sentAt: sentAt, secret: secret, earliest: earliest, keeping: keeping)
  }

  /// The same for a device of which only the key is known; the event's own device id is not looked at.
  package init(
    _ event: EngagementEvent, app: AppID, deviceKey: UUID128, receivedAt: Timestamp, sentAt: Timestamp?,
    secret: StoreSecret, earliest: Timestamp? = nil, withheld: WithheldReply? = nil,
    keeping: ReplyKeeping = .everything
  ) {
    self.app = app
    self.event = event
    self.receivedAt = receivedAt
    self.sentAt = sentAt
    self.deviceKey = deviceKey
    // Only events of one key are ever compared, and the key tells the device. Without its id the fingerprint is the same
    // for an event that came with the id and for one that is replayed with the key alone. The reply is in it as it was sent,
    // whatever is kept of it, so that a retry is a duplicate under any registry.
    fingerprint = secret.fingerprint(app: app, canonical: event.canonicalForm(device: ""))
    key = Key(
      eventID: UUID128(high: event.id.high, low: event.id.low),
      unitID: secret.unitID(app: app, notification: event.notificationID, device: deviceKey),
      day: Int32(event.occurredAt.instant.utcDay))
    timing = EventTiming(
      occurredAt: event.occurredAt.instant, sentAt: sentAt, receivedAt: receivedAt, earliest: earliest)
    let kept = keeping[event.category]
    reply =
      event.replyText.map { KeptReply($0, keeping: kept) } ?? withheld.map { KeptReply($0, keeping: kept) }
    lacksReplyText = withheld != nil
  }
}

/// What became of an event that was handed to the store.
package enum AppendOutcome: Sendable, Hashable {
  /// Written and on disk.
  case stored
  /// The same event with the same content was there already; or it is of before its device was erased, and nobody shall know.
  case duplicate
  /// Another event with the same identity was there already. That one stays; this one went to the dead letters.
  case conflict
  /// Postgres would not take this event, for a reason that lies in its content; it went to the dead letters.
  case refused(reason: String)
}

/// What goes into the store of a reply.
package struct KeptReply: Sendable {
  /// Nil where it is not kept.
  let text: String?
  /// Bytes of UTF-8; `withheldLength` where that is not kept either.
  let length: Int32

  /// Stands for a reply of which nothing else is known.
  static let withheldLength: Int32 = -1

  init(_ reply: ReplyText, keeping: RegisteredCategory.ReplyTextKeeping) {
    text = keeping == .full ? reply.text : nil
    length = keeping == .none ? Self.withheldLength : Int32(reply.byteCount)
  }

  init(_ reply: WithheldReply, keeping: RegisteredCategory.ReplyTextKeeping) {
    text = nil
    length =
      keeping == .none ? Self.withheldLength : reply.length.map(Int32.init(clamping:)) ?? Self.withheldLength
  }
}

extension EngagementEvent {
  /// The text that came with an action; nil for other events and for actions without.
  fileprivate var replyText: ReplyText? {
    guard case .action(let action) = detail else { return nil }
    return action.replyText
  }
}
