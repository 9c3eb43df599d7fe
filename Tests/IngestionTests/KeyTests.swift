import EventStore
import Postgres
import Projections
import TestSupport
import Testing

@testable import Ingestion

/// Who may post, and for which app.
@Suite(.store) struct KeyTests {
  @Test func onlyAKnownKeyMayPost() throws {
    let service = try TestService()
    let body = "[\(Event(1).json)]"
    let otherSecret = service.key.dropLast() + (service.key.hasSuffix("0") ? "1" : "0")
    let unknown = "pushlift_" + String(repeating: "0", count: 12) + "_" + String(repeating: "0", count: 40)
    let headers: [[String: String]] = [
      [:], ["Authorization": ""], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
      ["Authorization": service.key], ["Authorization": "Basic \(service.key)"],
      ["Authorization": "Bearer \(service.key) x"], ["Authorization": "Bearer \(otherSecret)"],
      ["Authorization": "Bearer \(unknown)"], ["Authorization": "Bearer \(service.key.uppercased())"],
      ["Authorization": "Bearer \(service.key)0"], ["Authorization": "Bearer pushlift__"],
      ["Authorization": "Bearer \(String(repeating: "a", count: 4_000))"],
    ]
    for header in headers {
      let answer = try service.client.post(
        "/v1/events", header.merging(["Content-Type": "application/json"]) { $1 }, body: Array(body.utf8))
      #expect(answer.status == 401, "\(header)")
      #expect(answer.errorCode == "unauthorized")
      #expect(answer["WWW-Authenticate"] == "Bearer")
      #expect(!answer.text.contains(service.key))
    }
    #expect(try service.eventCount() == 0)
    let lower = try service.client.post(
      "/v1/events", ["authorization": "bearer  \(service.key)", "Content-Type": "application/json"],
      body: Array(body.utf8))
    #expect(lower.status == 200)
  }

