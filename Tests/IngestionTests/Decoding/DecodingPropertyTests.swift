import EngagementEvents
import Simulation
import Testing

@testable import Ingestion

/// What holds for whatever is sent.
@Suite struct DecodingPropertyTests {
  @Test func anEventSurvivesItsJSON() throws {
    var generator = SeededGenerator(seed: 11)
    let decoder = EventBatchDecoder()
    for _ in 0..<200 {
      let events = try (0..<10).map { _ in try EventGenerator.event(using: &generator) }
      let lines = events.map { $0.jsonBytes }
      let array = Array("[".utf8) + lines.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
      let batch = try decoder.decode(array, format: .json)
      let byLine = try decoder.decode(Array(lines.joined(separator: [UInt8(ascii: "\n")])), format: .ndjson)
      #expect(batch.results.map(\.accepted) == events)
      #expect(batch.results.compactMap { $0.accepted?.canonicalBytes } == events.map(\.canonicalBytes))
      #expect(byLine == batch)
      #expect(batch.unknownFieldCount == 0)
    }
  }

  @Test func theOrderOfKeysIsNoPartOfTheContent() throws {
    let one = try EventFixture.event(
      #"{"id":"7C42CA9B-9EAB-4D04-80B3-40F10B0C54AA","type":"action","notificationId":"N","deviceId":"D","#
        + #""occurredAt":"2026-03-01T08:00:00.50Z","actionId":"a","replyText":"\u00e9"}"#)
    let other = try EventFixture.event(
      #"{"replyText":"é","x":1,"actionId":"a","occurredAt":"2026-03-01T09:00:00.5+01:00","category":"","#
        + #""deviceId":"D","notificationId":"N","type":"action","id":"7c42ca9b-9eab-4d04-80b3-40f10b0c54aa"}"#
    )
    #expect(one.canonicalBytes == other.canonicalBytes)
    #expect(one != other)  // the time as sent differs
  }

  /// A body is cut into the very values that it was joined of, whatever these hold.
  @Test func aBodyIsCutWhereItsEventsEnd() throws {
    var generator = SeededGenerator(seed: 5)
    let reader = JSONReader(depth: 64)
    for _ in 0..<500 {
      let values = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        EventGenerator.json(depth: 4, using: &generator)
      }
      let body = Array(values.joined(separator: " ,\n").utf8)
      try reader.load(body)
      var position = 0
      for value in values {
        let end = try reader.endOfValue(at: position)
        #expect(String(decoding: body[position..<end], as: UTF8.self) == value)
        #expect(try reader.parse(position..<end) != nil)
        #expect(JSONDiagnosis.firstFault(in: Array(value.utf8)) == nil)
        position = end + 3
      }
    }
  }

  /// The strict walk and the fast parser speak the same language; otherwise a fault would have no name.
  @Test func theDiagnosisFindsAFaultWhereverTheParserDoes() throws {
    var generator = SeededGenerator(seed: 3)
    let reader = JSONReader(depth: EventLimits.nestingDepth)
    var rejected = 0
    for _ in 0..<20_000 {
      var bytes = Array(EventGenerator.json(depth: 3, using: &generator).utf8)
      ByteMutator.mutate(&bytes, changes: .random(in: 1...2, using: &generator), using: &generator)
      try reader.load(bytes)
      let isValid = try reader.parse(0..<bytes.count) != nil
      let fault = JSONDiagnosis.firstFault(in: bytes)
      if isValid != (fault == nil) {
        Issue.record(
          "parser \(isValid), diagnosis \(String(describing: fault)): \(String(decoding: bytes, as: UTF8.self))"
        )
      }
      rejected += isValid ? 0 : 1
    }
    #expect(rejected > 5_000)
  }

  @Test func noMutationCrashesOrLeaks() throws {
    let reply = EventFixture.secretReply
    let events = [
      EventFixture.json(
        "action", ["category": "\"chat\"", "replyText": "\"\(reply)\"", "sequence": "7", "source": "\"app\""]),
      EventFixture.json(
        "delivered", ["attachments": #"[{"kind":"image","bytes":10}]"#, "relevanceScore": "0.25"]),
      EventFixture.json("action", ["replyText": "\"\(reply)\"", "experiment": #"{"name":"a","arm":"b"}"#]),
    ]
    var generator = SeededGenerator(seed: 2026)
    let decoder = EventBatchDecoder()
    var rejections = 0
    for round in 0..<17_000 {  // three mutations each
      let lines = events.map { event in
        var line = Array(event.utf8)
        ByteMutator.mutate(&line, changes: .random(in: 1...2, using: &generator), using: &generator)
        return line
      }
      // One in four goes as an array, where a mutation may break the whole body.
      let isArray = round % 4 == 0
      let joined = Array(lines.joined(separator: [UInt8(ascii: isArray ? "," : "\n")]))
      let body = isArray ? [UInt8(ascii: "[")] + joined + [UInt8(ascii: "]")] : joined
      do throws(RequestFault) {
        let batch = try decoder.decode(body, format: isArray ? .json : .ndjson)
        if !isArray {
          let full = joined.split(separator: UInt8(ascii: "\n")).filter {
            !$0.allSatisfy(" \r\t".utf8.contains)
          }
          if batch.results.count != full.count {
            Issue.record("\(batch.results.count) of \(full.count) results")
          }
        }
        rejections += batch.results.count { $0.rejection != nil }
        for rejection in batch.results.compactMap(\.rejection) { check(rejection) }
      } catch {
        if !isArray || EventFixture.leaks(error.message.utf8) { Issue.record(error) }
      }
    }
    #expect(rejections > 10_000)
  }

  private func check(_ rejection: RejectedEvent) {
    let said = rejection.fault.message + rejection.fault.field + (rejection.id ?? "")
    if EventFixture.leaks(rejection.redacted) || EventFixture.leaks(said.utf8) {
      Issue.record("\(rejection.fault) keeps \(String(decoding: rejection.redacted, as: UTF8.self))")
    }
  }
}
