internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres
internal import Processes
internal import Projections

/// `pushlift-bench report`.
enum ReportBench {
  private static let events = Option<Int>(
    "events", .integer(in: 10_000...1_000_000_000), default: 1_000_000, help: "Events in the thirty days.")
  private static let rounds = Option<Int>(
    "rounds", .integer(in: 1...100), default: 5, help: "How often everything is run; the median counts.")
  private static let withoutDuckDB = Option<Bool>.flag("without-duckdb", help: "Beside plain SQL alone.")

  static let command = Command(
    "report",
    abstract:
      "How long `pushlift rates` and the dashboard take over thirty days, beside plain SQL and DuckDB.",
    discussion: """
      The time of pushlift is that of the whole process, from its start to its end. The others count the same from all raw \
      events: Postgres where they lie, DuckDB from a CSV file that it has loaded before.
      """,
    examples: ["pushlift-bench report --events 10000000"],
    options: [events, rounds, withoutDuckDB]
  ) { arguments in
    try BenchStore.withFresh { bench in
      let log = try SyntheticLog(bench, days: 31, events: arguments[events] * 31 / 30)
      try log.add(arguments[events] * 31 / 30)
      _ = try ProjectionRebuild().run(bench.store)
      try ProjectionStatistics.refresh(on: bench.store.connect(.owning))
      let first = log.firstDay
      let last = PostgresDate(daysSince1970: first.daysSince1970 + 29)
      say("\(log.events) events over 31 days, \(arguments[rounds]) rounds")
      for (name, more) in [
        ("pushlift rates, 30 closed days", ["--from", first.text, "--to", last.text]),
        ("pushlift rates, everything", []),
      ] {
        let times = try (0..<arguments[rounds]).map { _ in try rates(bench, more) }
        say("\(name): \(Int((median(times) * 1_000).rounded())) ms")
      }
      let frame = try ContinuousClock().measure {
        _ = try RateFrame.add(
          zone: "Asia/Kolkata", windowSeconds: 3_600, to: App.find(nil, on: bench.store.connect(.asking)),
          on: bench.store.connect(.aggregating))
      }
      say("one more zone and window kept: \(tenths(frame / .seconds(1))) s")
      let days = "?from=\(first.text)&to=\(last.text)"
      for (name, query) in [
        ("dashboard, 30 closed days", days), ("dashboard, everything", ""),
        ("dashboard, one button", "\(days)&metric=action:\(SyntheticLog.button)"),
        ("dashboard, the other zone and window", "\(days)&zone=Asia/Kolkata&window=1h"),
        (
          "dashboard, one button there, everything",
          "?metric=action:\(SyntheticLog.button)&zone=Asia/Kolkata&window=1h"
        ),
      ] {
        let times = try dashboard(bench, query, rounds: arguments[rounds])
        say("\(name): \(Int((median(times) * 1_000).rounded())) ms")
      }
      let plain = try (0..<min(3, arguments[rounds])).map { _ in try plainSQL(bench) }
      say("plain SQL on raw events: \(Int((median(plain) * 1_000).rounded())) ms")
      guard !arguments[withoutDuckDB] else { return }
      say(try DuckDBPeer.run(bench, rounds: arguments[rounds]))
    }
  }

  /// The seconds that the process takes.
  private static func rates(_ bench: BenchStore, _ more: [String]) throws -> Double {
    let start = ContinuousClock.now
    let program = try RunningProgram(
      BenchStore.binary(), ["rates", "--data", bench.folder, "--format", "csv"] + more,
      environment: ProcessInfo.processInfo.environment, folder: bench.folder, output: "/dev/null",
      errors: "/dev/null")
    let end = program.waitForEnd(within: .seconds(100))
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard end?.status == 0 else { throw BenchError("pushlift rates failed") }
    return seconds
  }

  /// The seconds that a browser waits for the dashboard, once the server has its connection.
  private static func dashboard(_ bench: BenchStore, _ query: String, rounds: Int) throws -> [Double] {
    let port = freePort()
    let server = try bench.serve(port: port)
    defer { server.stop() }
    let key = try ApiKey.create(app: bench.app, scope: .read, on: bench.store.connect(.administering))
    // The server reads new keys twice a second.
    Thread.sleep(forTimeInterval: 1.5)
    guard let client = LoopbackClient(port: port) else { throw BenchError("the server is gone") }
    let request = Array(
      "GET /dashboard\(query) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n\r\n".utf8)
    // The first one opens the server's connection to Postgres.
    _ = try seconds(client, request)
    return try (0..<rounds).map { _ in try seconds(client, request) }
  }

  /// How long one answer takes.
  private static func seconds(_ client: LoopbackClient, _ request: [UInt8]) throws -> Double {
    let start = ContinuousClock.now
    guard let answer = client.exchange(request) else { throw BenchError("the server closed the connection") }
    guard answer.status == 200 else { throw BenchError("the dashboard answered \(answer.status)") }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func plainSQL(_ bench: BenchStore) throws -> Double {
    let connection = try Connection(
      bench.database.with(setting: "search_path", "pushlift").with(setting: "work_mem", "256MB"))
    let start = ContinuousClock.now
    _ = try connection.query(
      """
      select category, is_rich, bucket, count(*), count(*) filter (where interacted_at < delivered_at + interval '24 hours'),
        count(distinct device_key)
      from (
        select unit_id, device_key, get_byte(uuid_send(device_key), 15) & 127 as bucket,
          min(category) as category, bool_or(intended <> 0) as is_rich,
          min(corrected_at) filter (where type = 0) as delivered_at,
          min(corrected_at) filter (where type <> 0) as interacted_at
        from event group by unit_id, device_key
      ) unit
      where delivered_at is not null
      group by category, is_rich, bucket
      """)
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
