import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// What calls do not tell is kept whether they are posted or imported, but for richness: who posts knows how to tell it.
@Suite(.store) struct SegmentLimitTests {
  /// The spec's own call, which has a campaign and nothing else of ours.
  private func bare(_ number: Int, category: String = "news") -> String {
    ForeignFixture.segmentCall(
      number, "Received", Event.time(hoursAgo: 1), #""category":"\#(category)","campaign":{"name":"spring"}"#
    ).replacing(#""notificationId":"n-1","#, with: "")
  }

  private func batch(_ calls: [String]) -> [UInt8] {
    Array(#"{"batch":[\#(calls.joined(separator: ","))],"sentAt":"\#(Event.time(hoursAgo: 0))"}"#.utf8)
  }

  private func post(_ service: TestService, _ body: [UInt8], to path: String = "/v1/batch") throws
    -> HTTPAnswer
  {
    try service.client.post(
      path, ["Authorization": "Bearer \(service.key)", "Content-Type": "application/json"], body: body)
  }

  private func limits(_ store: EventStore, _ app: App) throws -> [String] {
    try store.connect(.asking).query(
      """
      select concat_ws(' ', day, category, source, lack) from source_limit where app_id = \(app.id.rawValue)
      order by 1
      """
    ).map { row in try row.value(0, as: String.self) }
  }

  @Test func aPostedCallLacksWhatAnImportedOneDoes() throws {
    let service = try TestService()
    let calls = [
      bare(1), bare(2, category: "chat"),
      ForeignFixture.segmentCall(3, "Tapped", Event.time(hoursAgo: 1), ""),
    ]
    for _ in 1...2 { #expect(try post(service, batch(calls)).status == 200) }
    let posted = try limits(service.store, service.app)
    #expect(posted.count == 2)
    #expect(posted.contains { $0.hasSuffix("news segment notification") })
    let other = try App.findOrCreate("other", on: service.store.connect(.administering))
    var run = try EventImport(service.store, app: other, options: .init())
    try run.run(
      ByteSource(name: "file", Array((calls.joined(separator: "\n") + "\n").utf8)), format: .segment)
    #expect(run.tally.rejections.isEmpty)
    let imported = try limits(service.store, other)
    #expect(imported.count == 4 && imported.filter { $0.hasSuffix(" notification") } == posted)
    // It is there before its events, for a report of any position to know.
    #expect(
      try service.value(
        of: """
          select bool_and(source_limit.position < (select min(event.position) from event
            where event.app_id = source_limit.app_id and event.category = source_limit.category)) from source_limit
          """, as: Bool.self))
  }

  @Test func aCallThatTellsAllLacksNothing() throws {
    let service = try TestService()
    let whole = ForeignFixture.segmentCall(1, "Received", Event.time(hoursAgo: 1), #""attachments":[]"#)
    #expect(try post(service, batch([whole])).status == 200)
    #expect(try post(service, Array(whole.utf8), to: "/v1/track").status == 200)
    #expect(try service.post([Event(1, "delivered").json]).status == 200)
    #expect(try limits(service.store, service.app).isEmpty)
  }

  @Test func theDayIsThatOfTheCorrectedClock() throws {
    let service = try TestService()
    let behind = bare(1).replacing(Event.time(hoursAgo: 1), with: Event.time(hoursAgo: 73))
    let body = #"{"batch":[\#(behind)],"sentAt":"\#(Event.time(hoursAgo: 72))"}"#
    #expect(try post(service, Array(body.utf8)).status == 200)
    #expect(
      try service.value(
        of: """
          select bool_and(source_limit.day = (corrected_at at time zone 'UTC')::date) and count(*) = 1
          from source_limit, event
          """, as: Bool.self))
  }

  @Test func whereALimitCannotBeDeclaredTheEventsAreStoredAndItComesLater() throws {
    let service = try TestService()
    let superuser = try service.store.connectAsSuperuser()
    try superuser.script("begin; lock table source_limit in access exclusive mode")
    #expect(try post(service, batch([bare(1)])).text.contains(#""accepted":1"#))
    #expect(try post(service, batch([bare(2, category: "chat")])).text.contains(#""accepted":1"#))
    try superuser.script("commit")
    #expect(try limits(service.store, service.app).isEmpty)
    // Whatever comes next brings it along, be it about something else.
    var number = 0
    try poll(upTo: .seconds(20), "what was owed is declared") {
      number += 1
      #expect(try service.post([Event(number).json]).status == 200)
      return try limits(service.store, service.app).count == 2
    }
  }

  @Test func whatIsOwedIsDeclaredBeforeTheServerLeaves() throws {
    let service = try TestService()
    let superuser = try service.store.connectAsSuperuser()
    try superuser.script("begin; lock table source_limit in access exclusive mode")
    #expect(try post(service, batch([bare(1)])).status == 200)
    try superuser.script("commit")
    #expect(try limits(service.store, service.app).isEmpty)
    #expect(service.stop(gracePeriod: .seconds(5)))
    #expect(try limits(service.store, service.app).count == 1)
  }
}
