package import EngagementEvents
package import Postgres

/// What the store has of one device beside its events, as JSON, a line each.
package enum DeviceRecords {
  private static let lettersAtATime = 500

  /// Lends the device's dead letters, oldest first, and then the records of its erasures.
  ///
  /// `{"deadLetter": …}` has the event's bytes as a text, since they need not be JSON; `{"erasure": …}` what was removed.
  /// - Parameter connection: one that reads replies will do.
  package static func forEach(
    of device: DeviceID, app: AppID, secret: StoreSecret, on connection: borrowing Connection,
    _ body: ([UInt8]) throws -> Void
  ) throws {
    let keys = secret.deviceKeys(app: app, device: device)
    var selection = StoredDeadLetter.Selection(app: app)
    selection.devices = keys
    var last: Int64 = 0
    while true {
      let letters = try StoredDeadLetter.next(
        selection, after: last, limit: lettersAtATime, on: connection)
      for stored in letters { try body(line(of: stored.letter)) }
      guard let end = letters.last?.id else { break }
      last = end
    }
    try connection.forEachRow(
      of: """
        select json_build_object('erasure', json_build_object(
          'begunAt', begun_at, 'finishedAt', finished_at, 'requestedBy', requested_by, 'position', position,
          'replies', replies, 'deadLetters', dead_letters, 'events', events, 'notifications', units))::text
        from erasure where app_id = \(app.rawValue) and device_key = any(\(keys)) order by erasure_id
        """
    ) { row in try body(Array(row.value(0, as: String.self).utf8)) }
  }

  private static func line(of letter: DeadLetter) -> [UInt8] {
    var bytes: [UInt8] = []
    var opening = #"{"deadLetter":{"#
    for (name, text) in [
      ("receivedAt", letter.receivedAt.rfc3339), ("source", letter.source), ("file", letter.file),
      ("field", letter.field), ("code", letter.code), ("message", letter.message),
      ("event", String(decoding: letter.body, as: UTF8.self)),
    ] {
      guard let text else { continue }
      bytes.append(contentsOf: "\(opening)\"\(name)\":".utf8)
      bytes.appendJSONString(text)
      opening = ","
    }
    bytes.append(contentsOf: "}}".utf8)
    return bytes
  }
}
