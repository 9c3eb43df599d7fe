import Foundation
import TestSupport
import Testing

/// From the key to the report, each step a process of its own.
@Suite(.store) struct PipelineTests {
  /// Nothing happens from here on: all windows have closed when the events arrive.
  private static let until = Day.text(daysAgo: 1)

  @Test func allFormatsSayTheSame() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try fill(sandbox, notifications: 3_000)
    let json = try RateJSON(try sandbox.succeed("rates", "--format", "json"))
    let csv = try CSVTable(try sandbox.succeed("rates", "--format", "csv"))
    let table = try sandbox.succeed("rates")
    #expect(json.categories.count == 5)
    #expect(csv.rows.map { $0["category"] } == json.categories.map(\.category) + ["(all)", "(all)", "(all)"])
    for (row, category) in zip(csv.rows, json.categories) {
      #expect(row["rich_delivered"] == String(category.rich.delivered))
      #expect(row["rich_events"] == String(category.rich.events))
      #expect(row["text_delivered"] == String(category.text.delivered))
      #expect(row["text_events"] == String(category.text.events))
      #expect(row["verdict"] == category.verdict)
      let uplift = try #require(row["uplift"].flatMap { Double($0) })
      #expect(abs(uplift - (try #require(category.uplift?.value))) < 1e-7)
      if let name = category.category {
        #expect(table.contains("\n\(name) "))
        #expect(table.contains("→ \(category.verdict)"))
      }
    }
    #expect(json.crude.rich.delivered + json.crude.text.delivered > 2_900)
    let page = try sandbox.succeed("rates", "--format", "html")
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("<title>shop: rich against text-only notifications, all days</title>"))
    for row in csv.rows { #expect(page.contains(">\(row["verdict"] ?? "")<")) }
    // What the store said at a position, it says again.
    let position = try #require(csv.rows.first?["position"])
    #expect(try sandbox.succeed("rates", "--format", "html", "--as-of", position) == page)
  }

  @Test func aDayThatIsOpenIsNotReported() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try fill(sandbox, notifications: 300)
    for day in [Day.text(daysAgo: 1), Day.text(daysAgo: 0), Day.text(daysAgo: -3)] {
      let output = try sandbox.run("nightly", "--output", sandbox.folder + "/out", "--date", day)
      #expect(output.status == 1)
      #expect(output.out.isEmpty)
      #expect(output.err.contains("The last closed day is \(Day.text(daysAgo: 2))"), "\(output.err)")
    }
    #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/out"))
  }

  @Test func anEmptyStoreHasNothingToReport() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.succeed("migrate")
    let none = try sandbox.run("rates")
    #expect(none.status == 1)
    #expect(none.err.contains("pushlift key create"))
    _ = try sandbox.makeKey()
    #expect(try sandbox.succeed("rates").contains("Nothing was delivered"))
    #expect(try RateJSON(try sandbox.succeed("rates", "--format", "json")).categories.isEmpty)
    let nightly = try sandbox.run("nightly", "--output", sandbox.folder)
    #expect(nightly.status == 1)
    #expect(nightly.err.contains("Nothing has been aggregated"))
    _ = try sandbox.makeKey(app: "other")
    let which = try sandbox.run("rates")
    #expect(which.status == 1)
    #expect(which.err.contains("other, shop"))
    #expect(try sandbox.run("rates", "--app", "shpo").err.contains("shop"))
  }

  @Test func simulatedEventsAreTheSameForTheSameSeed() throws {
    let sandbox = try Sandbox()
    for (name, seed) in [("a", "7"), ("b", "7"), ("c", "8")] {
      try sandbox.succeed(
        "simulate", "--notifications", "500", "--seed", seed, "--until", "2026-03-01", "--output",
        "\(sandbox.folder)/\(name)")
    }
    func file(_ name: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: "\(sandbox.folder)/\(name)"))
    }
    #expect(try file("a").count > 100_000)
    #expect(try file("a") == file("b"))
    #expect(try file("a") != file("c"))
    #expect(try file("a.truth.json") == file("b.truth.json"))
    #expect(try JSONSerialization.jsonObject(with: file("a.truth.json")) is [String: Any])
    let out = try sandbox.succeed(
      "simulate", "--notifications", "500", "--seed", "7", "--until", "2026-03-01", "--output", "-")
    #expect(try Data(out.utf8) == file("a"))
  }

  /// A device or a pipe in the place of a file stays what it is, and nothing appears beside it.
  @Test(arguments: ["--output", "--truth"]) func whatIsNoPlainFileIsNeverReplaced(option: String) throws {
    let sandbox = try Sandbox()
    let pipe = sandbox.folder + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let link = sandbox.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pipe)
    for path in [pipe, link] {
      let reader = BackgroundWork { try FileHandle(forReadingAtPath: pipe)?.readToEnd()?.count ?? 0 }
      var arguments = ["simulate", "--notifications", "50", option, path]
      if option == "--truth" { arguments += ["--output", "-"] }
      let output = try sandbox.start(arguments).output(within: .seconds(30))
      #expect(output.status == 0, "\(output.err)")
      var status = stat()
      try #require(lstat(pipe, &status) == 0)
      try #require(status.st_mode & S_IFMT == S_IFIFO, "the pipe was replaced")
      #expect(try reader.value() > 500)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
    #expect(names.filter { $0.hasPrefix("pipe") || $0.hasPrefix("link") }.sorted() == ["link", "pipe"])
  }

  /// The true uplifts are known; the intervals hold them, and tell the effects from the lack of one.
  @Test func theMeasuredIntervalsHoldTheTruth() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let key = try sandbox.makeKey()
    let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
    let client = try server.client()
    try sandbox.succeed(
      "simulate", "--notifications", "40000", "--seed", "11", "--until", Self.until, "--post",
      "http://127.0.0.1:\(client.port)", "--key", key, "--truth", sandbox.folder + "/truth.json")
    server.send(SIGTERM)
    try sandbox.succeed("aggregate")
    let report = try RateJSON(try sandbox.succeed("rates", "--format", "json"))
    let truth = try TruthJSON(contentsOf: sandbox.folder + "/truth.json")
    for category in truth.categories {
      let found = try #require(report.categories.first { $0.category == category.category })
      let interval = try #require(found.uplift)
      #expect(try #require(interval.lower) <= category.uplift, "\(category.category)")
      #expect(interval.upper ?? .infinity >= category.uplift, "\(category.category)")
      // The counts are what was put in, however disorderly it came.
      #expect(found.rich.delivered == category.rich.delivered)
      #expect(found.text.delivered == category.text.delivered)
    }
    #expect(report.categories.first { $0.category == "social_post" }?.verdict == "rich is higher")
    #expect(report.categories.first { $0.category == "promo" }?.verdict == "no difference shown")
    #expect(try server.output(within: .seconds(30)).status == 0)
  }

  @Test func postingEverythingAgainChangesNoRate() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    let events = try fill(sandbox, notifications: 1_500)
    let before = try CSVTable(try sandbox.succeed("rates", "--format", "csv"))
    let key = try sandbox.makeKey()
    let server = try sandbox.start(["serve", "--port", "0"])
    let client = try server.client()
    var rest = events.shuffled()[...]
    var size = 1
    while !rest.isEmpty {
      let answer = try client.post(rest.prefix(size), key: key)
      #expect(answer.status == 200)
      #expect(answer.text.hasPrefix(#"{"accepted":0,"duplicates":\#(min(size, rest.count)),"#))
      rest = rest.dropFirst(size)
      size = size % 400 + 37
    }
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
    try sandbox.succeed("aggregate")
    #expect(try CSVTable(try sandbox.succeed("rates", "--format", "csv")).figures == before.figures)
  }

  @Test func theDemoShowsTheWholeWay() throws {
    let sandbox = try Sandbox()
    for _ in 1...2 {
      let output = try sandbox.run("demo", "--notifications", "4000", "--seed", "3")
      #expect(output.status == 0, "\(output.err)")
      #expect(output.out.contains("social_post"))
      #expect(output.out.contains("true uplift"))
      let page = try #require(output.out.firstMatch(of: /as a page for a browser: (.*)\n/)?.1)
      #expect(try String(contentsOfFile: String(page), encoding: .utf8).contains("<h1>"))
      let path = try #require(output.out.firstMatch(of: /as CSV: (.*)\n/)?.1)
      #expect(try CSVTable(try String(contentsOfFile: String(path), encoding: .utf8)).rows.count > 1)
    }
    let again = try sandbox.succeed("rates", "--data", sandbox.data + "/demo")
    #expect(again.contains("social_post"))
    #expect(sandbox.postmaster == nil)
  }

  /// Makes a key and events, posts them over HTTP a few hundred at a time, and aggregates.
  @discardableResult
  private func fill(_ sandbox: Sandbox, notifications: Int) throws -> [String] {
    let key = try sandbox.makeKey()
    let events = try sandbox.events(notifications: notifications, until: Self.until)
    let server = try sandbox.start(["serve", "--port", "0", "--no-aggregation"])
    let client = try server.client()
    for start in stride(from: 0, to: events.count, by: 700) {
      let answer = try client.post(events[start..<min(start + 700, events.count)], key: key)
      #expect(answer.status == 200, "\(answer.text.prefix(300))")
    }
    server.send(SIGTERM)
    #expect(try server.output(within: .seconds(30)).status == 0)
    try sandbox.succeed("aggregate")
    return events
  }
}

extension Sandbox {
  /// Simulated events as JSON, each on its own; some come twice.
  func events(notifications: Int, until: String, seed: Int = 5) throws -> [String] {
    try succeed(
      "simulate", "--notifications", String(notifications), "--until", until, "--seed", String(seed),
      "--output", "-"
    ).split(separator: "\n").map(String.init)
  }
}

extension Sandbox {
  /// Imports simulated events, the last of which happened yesterday, and an app for them.
  func importSimulated(notifications: Int, seed: Int = 5) throws {
    _ = try makeKey()
    try importEvents(try events(notifications: notifications, until: Day.text(daysAgo: 1), seed: seed))
  }

  /// Imports events that are JSON each.
  func importEvents(_ events: [String]) throws {
    let path = "\(folder)/\(UInt32.random(in: 0...(.max))).ndjson"
    try Data(events.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    try succeed("import", path, "--app", "shop")
  }
}

extension HTTPClient {
  func post(_ events: some Sequence<String>, key: String) throws -> HTTPAnswer {
    try post(
      "/v1/events", ["Authorization": "Bearer \(key)", "Content-Type": "application/x-ndjson"],
      body: Array(events.joined(separator: "\n").utf8))
  }
}
