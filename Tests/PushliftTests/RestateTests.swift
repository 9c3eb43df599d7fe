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
  private func sendLate(_ sandbox: Sandbox, category: String = "promo") throws {
    let unit =
      "\"notificationId\":\"late-\(UInt32.random(in: 0...(.max)))\",\"deviceId\":\"d\",\"category\":\"\(category)\""
    let events = [
      "delivered\",\"intended\":[\"image\"]",
      "action\",\"actionId\":\"com.apple.UNNotificationDefaultActionIdentifier\"",
    ]
    .enumerated().map { number, rest in
      "{\"id\":\"\(UUID())\",\(unit),\"occurredAt\":\"\(Self.day)T10:00:0\(number)Z\",\"type\":\"\(rest)}"
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
