internal import EngagementEvents
internal import Ingestion
internal import Simulation

/// Feeds broken bodies to the decoder of `POST /v1/events`, and looks at what comes out.
struct DecoderFuzz {
  private(set) var executions = 0
  private(set) var accepted = 0
  private(set) var rejected = 0
  /// Bodies of which nothing could be told apart.
  private(set) var refused = 0
  private var generator: SeededGenerator
  private var keepsNames = true
  private let decoder = EventBatchDecoder()
  private let check = EventBatchDecoder()

  /// Begins and ends what must not be kept of a rejected event; nothing else in the seeds has it.
  private static let mark = Array("ꙮ".utf8)

  private static let seeds: [[UInt8]] = [
    #"{"id":"7c42ca9b-9eab-4d04-80b3-40f10b0c54aa","type":"action","notificationId":"N1","deviceId":"ꙮdevice-1ꙮ","occurredAt":"2026-03-01T08:00:00Z","category":"chat","actionId":"reply","replyText":"ꙮ\"So\\n\u00e9🙂\"ꙮ","sequence":7,"source":"app"}"#,
    #"{"id":"7C42CA9B-9EAB-4D04-80B3-40F10B0C54AB","type":"delivered","notificationId":"N2","deviceId":"ꙮdevice-2ꙮ","occurredAt":"2026-03-01T08:00:00.123456789+05:30","category":"social_post","intended":["image"],"attachments":[{"kind":"image","bytes":204800,"width":640,"height":480}],"fallback":null,"customInterface":true,"actions":["like","reply"],"interruptionLevel":"timeSensitive","relevanceScore":0.25,"threadId":"t","appVersion":"1.2.3","locale":"zh-Hant"}"#,
    #"{"id":"7c42ca9b-9eab-4d04-80b3-40f10b0c54ac","type":"expanded","notificationId":"N3","deviceId":"ꙮdevice-3ꙮ","occurredAt":"2026-03-01T08:00:00-08:00","source":"contentExtension","experiment":{"name":"images","arm":"b"},"other":[1,-2.5e3,{"replyText":"ꙮnestedꙮ"}]}"#,
  ].map { Array($0.utf8) }

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Makes a body, decodes it, and looks at the outcome.
  ///
  /// - Throws: `BenchError` with the body where something is wrong.
  mutating func step() throws {
    var lines = Self.seeds
    // The name of a field that is broken badly tells nobody any more that its value is a secret.
    keepsNames = Bool.random(using: &generator)
    for place in lines.indices {
      let changes = Int.random(in: keepsNames ? 0...2 : 0...8, using: &generator)
      ByteMutator.mutate(&lines[place], changes: changes, stretches: !keepsNames, using: &generator)
    }
    executions += 1
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: try decode(Array("[".utf8) + lines.joined(separator: [0x2C]) + Array("]".utf8), .json)
    case 1:
      let head = Array(#"{"sentAt":"2026-03-01T08:00:01Z","events":["#.utf8)
      try decode(head + lines.joined(separator: [0x2C]) + Array("]}".utf8), .json)
    default: try decode(Array(lines.joined(separator: [0x0A])), .ndjson)
    }
  }

  private mutating func decode(_ body: [UInt8], _ format: BodyFormat) throws {
    let batch: DecodedBatch
    do {
      batch = try decoder.decode(body, format: format)
    } catch {
      refused += 1
      if Self.leaks(error.message.utf8) { throw Self.finding("its refusal tells a secret", body) }
      if format == .ndjson, error.code != .unsupportedEncoding {
        throw Self.finding("a broken line hides its neighbours: \(error.message)", body)
      }
      return
    }
    if format == .ndjson, batch.results.count != Self.lineCount(body) {
      throw Self.finding("\(batch.results.count) results of \(Self.lineCount(body)) lines", body)
    }
    for result in batch.results { try look(at: result, of: body) }
  }

  private mutating func look(at result: DecodedEvent, of body: [UInt8]) throws {
    switch result {
    case .rejected(let rejection):
      rejected += 1
      let said = rejection.fault.message + rejection.fault.field + (rejection.id ?? "")
      if keepsNames, Self.leaks(rejection.redacted) || Self.leaks(said.utf8) {
        throw Self.finding("a rejected event keeps a secret", body)
      }
    case .event(let event, _):
      accepted += 1
      guard let again = try? check.decode(event.jsonBytes, format: .ndjson), again.results.count == 1,
        case .event(let same, _) = again.results[0], same == event
      else { throw Self.finding("an accepted event is another once written and read again", body) }
    }
  }

  private static func lineCount(_ body: [UInt8]) -> Int {
    body.split(separator: 0x0A).count { !$0.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
  }

  private static func leaks(_ text: some Sequence<UInt8>) -> Bool {
    var matched = 0
    for byte in text {
      matched = byte == mark[matched] ? matched + 1 : (byte == mark[0] ? 1 : 0)
      if matched == mark.count { return true }
    }
    return false
  }

  private static func finding(_ what: String, _ body: [UInt8]) -> BenchError {
    let digits = body.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return BenchError("\(what); the body in hexadecimal: \(digits)")
  }
}
