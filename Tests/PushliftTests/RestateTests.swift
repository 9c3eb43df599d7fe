import Foundation
import TestSupport
import Testing

/// What late events do to files that are written, and how to come back to what was said before.
@Suite(.store) struct RestateTests {
  private static let day = Day.text(daysAgo: 2)

  /// A store with a nightly file of two days ago in the folder `reports`.
  private func makeStore() throws -> (sandbox: Sandbox, folder: String, file: String) {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: 1_000)
    let folder = sandbox.folder + "/reports"
    try sandbox.succeed("nightly", "--output", folder)
    return (sandbox, folder, "\(folder)/rates-\(Self.day).csv")
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// A delivery of that day and its opening, which come only now.
  private func sendLate(_ sandbox: Sandbox, category: String = "promo", day: String = day) throws {
    let unit =
      "\"notificationId\":\"late-\(UInt32.random(in: 0...(.max)))\",\"deviceId\":\"d\",\"category\":\"\(category)\""
    let events = [
      "delivered\",\"intended\":[\"image\"]",
      "action\",\"actionId\":\"com.apple.UNNotificationDefaultActionIdentifier\"",
    ]
    .enumerated().map { number, rest in
      "{\"id\":\"\(UUID())\",\(unit),\"occurredAt\":\"\(day)T10:00:0\(number)Z\",\"type\":\"\(rest)}"
    }
    try sandbox.importEvents(events)
  }

  @Test func aDayThatLateEventsChangedIsRestatedAndItsFormerFileKept() throws {
    let (sandbox, folder, file) = try makeStore()
    let before = try bytes(file)
    let unchanged = try sandbox.succeed("nightly", "--output", folder, "--restate")
    #expect(unchanged.hasPrefix("0 of 1 days restated\nnightly ok app=shop written=0 restated=0 "))
    try sendLate(sandbox)
    // Without being asked for it, nothing changes.
    try sandbox.succeed("nightly", "--output", folder)
    #expect(try bytes(file) == before)

    let told = try sandbox.succeed("nightly", "--output", folder, "--restate")
    let former = "\(folder)/rates-\(Self.day).v1.csv"
    #expect(told.contains("\(file) restated, position "))
    #expect(told.contains("before: \(former)\n"))
    let change = try #require(
      told.firstMatch(of: /\n  promo: rich_delivered (\d+) → (\d+), rich_events (\d+) → (\d+)\n/))
    #expect(Int(change.1)! + 1 == Int(change.2)!)
    #expect(Int(change.3)! + 1 == Int(change.4)!)
    #expect(!told.contains("social_post"))
    #expect(told.contains("\n1 of 1 days restated\nnightly ok app=shop written=0 restated=1 "))
    #expect(try bytes(former) == before)
    #expect(try bytes(file) != before)

