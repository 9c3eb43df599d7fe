import EventStore
import Foundation
import HTTPServer
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// Whether the process lives, and whether it can take events.
@Suite(.store) struct HealthTests {
  @Test func aWellServiceIsAliveAndReady() throws {
    let service = try TestService()
    #expect(try service.client.get("/healthz").text == #"{"alive":true}"#)
    let ready = try service.client.get("/readyz")
    #expect(ready.status == 200)
    #expect(ready["Content-Type"] == "application/json")
    #expect(ready.text == #"{"ready":true,"reasons":[]}"#)
  }

  @Test(arguments: ["/healthz", "/readyz", "/metrics", "/openapi.json"])
  func headersAloneCanBeAskedFor(path: String) throws {
    let service = try TestService()
    let head = try service.client.exchange(
      Array("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8), expectsBody: false)
    #expect(head.status == 200)
    #expect(head.body.isEmpty)
    #expect(head["Content-Length"].flatMap { Int($0) } ?? 0 > 0)
  }

  @Test func anOutdatedSchemaIsNotReady() throws {
    let service = try TestService()
    try Connection(service.store.database).execute(
      "update pushlift.schema_migration set checksum = 'other' where version = 2")
    try poll(upTo: .seconds(10), "the changed schema is noticed") {
      try service.client.get("/readyz").status == 503
    }
    let answer = try service.client.get("/readyz")
    #expect(answer.text.contains(#"{"ready":false,"reasons":[{"code":"schema_outdated","message":"#))
    #expect(try service.client.get("/healthz").status == 200)
  }

  /// Stopped processes of Postgres: the connection stands, and nothing comes over it.
  @Test func whereThePostgresHangsPostsAreAnsweredAllTheSame() throws {
    let service = try TestService()
    let watcher = try Connection(service.store.database)
    let sessions = try watcher.query(
      "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    ).map { row in try row.value(0, as: Int32.self) }
    #expect(sessions.count > 2)
    for session in sessions { kill(session, SIGSTOP) }
    defer { for session in sessions { kill(session, SIGCONT) } }
    let waiting = BackgroundWork { try service.post([Event(1).json]) }
    poll(upTo: .seconds(15), "who waits is told to come back") { waiting.isFinished }
    let answer = try waiting.value()
    #expect(answer.status == 503 && answer.errorCode == "store_unavailable" && answer["Retry-After"] != nil)
    #expect(answer.text.contains("It is not known whether this request is stored"), "\(answer.text)")
    let next = try service.post([Event(2).json])
    #expect(next.status == 503)
    #expect(next.text.contains("Nothing of this request is stored"), "\(next.text)")
    for session in sessions { kill(session, SIGCONT) }
    try poll(upTo: .seconds(15), "it takes events again") {
      try service.post([Event(1).json, Event(2).json]).status == 200
    }
    #expect(try service.eventCount() == 2)
  }

  @Test func aFullQueueIsNotReadyAndRefusesMore() throws {
    let service = try TestService(options: ServiceOptions(queueCapacity: 10))
    let watcher = try Connection(service.store.database)
    let blocker = try Connection(service.store.database)
    try blocker.execute("begin")
    try blocker.execute("lock table pushlift.event in exclusive mode")
    // A writer takes the first batch and waits; the second is too small for a transaction of its own, and waits in the queue.
    var answers: [BackgroundWork<HTTPAnswer>] = []
    for number in 0..<2 {
      let events = (0..<10).map { Event(number * 10 + $0).json }
      answers.append(BackgroundWork { try service.post(events) })
      try poll(upTo: .seconds(20), "batch \(number) is taken") {
        guard number == 0 else { return try service.metrics()["pushlift_queue_events"] == 10 }
        return try watcher.value(
          of: """
            select count(*) from pg_stat_activity
            where datname = current_database() and application_name = 'pushlift writer' and wait_event_type = 'Lock'
            """) == 1
      }
    }
    let ready = try service.client.get("/readyz")
    #expect(ready.status == 503)
    #expect(ready.text.contains("queue_full"))
    let refused = try service.post([Event(99).json])
    #expect(refused.status == 503)
    #expect(refused.errorCode == "overloaded")
    #expect(refused["Retry-After"] == "1")
    try blocker.execute("commit")
    for answer in answers { #expect(try answer.value().status == 200) }
    #expect(try service.client.get("/readyz").status == 200)
    #expect(try service.eventCount() == 20)
  }
}
