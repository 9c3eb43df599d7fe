import Foundation
import TestSupport
import Testing

/// The files of the nights: what is there, that it stays, and that one can tell.
@Suite(.store) struct NightlyTests {
  private static let kinds = ["actions", "quality", "rates", "report", "trend"]

  private func store(_ notifications: Int = 1_000) throws -> (sandbox: Sandbox, folder: String) {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    try sandbox.importSimulated(notifications: notifications)
    return (sandbox, sandbox.folder + "/reports")
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func files(_ folder: String) throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try bytes("\(folder)/\($0)")) })
  }

  private func names(of days: Int...) -> [String] {
    days.flatMap { day in
      Self.kinds.map { "\($0)-\(Day.text(daysAgo: day)).\($0 == "report" ? "html" : "csv")" }
    }.sorted()
  }

  @Test func aNightIsWrittenOnceAndTheSameEachTime() throws {
    let (sandbox, folder) = try store()
    // Two days ago is the last day all of whose windows have closed.
    let line = try sandbox.succeed("nightly", "--output", folder)
    #expect(
      line.wholeMatch(
        of: /nightly ok app=shop written=1 restated=0 last=(\d{4}-\d\d-\d\d) position=\d+ output=.*\n/)?.1
        == Day.text(daysAgo: 2)[...])
    let first = try files(folder)
    #expect(first.keys.sorted() == (names(of: 2) + ["manifest.json"]).sorted())
    let rates = try readCSV(first["rates-\(Day.text(daysAgo: 2)).csv"] ?? [])
    #expect(rates.count > 8)

    let again = try sandbox.run("nightly", "--output", folder)
    #expect(again.status == 0)
    #expect(again.out.contains(" written=0 restated=0 last=\(Day.text(daysAgo: 2)) "))
    #expect(again.err.contains("stays as it is"))
    #expect(try files(folder) == first)
    // And anew, whatever the language of the machine.
    for locale in ["de_DE.UTF-8", "fa_IR"] {
      let other = "\(sandbox.folder)/second/\(locale)"
      let output = try sandbox.run(
        "nightly", "--output", other, "--date", Day.text(daysAgo: 2),
        environment: ["LC_ALL": locale, "LANG": locale])
      #expect(output.status == 0)
      #expect(try files(other) == first)
    }
  }

  @Test func missedNightsAreCaughtUp() throws {
    let (sandbox, folder) = try store(400)
    try sandbox.succeed("nightly", "--output", folder, "--date", Day.text(daysAgo: 6))
    try sandbox.succeed("nightly", "--output", folder, "--date", Day.text(daysAgo: 4))
    #expect(try sandbox.succeed("nightly", "--output", folder).contains(" written=3 "))
    #expect(try files(folder).keys.sorted() == (names(of: 2, 3, 4, 5, 6) + ["manifest.json"]).sorted())
    #expect(try sandbox.succeed("nightly", "--verify", folder).contains("verified=25 days=5 "))
    // A file that was removed is made anew.
    try FileManager.default.removeItem(atPath: "\(folder)/rates-\(Day.text(daysAgo: 5)).csv")
    #expect(try sandbox.succeed("nightly", "--output", folder).contains(" written=1 "))
    // Days before the first delivery are not, whatever the folder has.
    for kind in Self.kinds {
      let suffix = kind == "report" ? "html" : "csv"
      try FileManager.default.copyItem(
        atPath: "\(folder)/\(kind)-\(Day.text(daysAgo: 6)).\(suffix)",
        toPath: "\(folder)/\(kind)-2020-01-01.\(suffix)")
    }
    let line = try sandbox.succeed("nightly", "--output", folder)
    let written = try #require(line.firstMatch(of: /written=(\d+)/)?.1)
    #expect((5...10).contains(Int(written) ?? 0))
  }

  @Test func theManifestTellsWhatDiffers() throws {
    let (sandbox, folder) = try store(300)
    try sandbox.succeed("nightly", "--output", folder)
    let day = Day.text(daysAgo: 2)
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes(folder + "/manifest.json"))) as? [String: Any])
    #expect(manifest["app"] as? String == "shop")
    #expect(manifest["zone"] as? String == "UTC")
    #expect(manifest["windowSeconds"] as? Int == 86_400)
    let listed = try #require((manifest["days"] as? [[String: Any]])?.first)
    #expect(listed["day"] as? String == day)
    #expect(listed["definitionVersion"] as? Int == 1)
    #expect(listed["position"] as? Int ?? 0 > 300)
    // By the tool that everybody has.
    let rates = try #require(
      (listed["files"] as? [[String: Any]])?.first { $0["name"] as? String == "rates-\(day).csv" })
    let sum = try Child(
      in: sandbox.folder, "/usr/bin/sha256sum", ["\(folder)/rates-\(day).csv"], ["PATH": "/usr/bin"])
    #expect(try sum.output(within: .seconds(10)).out.prefix(64) == rates["sha256"] as? String ?? "")

    var changed = try bytes("\(folder)/actions-\(day).csv")
    changed[changed.count - 3] ^= 1
    try Data(changed).write(to: URL(fileURLWithPath: "\(folder)/actions-\(day).csv"))
    try FileManager.default.removeItem(atPath: "\(folder)/trend-\(day).csv")
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/rates-2020-01-01.csv"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/notes.txt"))
    let output = try sandbox.run("nightly", "--verify", folder)
    #expect(output.status == 1)
    let lines = output.out.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines.contains { $0.hasPrefix("actions-\(day).csv: changed, \(changed.count) bytes with SHA-256 ") })
    #expect(lines.contains("trend-\(day).csv: missing"))
    #expect(lines.contains("rates-2020-01-01.csv: not in the manifest"))
    #expect(output.err.contains("3 files of "))
    #expect(try sandbox.run("nightly", "--verify", sandbox.folder).status == 1)
  }

  /// Nobody overwrites another's reports, and nobody writes beside another.
  @Test func aFolderHoldsOneAppsReports() throws {
    let (sandbox, folder) = try store(300)
    try sandbox.succeed("nightly", "--output", folder)
    let before = try files(folder)
    let output = try sandbox.run(
      "nightly", "--output", folder, "--window", "1h", "--date", Day.text(daysAgo: 5))
    #expect(output.status == 1)
    #expect(output.err.contains("within 86400 s"), "\(output.err)")
    #expect(try files(folder) == before)
    let descriptor = open(folder, O_RDONLY)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let busy = try sandbox.run("nightly", "--output", folder)
    #expect(busy.status == 1)
    #expect(busy.err.contains("Another pushlift nightly"))
  }

  @Test func theByteOrderMarkIsThereOnceAndOnlyWhenAsked() throws {
    let (sandbox, folder) = try store(300)
    try sandbox.succeed("nightly", "--output", folder)
    try sandbox.succeed("nightly", "--output", folder + "-bom", "--bom")
    let day = Day.text(daysAgo: 2)
    for (name, plain) in try files(folder) where name.hasSuffix(".csv") {
      #expect(plain.first == UInt8(ascii: "a"))
      #expect(try bytes("\(folder)-bom/\(name)") == [0xEF, 0xBB, 0xBF] + plain)
    }
    #expect(try bytes("\(folder)/report-\(day).html") == (try bytes("\(folder)-bom/report-\(day).html")))
    let rates = Array(try sandbox.succeed("rates", "--format", "csv").utf8)
    #expect(
      Array(try sandbox.succeed("rates", "--format", "csv", "--bom").utf8) == [0xEF, 0xBB, 0xBF] + rates)
    // What was restated is compared by its figures.
    #expect(
      try sandbox.succeed("nightly", "--output", folder + "-bom", "--bom", "--restate").contains(
        "0 of 1 days"))
  }

  /// Names that would calculate, split or pass for numbers go in through CSV and come out of every file as they were.
  @Test func hostileNamesComeThroughAllFiles() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let names = [
      "=HYPERLINK(\"http://x\")", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'quoted", "a,b",
      "say \"hi\"",
      "line1\r\nline2", "Größe", "日本語", "468768768833943384", "-0.5", "1e-05",
    ]
    let day = Day.text(daysAgo: 3)
    var csv = "id,type,notificationId,deviceId,category,occurredAt,actions,actionId\r\n"
    for (number, name) in names.enumerated() {
      // By the documented rule: an apostrophe before what a spreadsheet would calculate.
      let isOdd = "=+-@\t\r\n＝'".unicodeScalars.contains(name.unicodeScalars.first!)
      let cell = "\"\((isOdd ? "'" : "") + name.replacing("\"", with: "\"\""))\""
      for (place, type) in ["delivered", "action"].enumerated() {
        let actions = "\"[]\"".replacing("[]", with: place == 0 ? "[\"\"x\"\"]" : "")
        csv +=
          "\(UUID()),\(type),n\(number),d\(number),\(cell),\(day)T10:00:0\(place)Z,\(actions),\(place == 0 ? "" : cell)\r\n"
      }
    }
    try Data(csv.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/in.csv"))
    try sandbox.succeed("import", sandbox.folder + "/in.csv", "--app", "shop")
    try sandbox.succeed("aggregate")
    let json = try RateJSON(try sandbox.succeed("rates", "--format", "json"))
    #expect(Set(json.categories.map(\.category)) == Set(names))

    let folder = sandbox.folder + "/out"
    try sandbox.succeed("nightly", "--output", folder, "--date", day)
    for kind in ["rates", "actions", "trend", "quality"] {
      let rows = try readCSV(try bytes("\(folder)/\(kind)-\(day).csv"))
      #expect(rows.allSatisfy { $0.count == rows[0].count })
      let scope = try #require(rows[0].firstIndex(of: "scope"))
      let found = rows.filter { $0[scope] == "category" }.map { Self.undone($0[scope + 1]) }
      #expect(Set(found) == Set(names), "\(kind)")
      if kind == "actions" {
        let action = try #require(rows[0].firstIndex(of: "action"))
        #expect(Set(rows.dropFirst().map { Self.undone($0[action]) }) == Set(names + ["x"]))
      }
      // Nothing that a spreadsheet calculates, and no number in a form that it would round.
      for cell in rows.dropFirst().joined() where "=@\t\r\n＝＋－＠".contains(cell.prefix(1)) && !cell.isEmpty {
        Issue.record("\(kind): \(cell)")
      }
    }
  }

  /// Takes the apostrophe off again.
  private static func undone(_ cell: String) -> String {
    guard cell.unicodeScalars.first == "'" else { return cell }
    return String(String.UnicodeScalarView(cell.unicodeScalars.dropFirst()))
  }

  /// A night of 23 hours: each local day has one row, the one without a delivery too.
  @Test func daysAreLocalAndEachIsThereOnce() throws {
    let sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
    let event =
      "{\"id\":\"\(UUID())\",\"type\":\"delivered\",\"notificationId\":\"n\",\"deviceId\":\"d\",\"occurredAt\":\"2024-03-10T03:30:00-04:00\"}"
    let path = sandbox.folder + "/in.ndjson"
    try Data(event.utf8).write(to: URL(fileURLWithPath: path))
    try sandbox.succeed("import", path, "--app", "shop", "--history-from", "2024-03-01")
    for day in ["2024-03-10", "2024-03-11", "2024-03-12"] {
      let folder = sandbox.folder + "/" + day
      try sandbox.succeed("nightly", "--output", folder, "--zone", "America/Toronto", "--date", day)
      let quality = try CSVTable(String(decoding: bytes("\(folder)/rates-\(day).csv"), as: UTF8.self))
      let delivered = quality.rows.last.flatMap { $0["text_delivered"] }
      #expect(delivered == (day == "2024-03-10" ? "1" : "0"))
    }
    // A day that was mistyped makes no file, after which a thousand nights would be caught up.
    let early = try sandbox.run(
      "nightly", "--output", sandbox.folder + "/early", "--zone", "America/Toronto", "--date", "2020-01-01")
    #expect(early.status == 1)
    #expect(early.err.contains("the first day of shop is 2024-03-10"), "\(early.err)")
    let new = try sandbox.run("nightly", "--output", sandbox.folder + "/new", "--zone", "America/Toronto")
    #expect(new.err.contains("Deliveries are there from 2024-03-10 on"), "\(new.err)")
    let trend = try CSVTable(
      String(decoding: bytes("\(sandbox.folder)/2024-03-12/trend-2024-03-12.csv"), as: UTF8.self))
    let all = trend.rows.filter { $0["scope"] == "crude" }
    #expect(all.count == 28)
    #expect(Set(all.map { $0["day"] }).count == 28)
    #expect(all.suffix(4).map { $0["text_delivered"] } == ["0", "1", "0", "0"])
    #expect(all.suffix(4).map { $0["day"] } == ["2024-03-09", "2024-03-10", "2024-03-11", "2024-03-12"])
  }
}
