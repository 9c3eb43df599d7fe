import Postgres
import Synchronization
import TestSupport
import Testing

@testable import EventStore
@testable import Ingestion

/// What goes wrong around the service, and what it makes of that.
@Suite(.store) struct FaultTests {
  @Test func aFullDiskIsNotTheClientsFault() throws {
    let collector = LogCollector()
    let service = try TestService(options: ServiceOptions(log: collector.log()))
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
    // Postgres answers all the while.
    let ready = try service.client.get("/readyz")
    #expect(ready.status == 503)
    #expect(ready.text.contains(#""code":"commits_fail""#) && !ready.text.contains("store_away"))
    #expect(try service.metrics()["pushlift_ready"] == 0)
    #expect(try service.metrics()["pushlift_postgres_up"] == 1)
    try poll(upTo: .seconds(5), "the failure is told") { try !collector.entries("commit failed").isEmpty }
    let entry = try #require(collector.entries("commit failed").first)
    #expect(entry["error.message"] as? String == "could not extend file: No space left on device")
    #expect((entry["pushlift.remedy"] as? String)?.contains("Free space") == true)
    try owner.script("drop trigger fill on pushlift.event")
    #expect(try service.post([Event(1).json, Event(2).with("type", "1").json]).status == 207)
    #expect(try service.eventCount() == 1)
    #expect(try service.letterCount() == 1)
    try poll(upTo: .seconds(5), "the service is ready again") {
      try service.client.get("/readyz").status == 200
    }
  }

  /// Where no more events come, since a load balancer heeds `/readyz`, a write of the probe's own finds out.
  @Test func aFailedCommitIsForgottenOnceTheProbeCanWrite() throws {
    let store = try TestService().store
    let now = Mutex<Int64>(0)
    let health = CommitHealth(now: { now.withLock { $0 } })
    let probe = try StoreProbe(store, commits: health, interval: .milliseconds(10))
    defer { probe.stop() }
    let full = StoreError(PostgresError(.server(sqlState: "53100"), "no space"))
    health.note(GroupCommitter.Commit(batches: 1, rows: 1, seconds: 0, error: full))
    #expect(!health.isGood && !health.wantsTrial)
    now.withLock { $0 = 4_999_999 }
    #expect(!health.wantsTrial)
    now.withLock { $0 = 5_000_000 }
    poll(upTo: .seconds(10), "the probe has written") { health.isGood }
    // A lost connection is for the writers to mend, and says nothing of the disk.
    let lost = StoreError(PostgresError(.connectionLost, "gone"))
    health.note(GroupCommitter.Commit(batches: 1, rows: 1, seconds: 0, error: lost))
    #expect(health.isGood)
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
