import EngagementEvents
import Postgres
import TestSupport
import Testing

/// What a batch is answered with, and what is stored of it.
@Suite(.store) struct VerdictTests {
  @Test func everyShapeOfBodyIsTaken() throws {
    let service = try TestService()
    let object = try service.post(
      #"{"sentAt":"\#(Event.time(hoursAgo: 0))","events":[\#(Event(1).json),\#(Event(2).json)]}"#)
    #expect(object.status == 200)
    #expect(object.text == #"{"accepted":2,"duplicates":0,"rejected":[]}"#)
    #expect(object["Content-Type"] == "application/json")
    let array = try service.post([Event(3).json])
    #expect(array.status == 200)
    #expect(array.text == #"{"accepted":1,"duplicates":0,"rejected":[]}"#)
    let lines = try service.post(
      Event(4).json + "\n\n" + Event(5).json + "\r\n", ["Content-Type": "application/x-ndjson"])
    #expect(lines.status == 200)
    #expect(lines.text == #"{"accepted":2,"duplicates":0,"rejected":[]}"#)
    let gzip = try service.post(
      try Gzip.compress("[\(Event(6).json)]"), ["Content-Encoding": "gzip"])
    #expect(gzip.status == 200)
    #expect(gzip.text == #"{"accepted":1,"duplicates":0,"rejected":[]}"#)
    #expect(try service.storedIDs() == (1...6).map(Event.id))
  }

  @Test func anEmptyBatchIsFine() throws {
    let service = try TestService()
    for body in ["[]", #"{"events":[]}"#, #"{"sentAt":"2026-03-01T08:00:00Z","events":[]}"#] {
      let answer = try service.post(body)
      #expect(answer.status == 200, "\(body)")
      #expect(answer.text == #"{"accepted":0,"duplicates":0,"rejected":[]}"#)
    }
    #expect(try service.eventCount() == 0)
  }

  /// The one in the middle is named; its neighbours are stored, wherever it stands.
  @Test(arguments: 0...2) func aBadEventHidesNoNeighbour(place: Int) throws {
    let service = try TestService()
    var events = (1...3).map { Event($0) }
    events[place] = events[place].with("type", #""""#)
    let answer = try service.post(events.map(\.json))
    #expect(answer.status == 207)
    let message = try #require(answer.text.firstMatch(of: /"message":"(.*)"}]}$/)?.1)
    #expect(
      answer.text == #"{"accepted":2,"duplicates":0,"rejected":[{"index":\#(place),"#
        + #""id":"\#(Event.id(place + 1))","field":"type","code":"unknown_value","message":"\#(message)"}]}"#
    )
    #expect(message.contains("delivered, expanded, action"))
    #expect(try service.storedIDs() == (0...2).filter { $0 != place }.map { Event.id($0 + 1) })
  }

  @Test func whereAllAreBadNothingIsStored() throws {
    let service = try TestService()
    let answer = try service.post([
      Event(1).with("deviceId", nil).json, Event(2).with("id", "17").json, "7",
    ])
    #expect(answer.status == 422)
    let verdicts = try answer.verdicts()
    #expect(verdicts.accepted == 0)
    #expect(verdicts.rejected.map(\.index) == [0, 1, 2])
    #expect(verdicts.rejected.map(\.id) == [Event.id(1), nil, nil])
    #expect(verdicts.rejected.map(\.field) == ["deviceId", "id", ""])
    #expect(verdicts.rejected.map(\.code) == ["missing_field", "wrong_type", "wrong_type"])
    #expect(try service.eventCount() == 0)
    #expect(try service.letterCount() == 3)
  }

  @Test func manyBadOnesAmongManyGoodOnesAreEachNamed() throws {
    let service = try TestService()
    let bad = Set(stride(from: 0, to: 500, by: 7))
    let events = (0..<500).map { bad.contains($0) ? Event($0).with("occurredAt", #""soon""#) : Event($0) }
    let verdicts = try service.post(events.map(\.json)).verdicts()
    #expect(verdicts.accepted == 500 - bad.count)
    #expect(verdicts.rejected.map(\.index) == bad.sorted())
    #expect(verdicts.rejected.allSatisfy { $0.field == "occurredAt" && $0.code == "invalid_time" })
    #expect(try service.storedIDs() == (0..<500).filter { !bad.contains($0) }.map(Event.id))
  }

  @Test func aWholeRequestOfEventsIsStored() throws {
    let service = try TestService()
    let answer = try service.post((1...EventLimits.eventsPerRequest).map { Event($0).json })
    #expect(answer.status == 200)
    #expect(try service.eventCount() == EventLimits.eventsPerRequest)
  }

  @Test func unknownFieldsAreIgnoredAndCounted() throws {
    let service = try TestService()
    let answer = try service.post([
      Event(1).with("colour", #"{"of":["the","sky"]}"#).json, Event(2).with("a", "1").with("b", "2").json,
    ])
    #expect(answer.status == 200)
    #expect(answer.text == #"{"accepted":2,"duplicates":0,"rejected":[],"unknownFields":3}"#)
  }

  /// A category with a character that nobody sees is neither merged with its like nor refused.
  @Test func invisibleCharactersAreWarnedOf() throws {
    let service = try TestService()
    let answer = try service.post([
      Event(1).with("category", #""news""#).json, Event(2).with("category", "\"news\u{200B}\"").json,
      Event(3).with("category", #"" news""#).json,
    ])
    #expect(answer.status == 200)
    let warnings = try answer.verdicts().warnings ?? []
    #expect(warnings.map(\.index) == [1, 2])
    #expect(warnings.map(\.code) == ["invisible_characters", "surrounding_white_space"])
    #expect(warnings.allSatisfy { $0.field == "category" })
    #expect(try service.value(of: "select count(distinct category) from event") == 3)
  }

  /// Both would be counted as what they are not meant to be, and nobody would hear of it.
  @Test func whatIsLikelyMeantOtherwiseIsWarnedOf() throws {
    let service = try TestService()
    let answer = try service.post([
      Event(1, "delivered").with("fallback", #""timedOut""#).json,
      Event(2, "delivered").with("fallback", #""timedOut""#).with("intended", #"["image"]"#).json,
      Event(3, "action").with("actionId", #""com.apple.unnotificationdismissactionidentifier""#).json,
      Event(4, "action").with("actionId", #""com.apple.UNNotificationDismissActionIdentifier""#).json,
    ])
    #expect(answer.status == 200)
    let warnings = try answer.verdicts().warnings ?? []
    #expect(warnings.map(\.index) == [0, 2])
    #expect(warnings.map(\.field) == ["fallback", "actionId"])
    #expect(warnings.map(\.code) == ["fallback_without_intended", "near_system_action"])
    #expect(try service.eventCount() == 4)
  }
}
