import EventStore
import HTTPServer
import Postgres
import TestSupport
import Testing

@testable import Ingestion

@Suite(.store) struct DeviceEndpointTests {
  private func delete(_ path: String, key: String?, _ service: TestService) throws -> HTTPAnswer {
    let authorization = key.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    return try service.client.exchange(
      Array("DELETE \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(authorization)\r\n".utf8))
  }

  /// A key that the running server knows of.
  private func knownKey(app: String = "shop", scope: KeyScope = .admin, _ service: TestService) throws
    -> String
  {
    let key = try service.makeKey(app: app, scope: scope)
    try poll(upTo: .seconds(20), "the key is known") {
      try delete("/v1/devices/nobody", key: key, service).status != 401
    }
    return key
  }

  private let events = [
    Event(1, "delivered", notification: "N", device: "other"),
    Event(2, "action", notification: "N", device: "marked").with("replyText", #""marked words""#),
    Event(3, "action", notification: "N", device: "marked").with("replyText", "7"),
    Event(4, "delivered", notification: "N", device: "other"),
  ].map(\.json)

  @Test func anAdminKeyForgetsADeviceOfItsApp() throws {
    let log = LogCollector()
    let service = try TestService(options: ServiceOptions(log: log.log(.debug)))
    #expect(try service.post(events).status == 207)
    let admin = try knownKey(service)
    let foreign = try knownKey(app: "another", service)
    #expect(try delete("/v1/devices/marked", key: foreign, service).text.contains(#""events":0"#))
    #expect(try service.eventCount() == 3)
    let answer = try delete("/v1/devices/marked", key: admin, service)
    #expect(answer.status == 200)
    #expect(
      answer.text.hasSuffix(#""replies":1,"deadLetters":1,"events":1,"notifications":0}"#), "\(answer.text)")
    #expect(try service.value(of: "select count(*) from reply") == 0)
    #expect(try service.letterCount() == 0)
    let retry = try service.post(events).verdicts()
    #expect((retry.accepted, retry.duplicates, retry.rejected.count) == (0, 3, 1))
    #expect(try service.value(of: "select count(*) from reply") == 0)
    #expect(try service.letterCount() == 0)
    #expect(try delete("/v1/devices/marked", key: admin, service).text.contains(#""events":0"#))
    // Neither the log nor the metrics repeat the id.
    let metrics = try service.client.get("/metrics").text
    #expect(metrics.contains(#"route="/v1/devices/{id}",status="200"} 5"#))
    #expect(!(metrics + log.lines.joined()).contains("marked"))
  }

  @Test func othersMayNot() throws {
    let service = try TestService()
    _ = try service.post(events)
    for (key, status) in [
      (nil, 401), (service.key, 403), (try knownKey(scope: .read, service), 403),
    ] {
      #expect(try delete("/v1/devices/marked", key: key, service).status == status)
    }
    let admin = try knownKey(service)
    #expect(try delete("/v1/devices/", key: admin, service).status == 404)
    #expect(try delete("/v1/devices/a/b", key: admin, service).status == 404)
    let slash = try delete("/v1/devices/a%2fb", key: admin, service)
    #expect(slash.status == 400 && slash.text.contains("holds a slash as %2F"), "\(slash.text)")
    let long = try delete("/v1/devices/" + String(repeating: "x", count: 300), key: admin, service)
    #expect(long.status == 400 && long.errorCode == "invalid_device")
    #expect(try service.client.get("/v1/devices/marked").status == 405)
    #expect(try service.value(of: "select count(*) from reply") == 1)
  }
}
