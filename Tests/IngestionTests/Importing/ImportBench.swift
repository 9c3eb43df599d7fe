import EngagementEvents
import EventStore
import Foundation
import Postgres
import TestSupport

@testable import Ingestion

/// A store in the running test's database with an app, to import into.
struct ImportBench {
  let store: EventStore
  let app: App

  /// 2026-11-30T00:00:00Z, when everything arrives.
  static let arrival = Timestamp(microseconds: 1_795_996_800_000_000)

  init() throws {
    store = EventStore(
      database: try TestDatabase.current,
      secret: try StoreSecret(key: Array(repeating: 9, count: StoreSecret.length)))
    _ = try store.prepare()
    app = try App.findOrCreate("shop", on: store.connect(.administering))
  }

  /// Imports a text in pieces, small ones unless told, so that every boundary is met.
  func run(
    _ text: String, _ format: EventImport.Format = .ndjson, _ options: EventImport.Options = .init(),
    app: App? = nil, pieceSize: Int = 7
  ) throws -> ImportTally {
    try run(Array(text.utf8), format, options, app: app, pieceSize: pieceSize)
  }

  func run(
    _ bytes: [UInt8], _ format: EventImport.Format = .ndjson, _ options: EventImport.Options = .init(),
    app: App? = nil, pieceSize: Int = 7
  ) throws -> ImportTally {
    var run = try EventImport(store, app: app ?? self.app, options: options, now: { Self.arrival })
    try run.run(ByteSource(name: "file", bytes, pieceSize: pieceSize), format: format)
    return run.tally
  }

  /// What stops an import of a text.
  func fault(
    _ text: String, _ format: EventImport.Format = .csv, _ options: EventImport.Options = .init()
  ) throws -> ImportError? {
    do {
      _ = try run(text, format, options)
      return nil
    } catch let error as ImportError {
      return error
    }
  }

  func value<Value: PostgresDecodable>(_ query: SQL, as type: Value.Type = Value.self) throws -> Value {
    try store.connect(.administering).value(of: query, as: type)
  }

  var eventCount: Int { get throws { try value("select count(*) from event") } }
  var letterCount: Int { get throws { try value("select count(*) from dead_letter") } }

  /// The events of an app as they are exported.
  func exported(_ app: App? = nil, withReplies: Bool = false) throws -> String {
    var bytes: [UInt8] = []
    let connection = try store.connect(withReplies ? .readingReplies : .asking)
    let last = try PositionBarrier.lastPosition(on: connection) ?? 0
    try StoredEvent.forEach(
      of: (app ?? self.app).id, in: 1...max(last, 1), withReplies: withReplies, on: connection
    ) { event in
      event.appendJSON(to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An event a line; `fields` go behind what every event needs.
  static func line(_ number: Int, _ type: String = "expanded", _ fields: String = "", device: String = "d-1")
    -> String
  {
    let digits = String(number)
    let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return
      #"{"id":"\#(id)","type":"\#(type)","notificationId":"n-\#(number)","deviceId":"\#(device)","#
      + #""occurredAt":"2026-11-20T10:00:00+01:00"\#(fields)}"#
  }
}
