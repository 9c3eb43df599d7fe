internal import Arguments
internal import EventStore
internal import Foundation
internal import Ingestion
internal import Postgres

/// `pushlift-bench import`.
enum ImportBench {
  private static let lines = Option<Int>(
    "lines", .integer(in: 10_000...1_000_000_000), default: 500_000, help: "Lines of each file.")
  private static let formats = Option<[EventImport.Format]>.repeated(
    "format", .choice, help: "What to import; may be repeated. Without: each of them.")

  static let command = Command(
    "import", abstract: "Lines a second of each format, beside the bare statement, and the memory they take.",
    discussion: """
      The lines are made while they are read, each an event of its own, so that a file can be of any length. The bare \
      statement writes the same number of rows over one connection, as an import does, with neither reading nor judging.
      """,
    options: [lines, formats]
  ) { arguments in
    try BenchStore.withFresh { bench in
      let formats = arguments[formats].isEmpty ? EventImport.Format.allCases : arguments[formats]
      let bare = try BareLimit(
        store: bench.store, app: bench.app, rowsPerBatch: 1_000, connections: 1, seconds: 5
      ).run()
      say("format      lines/s   of bare statement (\(Int(bare)) rows/s)   memory at a tenth, at the end")
      for format in formats { try measure(format, arguments[lines], bare, bench) }
    }
  }

  private static func measure(
    _ format: EventImport.Format, _ count: Int, _ bare: Double, _ bench: BenchStore
  ) throws {
    let app = try App.findOrCreate(
      "import-\(format.rawValue)", on: bench.store.connect(.administering))
    var run = try EventImport(bench.store, app: app, options: .init())
    var file = EndlessFile(format, lines: count)
    var early = 0
    let start = ContinuousClock.now
    try run.run(ByteSource(name: format.rawValue) { file.next() }, format: format) { tally in
      if early == 0, tally.total >= count / 10 { early = residentBytes }
    }
    let rate = Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    guard run.tally.stored == count else {
      throw BenchError("\(format.rawValue): \(run.tally.stored) of \(count) stored: \(run.tally.rejections)")
    }
    let name = format.rawValue + String(repeating: " ", count: 9 - format.rawValue.count)
    say("\(name)  \(Int(rate))  \(Int(100 * rate / bare)) %  \(early >> 20) MiB, \(residentBytes >> 20) MiB")
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}

/// Lines of a format that differ in a number, made piece by piece.
private struct EndlessFile {
  private var rest: Int
  private var number = 0
  private let line: [UInt8]
  /// Where in the line the number's nine digits stand.
  private let places: [Int]
  private var header: [UInt8]

  private static let digits = Array("#########".utf8)

  init(_ format: EventImport.Format, lines: Int) {
    rest = lines
    let day = Date.now.addingTimeInterval(-86_400).formatted(.iso8601.year().month().day())
    header =
      format == .csv ? Array("id,type,notificationId,deviceId,category,occurredAt,intended\n".utf8) : []
    line = Array((Self.template(format, day) + "\n").utf8)
    let bytes = line
    places = bytes.indices.filter { bytes[$0...].starts(with: Self.digits) }
  }

  private static func template(_ format: EventImport.Format, _ day: String) -> String {
    let uuid = "00000000-0000-4000-8000-000#########"
    let seconds = Int(Date.now.timeIntervalSince1970) - 86_400
    return switch format {
    case .ndjson:
      #"{"id":"\#(uuid)","type":"delivered","notificationId":"n-#########","deviceId":"d-#########","category":"news","occurredAt":"\#(day)T10:00:00.000Z","intended":["image"]}"#
    case .csv: "\(uuid),delivered,n-#########,d-#########,news,\(day)T10:00:00Z,image"
    case .segment:
      #"{"type":"track","event":"Push Notification Received","messageId":"ajs-next-#########","anonymousId":"d-#########","originalTimestamp":"\#(day)T10:00:00.000Z","timestamp":"\#(day)T10:00:00.100Z","context":{"app":{"version":"3.1"},"locale":"de-DE","library":{"name":"analytics-swift","version":"1.5"}},"properties":{"notificationId":"n-#########","category":"news","attachments":[{"kind":"image"}],"campaign":{"name":"spring"}}}"#
    case .onesignal:
      #"{"event.kind":"message.push.sent","event.id":"\#(uuid)","event.timestamp":\#(seconds),"event.datetime":"\#(day)T10:00:00.000Z","event.subscription_device_type":"iOS","event.subscription_id":"d-#########","event.external_id":"u","message.id":"n-1","message.name":"weekly","message.template_id":"t-1"}"#
    case .braze:
      #"{"event_type":"users.messages.pushnotification.Send","id":"b-#########","user_id":"u-#########","external_user_id":"x","time":\#(seconds),"timezone":"Europe/Berlin","app_id":"a","campaign_id":"c-1","campaign_name":"Spring","message_variation_id":"v-1","dispatch_id":"n-1","send_id":"s","device_id":"d-#########","platform":"ios"}"#
    case .airship:
      #"{"id":"\#(uuid)","offset":"1000#########","occurred":"\#(day)T10:00:00.100Z","processed":"\#(day)T10:00:02Z","type":"SEND","device":{"device_type":"IOS","channel":"d-#########","attributes":{"app_version":"7.1","locale_language_code":"de"}},"body":{"push_id":"n-1","group_id":"g-1"}}"#
    case .firebase:
      #"{"event_timestamp":"\#(day) 10:00:00.123456 UTC","project_number":"1","message_id":"n-#########","instance_id":"d-#########","message_type":"DISPLAY_NOTIFICATION","sdk_platform":"IOS","app_name":"x","priority":"10","event":"MESSAGE_ACCEPTED","analytics_label":"spring"}"#
    }
  }

  /// Some sixty kilobytes; empty at the end.
  mutating func next() -> [UInt8] {
    var piece = header
    header = []
    while rest > 0, piece.count < 60_000 {
      let start = piece.count
      piece += line
      for place in places {
        var value = number
        for digit in (0..<Self.digits.count).reversed() {
          piece[start + place + digit] = UInt8(ascii: "0") + UInt8(value % 10)
          value /= 10
        }
      }
      number += 1
      rest -= 1
    }
    return piece
  }
}
