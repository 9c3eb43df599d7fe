package import EngagementEvents
package import Postgres

/// An event that was refused, and why, as it is kept for a look and a replay.
package struct DeadLetter: Sendable, Hashable {
  package let app: AppID
  package let receivedAt: Timestamp
  /// The request's own `sentAt`; nil where it had none.
  package let sentAt: Timestamp?
  /// How the event came: `http`, `import`.
  package let source: String
  /// The imported file that it was in, by its name without folders, and `-` for standard input; nil for what was posted, and
  /// where it is not known.
  package let file: String?
  /// Its place in the request, from 0; in a file its line, from 1.
  package let index: Int
  /// The id as it was sent; nil where it could not be read.
  package let eventID: String?
  /// Nil where the device id could not be read.
  package let deviceKey: UUID128?
  /// The field at fault; empty for the event as a whole.
  package let field: String
  package let code: String
  package let message: String
  /// The event as it came, without reply text and device id.
  package let body: [UInt8]

  package init(
    app: AppID, receivedAt: Timestamp, sentAt: Timestamp? = nil, source: String, file: String? = nil,
    index: Int,
    eventID: String?, deviceKey: UUID128?, field: String, code: String, message: String, body: [UInt8]
  ) {
    self.app = app
    self.receivedAt = receivedAt
    self.sentAt = sentAt
    self.source = source
    self.file = file
    self.index = index
    self.eventID = eventID
    self.deviceKey = deviceKey
    self.field = field
    self.code = code
    self.message = message
    self.body = body
  }

  /// The letter for an event that could be read but not stored as it is.
  init(
    _ row: EventRow, index: Int, source: String, file: String?, field: String, code: String, message: String
  ) {
    self.init(
      app: row.app, receivedAt: row.receivedAt, sentAt: row.sentAt, source: source, file: file, index: index,
      eventID: row.event.id.text, deviceKey: row.deviceKey, field: field, code: code, message: message,
      body: row.event.redactedJSONBytes)
  }
}

extension DeadLetter {
  /// Inserts all letters in one statement.
  static func insert(_ letters: [DeadLetter]) -> SQL {
    var columns = Columns()
    for letter in letters { columns.append(letter) }
    return columns.insert
  }

  private struct Columns {
    private var app = ColumnBuilder<Int32>()
    private var receivedAt = ColumnBuilder<PostgresTimestamp>()
    private var sentAt = ColumnBuilder<PostgresTimestamp>()
    private var source = ColumnBuilder<String>()
    private var file = ColumnBuilder<String>()
    private var index = ColumnBuilder<Int32>()
    private var eventID = ColumnBuilder<String>()
    private var deviceKey = ColumnBuilder<UUID128>()
    private var field = ColumnBuilder<String>()
    private var code = ColumnBuilder<String>()
    private var message = ColumnBuilder<String>()
    private var body = ColumnBuilder<[UInt8]>()

    mutating func append(_ letter: DeadLetter) {
      app.append(letter.app.rawValue)
      receivedAt.append(PostgresTimestamp(letter.receivedAt))
      sentAt.append(letter.sentAt.map(PostgresTimestamp.init))
      source.append(letter.source)
      file.append(letter.file.map(storable))
      index.append(Int32(clamping: letter.index))
      eventID.append(letter.eventID.map(storable))
      deviceKey.append(letter.deviceKey)
      field.append(storable(letter.field))
      code.append(letter.code)
      message.append(storable(letter.message))
      body.append(letter.body)
    }

    /// Postgres' text cannot hold U+0000, and a letter about one must not become one.
    private func storable(_ text: String) -> String {
      text.utf8.contains(0)
        ? String(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : Character($0) }) : text
    }

    /// A file that is imported again brings its letters again, which are then there already. Letters of before tell no file,
    /// and may be of any.
    var insert: SQL {
      """
      insert into dead_letter
        (app_id, received_at, sent_at, source, file, event_index, event_id, device_key, field, code, message, body)
      select * from unnest(\(app), \(receivedAt), \(sentAt), \(source), \(file), \(index), \(eventID), \(deviceKey),
        \(field), \(code), \(message), \(body))
        as new (app_id, received_at, sent_at, source, file, event_index, event_id, device_key, field, code, message, body)
      where new.source <> 'import' or not exists (
        select from dead_letter as old
        where old.source = 'import' and old.app_id = new.app_id and old.event_index = new.event_index
          and old.code = new.code and old.body = new.body and old.device_key is not distinct from new.device_key
          and (old.file is null or old.file = new.file))
      """
    }
  }
}
