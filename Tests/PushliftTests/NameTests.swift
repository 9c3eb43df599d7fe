import EngagementEvents
import Foundation
import TestSupport
import Testing

/// Names as apps choose them, from the log to each report.
@Suite(.store) struct NameTests {
  /// Swift takes both of each pair for one.
  private static let twins = ["caf\u{e9}", "cafe\u{301}", "K1", "\u{212a}1"]
  private static let day = Day.text(daysAgo: 5)

  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(database: try TestDatabase.current)
    _ = try sandbox.makeKey()
  }

  /// A delivery of each arm, the rich one tapped, for each category; and then the job.
  private func send(_ categories: [String], number: Int = 0) throws {
    var lines = ""
    for (place, category) in categories.enumerated() {
      let action = try json(category.isEmpty ? "tap" : category)
      for isRich in [true, false] {
        let start =
          "\"occurredAt\":\"\(Self.day)T10:00:00Z\",\"notificationId\":\"n-\(place)-\(isRich)-\(number)\","
          + "\"deviceId\":\"d-\(place)-\(isRich)\",\"category\":\(try json(category))"
        let media = isRich ? "\"attachments\":[{\"kind\":\"image\"}]," : ""
        lines +=
          "{\"id\":\"\(EventID.makeRandom())\",\"type\":\"delivered\",\(media)\(start),\"actions\":[\(action)]}\n"
        if isRich {
          lines +=
            "{\"id\":\"\(EventID.makeRandom())\",\"type\":\"action\",\"actionId\":\(action),\(start)}\n"
        }
      }
    }
    try Data(lines.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/in.ndjson"))
    try sandbox.succeed("import", "in.ndjson", "--app", "shop")
    try sandbox.succeed("aggregate")
  }

  private func json(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  private func utf8(_ names: some Sequence<String?>) -> Set<[UInt8]> {
    Set(names.map { Array(($0 ?? "").utf8) })
  }

  @Test func twinsAreTwoInEveryReport() throws {
    try send(Self.twins)
    for command in [["rates"], ["trend"], ["actions"], ["replies"]] {
      let csv = try sandbox.start(command + ["--format", "csv"]).output(within: .seconds(60))
      #expect(csv.status == 0, "\(csv.err)")
      let rows = try CSVTable(csv.out).rows.filter { $0["scope"] == "category" }
      #expect(utf8(rows.map { $0["category"] }) == utf8(Self.twins), "\(command)")
      #expect(try sandbox.start(command).output(within: .seconds(60)).status == 0)
    }
    for name in Self.twins {
      let one = try CSVTable(try sandbox.succeed("rates", "--category", name, "--format", "csv"))
      #expect(one.rows.first?["rich_delivered"] == "1" && one.rows.first?["rich_events"] == "1")
    }
    #expect(try sandbox.succeed("rates", "--details").contains("What the arms are made up of"))
    #expect(try sandbox.succeed("rates", "--format", "html").contains("</html>"))
    let lint = try sandbox.succeed("category", "lint", "--app", "shop", "--format", "json")
    #expect(lint.components(separatedBy: "near_twin_category").count == 3, "\(lint)")
    let list = try sandbox.succeed("category", "list", "--app", "shop", "--format", "csv")
    #expect(list.split(separator: "\r\n").count == 5, "\(list)")
  }

  @Test func aRestatementNamesTheOneThatChanged() throws {
    try send(Self.twins)
    let folder = sandbox.folder + "/reports"
    try sandbox.succeed("nightly", "--output", folder, "--date", Self.day)
    #expect(try sandbox.succeed("nightly", "--output", folder, "--restate").hasPrefix("0 of 1 days"))
    try send([Self.twins[1]], number: 1)
    let lines = try sandbox.succeed("nightly", "--output", folder, "--restate").split(separator: "\n")
    let changed = lines.filter { $0.hasPrefix("  \(Self.twins[1])") }
    #expect(changed.contains { $0.contains("rich_delivered 1 → 2") }, "\(lines)")
    #expect(changed.allSatisfy { $0.utf8.starts(with: "  \(Self.twins[1])".utf8) })
  }

  @Test func anUnknownCategoryIsToldWithNamesThatCanBeSeen() throws {
    try send(["\u{1b}[31mRED", "", "(none)"])
    let output = try sandbox.run("rates", "--category", "no\u{7}pe")
    #expect(output.status == 1)
    #expect(output.err.contains("'no<U+7>pe'") && output.err.contains("<U+1B>[31mRED"), "\(output.err)")
    #expect(!output.err.contains("\u{1b}") && !output.err.contains("\u{7}"))
    #expect(output.err.contains("\"(none)\"") && output.err.contains("An empty name, '', chooses (none)"))
    #expect(try sandbox.succeed("rates", "--category", "").contains("\n(none) "))
    #expect(try sandbox.succeed("rates", "--category", "(none)").contains("\n\"(none)\" "))
  }
}
