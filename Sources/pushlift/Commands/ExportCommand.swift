internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Ingestion
internal import Postgres
internal import Reports

/// `pushlift export`.
enum ExportCommand {
  private static let from = Option<Int64>(
    "from-position", .integer(in: 1...Int64.max), default: 1, help: "The first position.")
  private static let to = Option<Int64?>.optional(
    "to-position", .integer(in: 1...Int64.max), help: "The last position. Usually the end of the log.")
  private static let replies = Option<Bool>.flag(
    "with-replies", help: "With the texts of replies: other people's words.")
  private static let format = Option<EventExport.Format>(
    "format", .choice, default: .ndjson,
    help: "Our own form, calls of a Segment-compatible client, or CSV; pushlift import takes all three.")
  private static let device = Option<DeviceID?>.optional(
    "device", .deviceID,
    help:
      "Only what the store has of this device, by the id that the app sends, replies and dead letters included."
  )
  private static let output = Option<String>(
    "output", .path, default: "-",
    help: "The file to write, which appears when it is whole; - is standard output.")

  static let command = Command(
    "export", abstract: "Write the events of an app in their order, one a line.",
    discussion: """
      As NDJSON in the form in which they are posted, with position, receivedAt, sentAt, correctedAt, timeQuality and replyLength beside. \
      The deviceId is "key:" and the device's key, since the store does not have the id. Positions ascend with gaps; \
      what is written later has greater ones, so that the next export begins where this one ended.

      Imported into another store, an export gives the same figures: a reply counts as one, of its length, where its text is left \
      out. But a device that goes on sending there counts as a new one. Imported into the same app, it changes nothing.

      With --format segment they are the track calls Push Notification Received, Expanded, Tapped, Dismissed and Replied, with \
      our fields as properties. CSV has the columns of an event, replyLength and replyWithheld, and lists as JSON.

      With --device it is all that is kept of one device: its events with the texts of its replies, then its dead letters and \
      the records of its erasures as {"deadLetter": …} and {"erasure": …}. Of what was erased there is nothing.

      A file with texts of replies is made readable for its owner alone. Reading them takes a login that may act as \
      pushlift_replies.
      """,
    examples: [
      "pushlift export --app shop --output events.ndjson",
      "pushlift export --app shop --from-position 120001",
      "pushlift export --app shop --format segment --with-replies --output calls.ndjson",
      "pushlift export --app shop --device 6E1F2C0A --output own.ndjson",
    ],
    options: SharedOptions.store + [SharedOptions.app, format, from, to, replies, device, output]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      if arguments[device] != nil, arguments[format] != .ndjson {
        throw arguments.usageError("--device writes NDJSON; leave --format out.")
      }
      let withReplies = arguments[replies] || arguments[device] != nil
      let connection = try opened.store.connect(withReplies ? .readingReplies : .asking)
      let app = try App.find(arguments[SharedOptions.app], on: connection)
      let end = try end(arguments, on: connection)
      let file = try OutputFile(arguments[output], isPrivate: withReplies)
      var progress = Progress("events written")
      var count = 0
      let export = EventExport()
      var csv = CSV(header: EventExport.columns)
      if arguments[format] == .csv { try file.append { $0 += csv.drain() } }
      if arguments[from] <= end {
        try StoredEvent.forEach(
          of: app.id,
          devices: arguments[device].map { opened.store.secret.deviceKeys(app: app.id, device: $0) },
          in: arguments[from]...end, withReplies: withReplies, on: connection
        ) { event in
          try file.append { bytes in
            switch arguments[format] {
            case .ndjson: event.appendJSON(to: &bytes)
            case .segment: export.appendSegmentCall(of: event, to: &bytes)
            case .csv:
              csv.append(export.cells(of: event).map { $0.map(CSV.Cell.text) ?? .empty })
              bytes += csv.drain()
              return
            }
            bytes.append(UInt8(ascii: "\n"))
          }
          count += 1
          progress.update(count)
        }
      }
      if let device = arguments[device] {
        try DeviceRecords.forEach(of: device, app: app.id, secret: opened.store.secret, on: connection) {
          line in
          try file.write(line + [UInt8(ascii: "\n")])
        }
      }
      try file.finish()
      progress.end()
      if arguments[device] != nil { return Terminal.complain("\(count) events written") }
      Terminal.complain(
        "\(count) events written, up to position \(end); the next export is --from-position \(max(end + 1, arguments[from]))"
      )
    }
  }

  /// The last position behind which nothing can come in any more, or the one that was asked for.
  private static func end(_ arguments: ParsedArguments, on connection: borrowing Connection) throws -> Int64 {
    if let to = arguments[to], to < arguments[from] {
      throw arguments.usageError("--to-position \(to) is before --from-position \(arguments[from]).")
    }
    for _ in 0..<10 {
      guard let last = try PositionBarrier.lastPosition(on: connection) else { continue }
      return min(last, arguments[to] ?? last)
    }
    throw StoreError(.overloaded, "Writers kept the log busy for ten seconds.", remedy: "Try again.")
  }
}
