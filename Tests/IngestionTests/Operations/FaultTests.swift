import EventStore
import Postgres
import TestSupport
import Testing

/// What goes wrong around the service, and what it makes of that.
@Suite(.database) struct FaultTests {
  @Test func aFullDiskIsNotTheClientsFault() throws {
    let service = try TestService()
    let owner = try Connection(service.store.database)
    try owner.script(
      """
      create function pushlift.fill() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger fill before insert on pushlift.event for each row execute function pushlift.fill();
      """)
    for _ in 0..<3 {
      let answer = try service.post([Event(1).json, Event(2).with("type", "1").json])
      #expect(answer.status == 503)
      #expect(answer.errorCode == "store_unavailable")
      #expect(answer["Retry-After"] == "5")
      #expect(!answer.text.contains("device"))
    }
    #expect(try service.eventCount() == 0)
    #expect(try service.letterCount() == 0)
    try poll(upTo: .seconds(5), "the failures are counted") {
      try service.metrics()[#"pushlift_commits_total{outcome="failed"}"#] ?? 0 >= 3
    }
    try owner.script("drop trigger fill on pushlift.event")
    #expect(try service.post([Event(1).json, Event(2).with("type", "1").json]).status == 207)
    #expect(try service.eventCount() == 1)
    #expect(try service.letterCount() == 1)
  }

  @Test func overlappingBatchesInAnyOrderNeverDeadlock() throws {
    let service = try TestService()
    let events = (0..<400).map { Event($0, device: "D\($0 % 7)").json }
    let clients = (0..<8).map { _ in
      BackgroundWork {
        try (0..<8).map { _ in
          let answer = try service.post(Array(events.shuffled().prefix(300)))
          return answer.status == 200 ? try answer.verdicts().accepted : -1_000_000
        }.reduce(0, +)
      }
    }
    #expect(try clients.map { try $0.value() }.reduce(0, +) == (try service.eventCount()))
    #expect(try service.eventCount() == 400)
    let deadlocks: Int64 = try service.value(
      of: "select deadlocks from pg_stat_database where datname = current_database()")
    #expect(deadlocks == 0)
    #expect(try service.metrics()[#"pushlift_commits_total{outcome="failed"}"#] == 0)
  }

  /// Two hundred clients that dribble their requests hold up nobody.
  @Test func slowClientsCostOthersNothing() throws {
    let service = try TestService()
    let slow = try (0..<200).map { _ in try SlowClient(port: service.client.port, key: service.key) }
    let dribble = BackgroundWork { () -> Int in
      var sent = 0
      for _ in 0..<20 {
        sent += slow.count { $0.sendByte() }
        SlowClient.pause()
      }
      return sent
    }
    var worst = Duration.zero
    var number = 0
    repeat {
      number += 1
      let start = ContinuousClock.now
      #expect(try service.post([Event(number).json]).status == 200)
      worst = max(worst, ContinuousClock.now - start)
    } while !dribble.isFinished
    #expect(try dribble.value() == 200 * 20)
    #expect(worst < .seconds(3))
    #expect(try service.eventCount() == number)
  }
}
