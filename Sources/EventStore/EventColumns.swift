internal import EngagementEvents
internal import Postgres

/// A batch of rows, column by column, as the arrays that `unnest` takes.
struct EventColumns {
  private var eventID: ColumnBuilder<UUID128>
  private var unitID: ColumnBuilder<UUID128>
  private var day: ColumnBuilder<PostgresDate>
  private var appID: ColumnBuilder<Int32>
  private var deviceKey: ColumnBuilder<UUID128>
  private var fingerprint: ColumnBuilder<UUID128>
  private var occurredAt: ColumnBuilder<PostgresTimestamp>
  private var sentAt: ColumnBuilder<PostgresTimestamp>
  private var receivedAt: ColumnBuilder<PostgresTimestamp>
  private var correctedAt: ColumnBuilder<PostgresTimestamp>
  private var sequence: ColumnBuilder<Int64>
  private var replyLength: ColumnBuilder<Int32>
  private var type: ColumnBuilder<Int16>
  private var timeQuality: ColumnBuilder<Int16>
  private var source: ColumnBuilder<Int16>
  private var intended: ColumnBuilder<Int16>
  private var attached: ColumnBuilder<Int16>
  private var fallback: ColumnBuilder<Int16>
  private var customInterface: ColumnBuilder<Bool>
  private var notificationID: ColumnBuilder<String>
  private var category: ColumnBuilder<String>
  private var actionID: ColumnBuilder<String>
  private var experiment: ColumnBuilder<String>
  private var arm: ColumnBuilder<String>
  private var occurredAtRaw: ColumnBuilder<String>
  private var detail: ColumnBuilder<JSONB>

  init(_ rows: ArraySlice<EventRow>) {
    let count = rows.count
    eventID = .init(reservingCapacity: count)
    unitID = .init(reservingCapacity: count)
    day = .init(reservingCapacity: count, bytesPerElement: 4)
    appID = .init(reservingCapacity: count, bytesPerElement: 4)
    deviceKey = .init(reservingCapacity: count)
    fingerprint = .init(reservingCapacity: count)
    occurredAt = .init(reservingCapacity: count, bytesPerElement: 8)
    sentAt = .init(reservingCapacity: count, bytesPerElement: 8)
    receivedAt = .init(reservingCapacity: count, bytesPerElement: 8)
    correctedAt = .init(reservingCapacity: count, bytesPerElement: 8)
    sequence = .init(reservingCapacity: count, bytesPerElement: 8)
    replyLength = .init(reservingCapacity: count, bytesPerElement: 4)
    type = .init(reservingCapacity: count, bytesPerElement: 2)
    timeQuality = .init(reservingCapacity: count, bytesPerElement: 2)
    source = .init(reservingCapacity: count, bytesPerElement: 2)
    intended = .init(reservingCapacity: count, bytesPerElement: 2)
    attached = .init(reservingCapacity: count, bytesPerElement: 2)
    fallback = .init(reservingCapacity: count, bytesPerElement: 2)
    customInterface = .init(reservingCapacity: count, bytesPerElement: 1)
    notificationID = .init(reservingCapacity: count, bytesPerElement: 36)
    category = .init(reservingCapacity: count, bytesPerElement: 16)
    actionID = .init(reservingCapacity: count, bytesPerElement: 8)
    experiment = .init(reservingCapacity: count, bytesPerElement: 0)
    arm = .init(reservingCapacity: count, bytesPerElement: 0)
    occurredAtRaw = .init(reservingCapacity: count, bytesPerElement: 24)
    detail = .init(reservingCapacity: count, bytesPerElement: 96)
    for row in rows { append(row) }
  }

  private mutating func append(_ row: EventRow) {
    let event = row.event
    eventID.append(row.key.eventID)
    unitID.append(row.key.unitID)
    day.append(PostgresDate(daysSince1970: row.key.day))
    appID.append(row.app.rawValue)
    deviceKey.append(row.deviceKey)
    fingerprint.append(row.fingerprint)
    occurredAt.append(PostgresTimestamp(event.occurredAt.instant))
    sentAt.append(row.sentAt.map(PostgresTimestamp.init))
    receivedAt.append(PostgresTimestamp(row.receivedAt))
    correctedAt.append(PostgresTimestamp(row.timing.corrected))
    sequence.append(event.sequence)
    type.append(event.type.storedCode)
    timeQuality.append(row.timing.quality.rawValue)
    source.append(event.source?.storedCode)
    notificationID.append(event.notificationID.text)
    category.append(event.category.text)
    experiment.append(event.experiment?.name)
    arm.append(event.experiment?.arm)
    occurredAtRaw.append(event.occurredAt.raw)
    append(event.detail)
    replyLength.append(row.reply?.length)
  }

  private mutating func append(_ value: EngagementEvent.Detail) {
    var delivery: Delivery?
    var action: ActionTaken?
    switch value {
    case .delivered(let value): delivery = value
    case .expanded: break
    case .action(let value): action = value
    }
    intended.append(delivery?.intended.map(MediaKind.storedBits))
    attached.append(delivery.map { MediaKind.storedBits($0.attachments.map(\.kind)) })
    fallback.append(delivery?.fallback?.storedCode)
    customInterface.append(delivery?.customInterface)
    detail.append(delivery.map { JSONB(utf8: $0.jsonBytes) })
    actionID.append(action?.actionID.text)
  }

  /// Inserts the rows, all of which have to be new.
  ///
  /// In the select list the arrays advance together, an element a row; as a table, `unnest` would first copy each of them into a
  /// store of its own.
  var insert: SQL {
    """
    insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, sent_at, received_at,
      corrected_at, sequence, reply_length, type, time_quality, source, intended, attached, fallback, custom_interface,
      notification_id, category, action_id, experiment, arm, occurred_at_raw, detail)
    select unnest(\(eventID)), unnest(\(unitID)), unnest(\(day)), unnest(\(appID)), unnest(\(deviceKey)),
      unnest(\(fingerprint)), unnest(\(occurredAt)), unnest(\(sentAt)), unnest(\(receivedAt)),
      unnest(\(correctedAt)), unnest(\(sequence)), unnest(\(replyLength)), unnest(\(type)),
      unnest(\(timeQuality)), unnest(\(source)), unnest(\(intended)), unnest(\(attached)),
      unnest(\(fallback)), unnest(\(customInterface)), unnest(\(notificationID)), unnest(\(category)),
      unnest(\(actionID)), unnest(\(experiment)), unnest(\(arm)), unnest(\(occurredAtRaw)),
      unnest(\(detail))
    """
  }

  /// Inserts the rows that are not there yet and returns the keys of these.
  var insertMissing: SQL {
    """
    \(insert)
    on conflict (event_id, unit_id, day) do nothing
    returning event_id, unit_id, day
    """
  }
}
