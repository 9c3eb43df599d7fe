import EventStore
import Foundation
import HTTPServer
import Postgres
import TestSupport
import Testing

@testable import Ingestion

/// What the log tells, what it does not, and how often.
@Suite struct LogTests {
  @Test func aLineIsAnObjectWithTimeLevelAndMessage() throws {
    let collector = LogCollector()
    collector.log().write(
      .warning, "a message", ["a.b": "x\n\"y\"", "n": 3, "f": .number(0.5), "none": .null])
    let line = try #require(collector.lines.first)
    #expect(line.hasSuffix("\n") && line.dropLast().allSatisfy { $0 != "\n" })
    #expect(
      try #require(line.firstMatch(of: /^\{"time":"[0-9T:.-]+Z",(.*)\}\n$/)).output.1
        == #""level":"warning","message":"a message","a.b":"x\n\"y\"","n":3,"f":0.5,"none":null"#)
  }

  @Test func textCannotLookLikeAnotherFieldOrLine() throws {
    let collector = LogCollector()
    collector.log(.info, .text).write(
      .info, "listening", ["url.full": "http://[::1]:80", "evil": "a b=c\nd"])
    let line = try #require(collector.lines.first)
    #expect(line.hasSuffix(#"Z info listening url.full=http://[::1]:80 evil="a b=c\nd""# + "\n"))
  }

  @Test func lessThanTheLevelIsNotWritten() {
    let collector = LogCollector()
    let log = collector.log(.warning)
    log.write(.info, "quiet")
    log.summarise(.debug, "quiet")
    log.write(.error, "loud")
    #expect(collector.lines.count == 1)
  }

  /// However many there are, a line a second tells how many.
  @Test func aFloodIsSummarised() throws {
    let collector = LogCollector()
    let log = collector.log()
    for number in 0..<1_000 { log.summarise(.info, "flood", count: 2, ["last": .integer(number)]) }
    log.summarise(.info, "another")
    let early = try collector.entries("flood")
    #expect(early.count == 1)
    #expect(early.first?["count"] as? Int == 2)
    #expect(try collector.entries("another").count == 1)
    log.writeHeldBack()
    #expect(try collector.entries("flood").count == 1)
    log.writeHeldBack(all: true)
    let entries = try collector.entries("flood")
    #expect(entries.count == 2)
    #expect(entries.last?["count"] as? Int == 1_998)
    #expect(entries.last?["last"] as? Int == 999)
    log.writeHeldBack(all: true)
    #expect(try collector.entries("flood").count == 2)
  }

  @Test func kindsOfOneMessageAreCountedApart() throws {
    let collector = LogCollector()
    let log = collector.log()
    for number in 0..<10 {
      log.summarise(.info, "flood", of: "\(number % 2)", ["kind": .integer(number % 2)])
    }
    log.writeHeldBack(all: true)
    let entries = try collector.entries("flood")
    #expect(entries.map { $0["kind"] as? Int } == [0, 1, 0, 1])
    #expect(entries.map { $0["count"] as? Int } == [1, 1, 4, 4])
  }

  @Test func whatWasHeldBackIsWrittenASecondLater() throws {
    let collector = LogCollector()
    let log = collector.log()
    log.summarise(.info, "flood")
    log.summarise(.info, "flood")
    try poll(upTo: .seconds(5), "the second one is written") {
      log.writeHeldBack()
      return try collector.entries("flood").count == 2
    }
  }
}

