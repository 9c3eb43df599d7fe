import EventStore
import Postgres
import TestSupport
import Testing

/// What devices' clocks say, and what becomes of it.
@Suite(.store) struct TimeTests {
  @Test func fractionsAndOffsetsAreRead() throws {
    let service = try TestService()
    let times = [
      "2026-04-20T10:57:26.413878+02:00", "2026-04-20T10:57:26.4Z", "2026-04-20T10:57:26Z",
      "2026-04-20T10:57:26.123456789Z", "2026-04-20T23:30:00-02:30", "2026-04-20t10:57:26z",
    ]
    let events = times.enumerated().map { Event($0).with("occurredAt", Event.quoted($1)).json }
    #expect(try service.post(events).verdicts().accepted == times.count)
    let stored = try service.store.connect(.asking).query(
      "select occurred_at_raw, to_char(occurred_at, 'DD HH24:MI:SS.US'), day::text from event order by event_id"
    ).map { row in [try row.value(0, as: String.self), try row.value(1, as: String.self), try row.value(2)]
    }
    #expect(stored.map { $0[0] } == times)
    #expect(
      stored.map { $0[1] } == [
        "20 08:57:26.413878", "20 10:57:26.400000", "20 10:57:26.000000", "20 10:57:26.123456",
        "21 02:00:00.000000", "20 10:57:26.000000",
      ])
    #expect(stored[4][2] == "2026-04-21")
  }

  @Test func timesThatAreNoneAreRejectedByName() throws {
    let cases: [(value: String, code: String)] = [
      (#""2026-09-02T3:33:07 PMZ""#, "twelve_hour_clock"),
      (#""2026-09-02T03:33:07 AM""#, "twelve_hour_clock"),
      (#""0027-08-21T午後11:16:17.552Z+0900""#, "foreign_calendar"),
      (#""2569-09-17T10:00:00Z""#, "year_out_of_range"), (#""1970-01-01T01:30:27Z""#, "year_out_of_range"),
      (#""20231-01-05T00:00:00Z""#, "year_out_of_range"), (#""0000-00-00T00:00:00Z""#, "day_out_of_range"),
      (#""2023-02-30T00:00:00Z""#, "day_out_of_range"), (#""infinity""#, "infinite_time"),
      (#""2023-02-03T24:00:00Z""#, "clock_out_of_range"),
      (#""2016-12-30T23:59:60Z""#, "impossible_leap_second"),
      (#""2023-03-16 10:00:00""#, "invalid_time"), (#""2023-03-16T10:00:00""#, "missing_time_zone"),
      (#""2023-03-16T10:00:00+25:00""#, "invalid_time_zone"), (#""1718000000""#, "number_for_time"),
      ("1718000000", "wrong_type"), ("1718000000000", "wrong_type"),
      ("1718000000.5", "wrong_type"),
      ("-1", "wrong_type"), ("1e18", "wrong_type"), (#""""#, "empty"), ("null", "missing_field"),
    ]
    let service = try TestService()
    let events = cases.enumerated().map { Event($0).with("occurredAt", $1.value).json }
    let verdicts = try service.post(events).verdicts()
    #expect(verdicts.accepted == 0)
    for (rejection, expected) in zip(verdicts.rejected, cases) {
      #expect(rejection.code == expected.code, "\(expected.value): \(rejection.message)")
      #expect(rejection.field == "occurredAt")
    }
    #expect(verdicts.rejected.count == cases.count)
    #expect(try service.letterCount() == cases.count)
  }

  /// Nothing stands in for a time that is not told, so that a retry cannot become another event.
  @Test func anEventWithoutATimeIsRejectedEachTime() throws {
    let service = try TestService()
    for _ in 1...2 {
      let answer = try service.post([Event(1).with("occurredAt", nil).json])
      #expect(answer.status == 422)
      #expect(try answer.verdicts().rejected.map(\.code) == ["missing_field"])
    }
    #expect(try service.eventCount() == 0)
  }

  /// A clock that is two weeks ahead tells so by the time at which it sent.
  @Test func aClockThatIsFarOffIsCorrected() throws {
    let service = try TestService()
    for (number, ahead) in [(1, 14.0 * 24), (2, -14.0 * 24), (3, 2.0)] {
      let event = Event(number).with("occurredAt", Event.quoted(Event.time(hoursAgo: 1 - ahead)))
      let answer = try service.post(
        #"{"sentAt":"\#(Event.time(hoursAgo: -ahead))","events":[\#(event.json)]}"#)
      #expect(answer.status == 200)
    }
    #expect(try Self.qualities(service) == [1, 1, 1])
    let isOneHourAgo: Bool = try service.value(
      of: """
        select bool_and(abs(extract(epoch from received_at - corrected_at) - 3600) < 30
          and abs(extract(epoch from received_at - sent_at)) > 3600) from event
        """)
    #expect(isOneHourAgo)
  }

  @Test func aTimeOfSendingThatIsNoneIsWarnedOf() throws {
    let service = try TestService()
    for year in ["1970", "2569"] {
      let answer = try service.post(
        #"{"sentAt":"\#(year)-03-01T08:00:00Z","events":[\#(Event(1).json),\#(Event(2).with("occurredAt", #""\#(year)-03-01T08:00:00Z""#).json)]}"#
      )
      #expect(answer.status == 207)
      #expect(try answer.verdicts().rejected.map(\.code) == ["year_out_of_range"])
      #expect(
        answer.text.contains(#""warnings":[{"index":null,"field":"sentAt","code":"invalid_sent_at","#),
        "\(answer.text)")
    }
    #expect(try Self.qualities(service) == [0])
    #expect(try service.value(of: "select count(*) from event where sent_at is null") == 1)
    #expect(try service.client.get("/metrics").text.contains(#"code="invalid_sent_at"} 2"#))
  }

  /// Half a minute, or half an hour, is how long a request takes on a bad network; it moves nothing.
  @Test func aDelayIsNoSkew() throws {
    let service = try TestService()
    for (number, hours) in [(1, 15.0 / 3_600), (2, 0.5), (3, -0.5)] {
      let answer = try service.post(
        #"{"sentAt":"\#(Event.time(hoursAgo: hours))","events":[\#(Event(number).json)]}"#)
      #expect(answer.status == 200)
    }
    #expect(try Self.qualities(service) == [0, 0, 0])
    #expect(try service.value(of: "select count(*) from event where corrected_at = occurred_at") == 3)
  }

  /// Kept, marked, and told apart from those that count.
  @Test func timesThatCannotBeAreImplausible() throws {
    let service = try TestService()
    let ages: [Double] = [-25, -23, 399 * 24, 401 * 24]
    let events = ages.enumerated().map { Event($0, hoursAgo: $1).json }
    #expect(try service.post(events).text == #"{"accepted":4,"duplicates":0,"rejected":[]}"#)
    #expect(try Self.qualities(service) == [2, 0, 0, 2])
  }

  /// The time of arrival is taken when the request comes, not when it is stored.
  @Test func waitingForTheStoreIsNoSkew() throws {
    let service = try TestService()
    let blocker = try Connection(service.store.database)
    try blocker.execute("begin")
    try blocker.execute("lock table pushlift.event in exclusive mode")
    let answer = BackgroundWork { try service.post([Event(1).json]) }
    try Self.waitForLock(service)
    let before = try blocker.value(of: "select clock_timestamp()", as: PostgresTimestamp.self)
    try blocker.execute("commit")
    #expect(try answer.value().status == 200)
    #expect(try service.value(of: "select received_at < \(before) from event"))
  }

  /// Until the writer stands before a lock that the test holds.
  static func waitForLock(_ service: TestService) throws {
    let watcher = try Connection(service.store.database)
    try poll(upTo: .seconds(20), "the writer waits for the lock") {
      try watcher.value(
        of: """
          select count(*) > 0 from pg_stat_activity
          where datname = current_database() and application_name = 'pushlift writer' and wait_event_type = 'Lock'
          """)
    }
  }

  private static func qualities(_ service: TestService) throws -> [Int] {
    try service.store.connect(.asking).query("select time_quality from event order by event_id").map { row in
      Int(try row.value(0, as: Int16.self))
    }
  }
}
