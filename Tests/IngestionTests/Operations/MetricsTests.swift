import EventStore
import HTTPServer
import Postgres
import Projections
import TestSupport
import Testing

@testable import Ingestion

/// What `/metrics` tells, and to whom.
@Suite(.store) struct MetricsTests {
  @Test func eventsAreCountedByAppTypeAndVerdict() throws {
    let service = try TestService()
    let first = Event(1, "delivered").with("attachments", "[]")
    #expect(try service.post([first.json, Event(2).json, Event(3, "action").json]).status == 200)
    #expect(try service.post([first.json, first.json]).status == 200)
    // A conflict, two that cannot be read, an unknown field, an invisible character.
    let other = try service.post([
      first.with("category", #""other""#).json, Event(4).with("id", nil).json, "[]",
      Event(5).with("nonsense", "1").json, Event(6).with("category", "\"a\u{200B}\"").json,
    ])
    #expect(other.status == 207)
    let metrics = try service.metrics()
    func events(_ type: String, _ verdict: String) -> Double? {
      metrics[#"pushlift_events_total{app="shop",type="\#(type)",verdict="\#(verdict)"}"#]
    }
    #expect(events("delivered", "stored") == 1)
    #expect(events("expanded", "stored") == 3)
    #expect(events("action", "stored") == 1)
    #expect(events("delivered", "duplicate") == 2)
    #expect(events("delivered", "conflict") == 1)
    #expect(events("unknown", "rejected") == 2)
    #expect(events("expanded", "rejected") == 0)
    #expect(metrics[#"pushlift_rejections_total{app="shop",code="conflict"}"#] == 1)
    #expect(metrics[#"pushlift_rejections_total{app="shop",code="missing_field"}"#] == 1)
    #expect(metrics[#"pushlift_rejections_total{app="shop",code="wrong_type"}"#] == 1)
    #expect(metrics[#"pushlift_unknown_fields_total{app="shop"}"#] == 1)
    #expect(metrics[#"pushlift_warnings_total{app="shop",code="invisible_characters"}"#] == 1)
    #expect(metrics[#"pushlift_http_requests_total{route="/v1/events",status="200"}"#] == 2)
    #expect(metrics[#"pushlift_http_requests_total{route="/v1/events",status="207"}"#] == 1)
  }

  @Test func commitsAreMeasured() throws {
    let service = try TestService()
    for number in 0..<3 {
      #expect(try service.post([Event(2 * number).json, Event(2 * number + 1).json]).status == 200)
    }
    // A writer tells of its commit after the answer.
    try poll(upTo: .seconds(5), "three commits are counted") {
      try service.metrics()[#"pushlift_commits_total{outcome="committed"}"#] == 3
    }
    let metrics = try service.metrics()
    #expect(metrics.types["pushlift_commit_rows"] == "histogram")
    #expect(metrics["pushlift_commit_rows_sum"] == 6)
    #expect(metrics[#"pushlift_commit_rows_bucket{le="1"}"#] == 0)
    #expect(metrics[#"pushlift_commit_rows_bucket{le="2"}"#] == 3)
    #expect(metrics[#"pushlift_commit_rows_bucket{le="+Inf"}"#] == 3)
    #expect(metrics["pushlift_commit_requests_sum"] == 3)
    #expect(metrics["pushlift_commit_duration_seconds_count"] == 3)
    #expect(try #require(metrics["pushlift_commit_duration_seconds_sum"]) > 0)
    #expect(metrics["pushlift_queue_events"] == 0)
    #expect(metrics["pushlift_postgres_up"] == 1)
    #expect(try #require(metrics["process_resident_memory_bytes"]) > 1_000_000)
    #expect(try #require(metrics["process_open_fds"]) > 3)
    #expect(try #require(metrics["process_start_time_seconds"]) > 1_700_000_000)
  }

  @Test func theAggregationsLagIsToldAndEnds() throws {
    let service = try TestService()
    #expect(try service.metrics()["pushlift_aggregation_watermark_age_seconds"] == nil)
    #expect(try service.post([Event(1).json, Event(2).json]).status == 200)
    try poll(upTo: .seconds(5), "the lag is seen") {
      try service.metrics()["pushlift_aggregation_lag_positions"] == 2
    }
    _ = try EngagementProjection().run(on: try service.store.connect(.aggregating))
    try poll(upTo: .seconds(5), "the lag is over") {
      try service.metrics()["pushlift_aggregation_lag_positions"] == 0
    }
    let age = try #require(try service.metrics()["pushlift_aggregation_watermark_age_seconds"])
    #expect((0..<60).contains(age))
  }

  @Test func anAppsNameIsEscaped() throws {
    let service = try TestService()
    let key = try service.makeKey(app: #"a"b\c"#)
    try poll(upTo: .seconds(5), "the key is known") { try service.post("[]", key: key).status == 200 }
    #expect(try service.post([Event(1).json], key: key).status == 200)
    let series = #"pushlift_events_total{app="a\"b\\c",type="expanded",verdict="stored"}"#
    try poll(upTo: .seconds(5), "the app's name is known") { try service.metrics()[series] == 1 }
  }

  /// Whatever clients send, the number of series stays.
  @Test func clientsCannotMakeSeries() throws {
    let service = try TestService()
    func send(_ number: Int) throws {
      let text = Event.quoted("c\(number)")
      _ = try service.post([
        Event(number, device: "D\(number)").with("category", text).with("field\(number)", "1").json,
        Event(1_000 + number).with("type", text).json,
      ])
      _ = try service.client.get("/path\(number)")
      _ = try service.client.get("/path\(number)", ["X-Request-Id": "r\(number)"])
    }
    try send(0)
    let before = try service.metrics().series
    for number in 1...20 { try send(number) }
    let metrics = try service.metrics()
    // The scrapes themselves are the only new one.
    #expect(
      Set(metrics.series).subtracting(before) == [
        #"pushlift_http_requests_total{route="/metrics",status="200"}"#
      ])
    #expect(metrics[#"pushlift_http_requests_total{route="other",status="404"}"#] == 42)
  }

  @Test func fromElsewhereAnAdminKeyIsNeededAndSeesItsOwnApp() throws {
    let service = try TestService(
      configuration: HTTPServerConfiguration(trustedProxies: [try #require(AddressRange("127.0.0.1"))]))
    let write = try service.makeKey(app: "other")
    let admin = try service.makeKey(app: "other", scope: .admin)
    try poll(upTo: .seconds(5), "the key is known") { try service.post("[]", key: write).status == 200 }
    #expect(try service.post([Event(1).json]).status == 200)
    #expect(try service.post([Event(1).json], key: write).status == 200)
    let far = ["X-Forwarded-For": "192.0.2.1"]
    func get(_ key: String?) throws -> HTTPAnswer {
      try service.client.get(
        "/metrics", far.merging(key.map { ["Authorization": "Bearer \($0)"] } ?? [:]) { $1 })
    }
    #expect(try get(nil).status == 401)
    #expect(try get(write).status == 403)
    try poll(upTo: .seconds(5), "the app's name is known") { try get(admin).text.contains(#"app="other""#) }
    let answer = try get(admin)
    #expect(answer.status == 200)
    #expect(!answer.text.contains(#"app="shop""#))
    #expect(try service.client.get("/metrics").text.contains(#"app="shop""#))
  }

  /// Behind a proxy on the same machine that nobody declared, every client has a local address.
  @Test func anUndeclaredProxyDoesNotOpenThem() throws {
    let service = try TestService()
    for header in ["X-Forwarded-For", "Forwarded", "X-Real-IP"] {
      #expect(try service.client.get("/metrics", [header: "127.0.0.1"]).status == 401)
    }
    #expect(try service.client.get("/metrics").status == 200)
  }

  /// An answer in the middle of a body goes past the library, and counts all the same.
  @Test func anAnswerWithinABodyIsCounted() throws {
    let service = try TestService()
    let broken = try service.post(Array(repeating: 0x5B, count: 5_000), ["Content-Encoding": "gzip"])
    #expect(broken.status == 400)
    #expect(broken.errorCode == "malformed_gzip")
    #expect(try service.metrics()[#"pushlift_http_requests_total{route="/v1/events",status="400"}"#] == 1)
  }

  @Test func numbersAreWrittenAsPrometheusReadsThem() {
    #expect(MetricsText.text(3) == "3")
    #expect(MetricsText.text(-0.25) == "-0.25")
    #expect(MetricsText.text(.infinity) == "+Inf")
    #expect(MetricsText.text(-.infinity) == "-Inf")
    #expect(MetricsText.text(.nan) == "NaN")
    #expect(MetricsText.text(1e300) == "1e+300")
    var text = MetricsText()
    text.gauge("a", "one\ntwo \\ \"three\"", [MetricsText.Sample([("l", "x\ny\\\"")], 1)])
    #expect(
      String(decoding: text.utf8, as: UTF8.self)
        == "# HELP a one\\ntwo \\\\ \"three\"\n# TYPE a gauge\na{l=\"x\\ny\\\\\\\"\"} 1\n")
  }
}