    // Once is enough, and a second change is a second version.
    #expect(
      try sandbox.succeed("nightly", "--output", folder, "--restate").hasPrefix("0 of 1 days restated\n"))
    try sendLate(sandbox, category: "brand_new")
    let second = try sandbox.succeed("nightly", "--output", folder, "--restate", "--date", Self.day)
    #expect(second.contains("\n  brand_new: new\n"))
    let rates = try names(folder).filter { $0.hasPrefix("rates") }
    #expect(rates == [".csv", ".v1.csv", ".v2.csv"].map { "rates-\(Self.day)\($0)" })
    // The other files of the day go with it, and the manifest tells of all of them.
    #expect(try names(folder).count == 3 * 5 + 1)
    #expect(try sandbox.succeed("nightly", "--verify", folder).hasPrefix("nightly ok verified=15 days=1 "))
  }

  @Test func theTrendsOfLaterDaysShowWhatALateEventChanged() throws {
    let (sandbox, folder, _) = try makeStore()
    let days = [5, 4, 3, 2].map(Day.text)
    try FileManager.default.removeItem(atPath: folder)
    try sandbox.succeed("nightly", "--output", folder, "--date", days[0])
    try sandbox.succeed("nightly", "--output", folder)
    let before = try names(folder).map { ($0, try bytes("\(folder)/\($0)")) }
    try sendLate(sandbox, day: days[1])
    let told = try sandbox.succeed("nightly", "--output", folder, "--restate")
    #expect(
      told.contains(
        "\nthe trend and the page of 2 other days written anew, since they show what changed\n"))
    #expect(told.contains("\n1 of 4 days restated\nnightly ok app=shop written=0 restated=1 "))
    let rates = try CSVTable(String(decoding: bytes("\(folder)/rates-\(days[1]).csv"), as: UTF8.self))
    let delivered = try #require(rates.rows.first { $0["category"] == "promo" }?["rich_delivered"])
    for day in days[1...] {
      let trend = try CSVTable(String(decoding: bytes("\(folder)/trend-\(day).csv"), as: UTF8.self))
      let row = trend.rows.first { $0["category"] == "promo" && $0["day"] == days[1] }
      #expect(row?["rich_delivered"] == delivered, "\(day)")
    }
    // What a file said of its own day stays, to the byte, and so do the files of the day before.
    let changed = try before.filter { try bytes("\(folder)/\($0.0)") != $0.1 }.map(\.0)
    let ofTheDay = ["actions", "quality", "rates"].map { "\($0)-\(days[1]).csv" }
    let later = days[1...].flatMap { ["trend-\($0).csv", "report-\($0).html"] }
    #expect(Set(changed) == Set(ofTheDay + later + ["manifest.json"]))
    #expect(try names(folder).filter { $0.contains(".v1.") }.allSatisfy { $0.contains(days[1]) })
    #expect(try sandbox.succeed("nightly", "--verify", folder).hasPrefix("nightly ok verified=25 days=4 "))
    #expect(
      try sandbox.succeed("nightly", "--output", folder, "--restate").hasPrefix("0 of 4 days restated\n"))
  }

  /// Whatever has become of them, and however much is still known of what they were.
  @Test(arguments: [false, true]) func filesThatAreLostAreToldAndWrittenAnew(hasManifest: Bool) throws {
    let (sandbox, folder, file) = try makeStore()
    let before = try names(folder).map { ($0, try bytes("\(folder)/\($0)")) }
    let manager = FileManager.default
    for name in ["trend-\(Self.day).csv", "report-\(Self.day).html", "quality-\(Self.day).csv"] {
      try manager.removeItem(atPath: "\(folder)/\(name)")
    }
    if !hasManifest { try manager.removeItem(atPath: folder + "/manifest.json") }
    let told = try sandbox.run("nightly", "--output", folder)
    #expect(told.status == 0)
    #expect(
      told.err.contains("/quality-\(Self.day).csv and 2 more: missing, or not what was written. "),
      "\(told.err)")
    #expect(told.err.contains("--restate writes them anew"))
    let verified = try sandbox.run("nightly", "--verify", folder)
    #expect(verified.status == 1)
    #expect(verified.out.split(separator: "\n").count { $0.hasSuffix(": missing") } == 3)

    let mended = try sandbox.succeed("nightly", "--output", folder, "--restate")
    #expect(mended.contains("\(folder)/trend-\(Self.day).csv written anew: it was missing\n"))
    #expect(mended.contains("\n0 of 1 days restated\nnightly ok app=shop written=0 restated=0 "))
    for (name, bytes) in before { #expect(try self.bytes("\(folder)/\(name)") == bytes, "\(name)") }
    #expect(try sandbox.succeed("nightly", "--verify", folder).hasPrefix("nightly ok verified=5 days=1 "))
    #expect(try sandbox.run("nightly", "--output", folder).err.contains("missing") == false)
    // The rates are what a day is known by.
    try manager.removeItem(atPath: file)
    try sandbox.succeed("nightly", "--output", folder)
    #expect(try bytes(file) == before.first { file.hasSuffix($0.0) }?.1)
  }

  @Test func filesThatAreNotWhatWasWrittenAreToldAndWrittenAnew() throws {
    let (sandbox, folder, file) = try makeStore()
    let before = try names(folder).map { ($0, try bytes("\(folder)/\($0)")) }
    // An empty one, a page that was cut, and a trend that a spreadsheet saved.
    try Data().write(to: URL(fileURLWithPath: file))
    let page = "\(folder)/report-\(Self.day).html"
    try bytes(page).prefix(1_000).write(to: URL(fileURLWithPath: page))
    let trend = "\(folder)/trend-\(Self.day).csv"
    try Data(String(decoding: bytes(trend), as: UTF8.self).replacing("\r\n", with: "\n").utf8)
      .write(to: URL(fileURLWithPath: trend))
    let told = try sandbox.run("nightly", "--output", folder)
    #expect(told.err.contains("and 2 more: missing, or not what was written"), "\(told.err)")
    let mended = try sandbox.succeed("nightly", "--output", folder, "--restate")
    #expect(mended.contains("\(page) written anew: it was not what had been written\n"))
    for (name, bytes) in before { #expect(try self.bytes("\(folder)/\(name)") == bytes, "\(name)") }
    #expect(try sandbox.succeed("nightly", "--verify", folder).hasPrefix("nightly ok verified=5 days=1 "))

    // What a day said before cannot be written anew, and is not forgotten.
    try sendLate(sandbox)
    try sandbox.succeed("nightly", "--output", folder, "--restate")
    try FileManager.default.removeItem(atPath: "\(folder)/rates-\(Self.day).v1.csv")
    try sendLate(sandbox)
    try sandbox.succeed("nightly", "--output", folder, "--restate")
    let verified = try sandbox.run("nightly", "--verify", folder)
    #expect(verified.out == "rates-\(Self.day).v1.csv: missing\n")
    #expect(try names(folder).contains("rates-\(Self.day).v2.csv"))
  }

  @Test func thePositionInAFileGivesItsBytesAgain() throws {
    let (sandbox, folder, file) = try makeStore()
    try sendLate(sandbox)
    try sandbox.succeed("nightly", "--output", folder, "--restate")
    try sandbox.succeed("rebuild")
    for path in [file, "\(folder)/rates-\(Self.day).v1.csv"] {
      let table = try CSVTable(String(decoding: bytes(path), as: UTF8.self))
      let position = try #require(table.rows.first?["position"])
      let again = try sandbox.succeed(
        "rates", "--as-of", position, "--from", Self.day, "--to", Self.day, "--format", "csv")
      #expect(try Data(again.utf8) == bytes(path))
    }
  }

  @Test func aFileOfAnotherReportIsLeftAlone() throws {
    let (sandbox, folder, file) = try makeStore()
    let before = try bytes(file)
    try sendLate(sandbox)
    let output = try sandbox.run("nightly", "--output", folder, "--restate", "--metric", "open")
    #expect(output.status == 1)
    #expect(output.err.contains("holds reports of shop: interaction"), "\(output.err)")
    #expect(output.out.isEmpty)
    #expect(try bytes(file) == before)
    // A folder whose manifest was lost is known by its files.
    try FileManager.default.removeItem(atPath: folder + "/manifest.json")
    let lost = try sandbox.run("nightly", "--output", folder, "--restate", "--metric", "open")
    #expect(lost.err.contains("another app, zone, window or metric"))
    #expect(lost.out.hasPrefix("0 of 1 days restated\n"))
    #expect(try bytes(file) == before)
  }

  /// Killed between the two steps of a replacement, the former file is there under both names.
  @Test func aRestatementThatWasBrokenOffKeepsNothingTwice() throws {
    let (sandbox, folder, file) = try makeStore()
    try sendLate(sandbox)
    try FileManager.default.linkItem(atPath: file, toPath: "\(folder)/rates-\(Self.day).v1.csv")
    #expect(try sandbox.succeed("nightly", "--output", folder, "--restate").contains("1 of 1 days"))
    #expect(try names(folder).count == 2 * 5 + 1)
  }
}
