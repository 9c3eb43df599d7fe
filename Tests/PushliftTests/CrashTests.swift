import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

/// Servers that are stopped or killed while events come in. Each has a Postgres of its own, which can be killed too.
@Suite(.store) struct CrashTests {
  private static let until = Day.text(daysAgo: 1)

  @Test func killingTheServerAndItsPostgresLosesNothingThatWasAcknowledged() throws {
    let sandbox = try Sandbox()
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 6_000, until: Self.until)
    let server = try sandbox.start(["serve", "--port", "0"])
    let load = PostingLoad(events, to: try server.client(), key: key)
    poll(upTo: .seconds(60), "a third of the events is acknowledged") { load.count > events.count / 3 }
    let postmaster = try #require(sandbox.postmaster)
    kill(postmaster, SIGKILL)
    server.send(SIGKILL)
    let acknowledged = load.finish()
    #expect(acknowledged.count < events.count, "the load was over before the kill")
    #expect(try server.output(within: .seconds(10)).status == 128 + SIGKILL)

    let restarted = try sandbox.start(["serve", "--port", "0"])
    let client = try restarted.client()
    #expect(try Self.missing(acknowledged, in: sandbox) == 0)
    for start in stride(from: 0, to: events.count, by: 900) {
      let answer = try client.post(events[start..<min(start + 900, events.count)], key: key)
      #expect(answer.status == 200)
    }
    restarted.send(SIGTERM)
    #expect(try restarted.output(within: .seconds(30)).status == 0)
    #expect(try Self.missing(events, in: sandbox) == 0)
    try sandbox.succeed("aggregate")
    let disturbed = try CSVTable(try sandbox.succeed("rates", "--format", "csv"))
    #expect(disturbed.figures == (try Self.undisturbed(events)).figures)
  }

  @Test func aServerThatIsToldToStopStopsInOrder() throws {
    let sandbox = try Sandbox()
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 4_000, until: Self.until)
    let server = try sandbox.start(["serve", "--port", "0"])
    let load = PostingLoad(events, to: try server.client(), key: key)
    poll(upTo: .seconds(60), "some events are acknowledged") { load.count > 500 }
    let start = ContinuousClock.now
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
    #expect(ContinuousClock.now - start < .seconds(10))
    let acknowledged = load.finish()
    #expect(sandbox.postmaster == nil)
    #expect(try Self.missing(acknowledged, in: sandbox) == 0)
  }

  @Test func theLastOneOutStopsThePostgresTheyShare() throws {
    let sandbox = try Sandbox()
    let key = try sandbox.makeKey()
    #expect(sandbox.postmaster == nil)
    let servers = try (0..<2).map { _ in try sandbox.start(["serve", "--port", "0"]) }
    let clients = try servers.map { try $0.client() }
    let postmaster = try #require(sandbox.postmaster)
    let events = try sandbox.events(notifications: 20, until: Self.until)
    #expect(try clients[0].post(events, key: key).status == 200)
    servers[0].send(SIGTERM)
    #expect(try servers[0].output(within: .seconds(30)).status == 0)
    #expect(sandbox.postmaster == postmaster)
    let answer = try clients[1].post(events, key: key)
    #expect(answer.text.hasPrefix(#"{"accepted":0,"#))
    servers[1].send(SIGINT)
    #expect(try servers[1].output(within: .seconds(30)).status == 0)
    #expect(sandbox.postmaster == nil)
  }

  @Test func aPostgresThatIsKilledIsStartedAgainByItsServer() throws {
    let sandbox = try Sandbox()
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: 20, until: Self.until)
    let server = try sandbox.start(["serve", "--port", "0"])
    let client = try server.client()
    #expect(try client.post(events, key: key).status == 200)
    let postmaster = try #require(sandbox.postmaster)
    kill(postmaster, SIGKILL)
    // Its sessions live on for a moment, and store what they are sent.
    poll(upTo: .seconds(30), "another Postgres is there") {
      sandbox.postmaster.map { $0 != postmaster } ?? false
    }
    poll(upTo: .seconds(30), "events are taken again") { (try? client.post(events, key: key).status) == 200 }
    #expect(sandbox.postmaster != postmaster)
    #expect(server.err.contains("Postgres started again"))
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
    #expect(sandbox.postmaster == nil)
  }

  /// How many of the events are not in the sandbox's store exactly once.
  private static func missing(_ events: [String], in sandbox: Sandbox) throws -> Int {
    let ids = try Set(events.map { try #require($0.firstMatch(of: /"id":"([^"]*)"/)?.1).lowercased() })
    let cluster = sandbox.cluster
    let configuration = try cluster.start()
    defer { try? cluster.stop() }
    let counts = try Connection(configuration).query(
      "select event_id::text, count(*) from pushlift.event group by event_id"
    ).map { row in (try row.value(0, as: String.self), try row.value(1, as: Int.self)) }
    let found = Set(counts.filter { $0.1 == 1 }.map(\.0))
    return ids.subtracting(found).count
  }

  /// The rates of a store that was never disturbed.
  private static func undisturbed(_ events: [String]) throws -> CSVTable {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
    let client = try server.client()
    for start in stride(from: 0, to: events.count, by: 900) {
      #expect(try client.post(events[start..<min(start + 900, events.count)], key: key).status == 200)
    }
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
    try sandbox.succeed("aggregate")
    return try CSVTable(try sandbox.succeed("rates", "--format", "csv"))
  }
}
