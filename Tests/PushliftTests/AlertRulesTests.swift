import Foundation
import TestSupport
import Testing

/// The alerts go by figures that there are.
@Suite(.store) struct AlertRulesTests {
  private static let rules: String = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Dashboards/prometheus/pushlift.rules.yml").path
    return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }()

  @Test func everyMetricOfAnAlertIsServed() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 20)
    try sandbox.succeed("aggregate")
    let key = try sandbox.makeKey()
    let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
    let client = try server.client()
    // One that is stored, so that there is something of each kind.
    let event = """
      {"id": "0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0001", "type": "expanded", "notificationId": "n", "deviceId": "d",
       "occurredAt": "\(Day.text(daysAgo: 1))T10:00:00Z"}
      """
    #expect(try client.post([event.replacing("\n", with: " "), "{}"], key: key).status == 207)
    let served = Set(
      try client.get("/metrics").text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { String($0.prefix { $0 != "{" && $0 != " " }) })
    let named = Set(Self.rules.matches(of: /\bpushlift_[a-z_]+/).map { String($0.0) })
    #expect(named.count >= 8)
    #expect(named.subtracting(served) == [], "served: \(served.sorted())")
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
  }

  @Test func everyAlertSaysWhatToDo() {
    let alerts = Self.rules.split(separator: "- alert: ").dropFirst()
    #expect(alerts.count >= 8)
    for alert in alerts {
      #expect(
        alert.contains("summary: ") && alert.contains("remedy: ") && alert.contains("severity: "), "\(alert)")
    }
  }
}