/// What the service logs.
@Suite(.store) struct ServiceLogTests {
  @Test func nothingPrivateIsLoggedAndOrdinaryRequestsAreNot() throws {
    let collector = LogCollector()
    let service = try TestService(options: ServiceOptions(log: collector.log()))
    #expect(try service.post([Event(1).json]).status == 200)
    #expect(collector.lines.isEmpty)
    let secret = "Geheimnis"
    let action = Event(2, "action", device: secret).with("replyText", Event.quoted(secret))
    #expect(
      try service.post([
        action.json, action.with("sequence", "1.5").json, action.with("category", "\"x\"").json,
      ]).status == 207)
    _ = try service.post("[{\"replyText\":\"\(secret)\",", ["X-Request-Id": "my-request"])
    _ = try service.post([action.json], key: service.key + "0")
    _ = try service.client.get("/\(secret)?key=\(service.key)", ["Authorization": "Bearer \(service.key)"])
    #expect(service.stop(gracePeriod: .seconds(5)))
    let all = collector.lines.joined()
    #expect(!all.contains(secret) && !all.contains(service.key.suffix(40)))
    let rejected = try collector.entries("events rejected")
    #expect(rejected.map { $0["count"] as? Int } == [1, 1])
    #expect(
      Set(rejected.compactMap { $0["pushlift.rejection.code"] as? String }) == ["conflict", "not_an_integer"])
    #expect(rejected.allSatisfy { $0["pushlift.app"] as? String == "shop" })
    #expect(rejected.first?["http.request.id"] as? String != nil)
    let refused = try collector.entries("request refused")
    #expect(refused.compactMap { $0["count"] as? Int }.reduce(0, +) == 3)
    #expect(refused.first?["http.request.id"] as? String == "my-request")
    #expect(
      refused.compactMap { $0["error.code"] as? String } == ["invalid_json", "unauthorized", "not_found"])
    #expect(
      refused.compactMap { $0["http.route"] as? String } == ["/v1/events", "/v1/events", "other"])
    #expect(refused.allSatisfy { $0["client.address"] as? String == "127.0.0.1" })
  }

  @Test func debugHasALineARequest() throws {
    let collector = LogCollector()
    let service = try TestService(options: ServiceOptions(log: collector.log(.debug)))
    _ = try service.client.get("/healthz", ["X-Request-Id": "one"])
    _ = try service.client.get("/secret/path")
    let entries = try collector.entries("request answered")
    #expect(entries.map { $0["http.route"] as? String } == ["/healthz", "other"])
    #expect(entries.first?["http.request.id"] as? String == "one")
    #expect(!collector.lines.joined().contains("secret"))
  }

  @Test func theStoresLossAndReturnAreToldOnce() throws {
    let collector = LogCollector()
    let service = try TestService(options: ServiceOptions(log: collector.log()))
    let server = try Connection(try TestCluster.shared)
    let name = try #require(service.store.database.database)
    try server.execute("alter database \(identifier: name) allow_connections false")
    try server.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = \(name)")
    try poll(upTo: .seconds(20), "the loss is told") { try collector.entries("store lost").count == 1 }
    let loss = try #require(collector.entries("store lost").first)
    // Whichever thread noticed it: a session was ended, or none could be opened.
    let reason = try #require(loss["error.message"] as? String)
    #expect(
      reason.contains("administrator command") || reason.contains("not currently accepting connections"),
      "\(reason)")
    #expect(loss["pushlift.remedy"] as? String != nil)
    try poll(upTo: .seconds(5), "the probe has noticed too") {
      try service.metrics()["pushlift_postgres_up"] == 0
    }
    let answer = try service.post([Event(1).json])
    #expect(answer.status == 503)
    try poll(upTo: .seconds(5), "the failure is told") {
      try collector.entries("request failed").first?["error.code"] as? String == "store_unavailable"
    }
    try server.execute("alter database \(identifier: name) allow_connections true")
    try poll(upTo: .seconds(30), "the return is told") { try collector.entries("store recovered").count == 1 }
    try poll(upTo: .seconds(30), "events are taken again") { try service.post([Event(1).json]).status == 200 }
    #expect(try collector.entries("store lost").count <= 2)
  }

  @Test func aSlowCommitIsTold() throws {
    let collector = LogCollector()
    let service = try TestService(options: ServiceOptions(log: collector.log()))
    let blocker = try Connection(service.store.database)
    try blocker.execute("begin")
    try blocker.execute("lock table pushlift.event in exclusive mode")
    let answer = BackgroundWork { try service.post([Event(1).json]) }
    try TimeTests.waitForLock(service)
    _ = try blocker.query("select pg_sleep(1.1)")
    try blocker.execute("commit")
    #expect(try answer.value().status == 200)
    try poll(upTo: .seconds(5), "the slow commit is told") { try collector.entries("slow commit").count == 1 }
    #expect(try #require(collector.entries("slow commit").first?["pushlift.commit.seconds"] as? Double) > 1)
  }
}