  /// A proxy may go by the other one.
  @Test(arguments: ["/v1/events", "/v1/batch", "/v1/track", "/dashboard"])
  func twoKeysAreNone(path: String) throws {
    let service = try TestService()
    let method = path == "/dashboard" ? "GET" : "POST"
    let body = path == "/v1/events" ? "[\(Event(1).json)]" : #"{"batch":[],"writeKey":"\#(service.key)"}"#
    for second in [service.key, "nobody"] {
      let answer = try service.client.exchange(
        Array(
          ("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            + "Authorization: Bearer \(service.key)\r\nauthorization: Bearer \(second)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8))
      #expect(answer.status == 401, "\(answer.text.prefix(300))")
      #expect(answer.text.contains("Send one Authorization header"), "\(answer.text.prefix(300))")
    }
    #expect(try service.eventCount() == 0)
  }

  @Test(arguments: [KeyScope.read, .admin]) func aKeyForSomethingElseMayNotPost(scope: KeyScope) throws {
    let service = try TestService()
    let key = try service.makeKey(scope: scope)
    try pollForKey(service, key, status: 403)
    let answer = try service.post([Event(1).json], key: key)
    #expect(answer.status == 403)
    #expect(answer.errorCode == "forbidden")
    #expect(try service.eventCount() == 0)
  }

  @Test func aKeyMadeLaterWorksWithinASecond() throws {
    let service = try TestService()
    let key = try service.makeKey()
    let start = ContinuousClock.now
    try pollForKey(service, key, status: 200)
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func aRevokedKeyEndsWithinASecond() throws {
    let service = try TestService()
    #expect(try service.post("[]").status == 200)
    try service.store.connect(.administering).execute("update api_key set revoked_at = now()")
    let start = ContinuousClock.now
    try pollForKey(service, service.key, status: 401)
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  /// A newer program may have made keys of which this one cannot tell what they permit. All others go on.
  @Test func aKeyOfAnUnknownScopeIsNoneAndKeepsNoOtherFromEnding() throws {
    let service = try TestService()
    let odd = try service.makeKey()
    try pollForKey(service, odd, status: 200)
    let superuser = try service.store.connectAsSuperuser()
    try superuser.script("alter table api_key drop constraint api_key_scope_check")
    let id = try #require(ApiKey.id(of: odd))
    try superuser.execute("update api_key set scope = 'future' where key_id = \(id)")
    try pollForKey(service, odd, status: 401)
    #expect(try service.post("[]").status == 200)
    try superuser.execute("update api_key set revoked_at = now()")
    try pollForKey(service, service.key, status: 401)
  }

  /// A right that was lost is told with what mends it, and asked for again and again, but not without a pause.
  @Test func keysThatCannotBeReadAreToldAndLookedForWithPauses() throws {
    let store = try EventStore.prepared()
    let key = try ApiKey.create(app: store.app().id, scope: .write, on: store.connect(.administering))
    let collector = LogCollector()
    let ring = try KeyRing(store, interval: .milliseconds(5), log: collector.log())
    defer { ring.stop() }
    let superuser = try store.connectAsSuperuser()
    func sessions() throws -> Int {
      try superuser.value(
        of: "select sessions from pg_stat_database where datname = current_database()", as: Int.self)
    }
    try superuser.script("revoke select on api_key from pushlift_writer")
    try poll(upTo: .seconds(20), "it is told") { try !collector.entries("keys not read").isEmpty }
    let start = ContinuousClock.now
    let before = try sessions()
    try poll(upTo: .seconds(30), "it was looked again four times") { try sessions() >= before + 4 }
    #expect(ContinuousClock.now - start > .seconds(1))
    let entries = try collector.entries("keys not read")
    #expect(entries.count == 1)
    #expect(entries[0]["error.message"] as? String != nil)
    #expect((entries[0]["pushlift.remedy"] as? String)?.contains("Grant") == true)
    #expect(ring.find(key) != nil)
    try superuser.script("grant select on api_key to pushlift_writer; update api_key set revoked_at = now()")
    poll(upTo: .seconds(20), "the revoked key ends") { ring.find(key) == nil }
  }

  /// A message's id is in its payload, so whoever gets one knows it: with another app's key it means another unit.
  @Test func anotherAppsKeyRaisesNoFigureOfThisApp() throws {
    let service = try TestService()
    let other = try service.makeKey(app: "other")
    try pollForKey(service, other, status: 200)
    let delivered = Event(1, "delivered", notification: "N", hoursAgo: 50)
    #expect(try service.post([delivered.json]).status == 200)
    let before = try Self.rates(service, app: "shop")
    #expect(before == [["", "1", "0"]])
    let answer = try service.post(
      [
        Event(2, "action", notification: "N", hoursAgo: 49).json,
        Event(3, "expanded", notification: "N", hoursAgo: 49).json, delivered.json,
      ], key: other)
    // Not even the same event is a duplicate there.
    #expect(answer.text == #"{"accepted":3,"duplicates":0,"rejected":[]}"#)
    #expect(try Self.rates(service, app: "shop") == before)
    #expect(try Self.rates(service, app: "other") == [["", "1", "1"]])
    #expect(try service.value(of: "select count(distinct device_key) from event") == 2)
  }

  private func pollForKey(_ service: TestService, _ key: String, status: Int) throws {
    try poll(upTo: .seconds(5), "the key is answered with \(status)") {
      try service.post("[]", key: key).status == status
    }
  }

  /// Category, delivered and interacted, over all arms and buckets.
  private static func rates(_ service: TestService, app: String) throws -> [[String]] {
    _ = try EngagementProjection().run(on: try service.store.connect(.aggregating))
    let connection = try service.store.connect(.asking)
    let result = try RateReader.read(RateQuery(app: try App.find(app, on: connection)), on: connection)
    return result.cells.map { [$0.category, String($0.units), String($0.successes)] }
  }
}
