import Foundation
import Reports
import TestSupport
import Testing

@testable import Projections

/// The three formats tell the same figures, whatever the counts.
struct RenderingTests {
  /// Reports at the edges: empty, one unit, none against none, unlimited, not comparable, large.
  private static func edgeCases() throws -> [RateReport] {
    var reports = [try SampleReport().report()]
    let arms: [(rich: (Int, Int), text: (Int, Int), orphans: Int)] = [
      ((1, 0), (0, 0), 0), ((0, 0), (1, 1), 0), ((1, 1), (1, 0), 0), ((1_000, 0), (1_000, 0), 0),
      ((1_000, 1_000), (1_000, 1_000), 0), ((1_000, 50), (1_000, 0), 0), ((1_000, 0), (1_000, 50), 0),
      ((0, 0), (0, 0), 25), ((100, 20), (0, 0), 30), ((1_000_000_000, 400_000_000), (1_000_000_000, 1), 0),
      ((1_000_000_000, 999_999_999), (7, 0), 3), ((99, 10), (500, 20), 0), ((5_000, 400), (5_000, 300), 12),
    ]
    for metric in Metric.simple + [.customAction("like")] {
      var all = SampleReport(metric)
      for (number, arm) in arms.enumerated() {
        var one = SampleReport(metric)
        one.add("news", rich: arm.rich, text: arm.text, orphans: arm.orphans)
        reports.append(try one.report())
        all.add("c\(number)", rich: arm.rich, text: arm.text, orphans: arm.orphans) {
          $0.implausible = number
          $0.reportsExpansion = number.isMultiple(of: 2)
          $0.reportsDismissal = !number.isMultiple(of: 2)
        }
      }
      reports.append(try all.report())
    }
    return reports
  }

  @Test func noFormatShowsANumberThatIsNone() throws {
    for report in try Self.edgeCases() {
      for text in [
        report.table, String(decoding: report.csv, as: UTF8.self),
        String(decoding: report.json, as: UTF8.self),
      ] {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        #expect(!words.contains("nan") && !words.contains("inf") && !words.contains("infinity"), "\(text)")
        #expect(text.utf8.last == UInt8(ascii: "\n"))
      }
    }
  }

  @Test func anEmptyStoreSaysSo() throws {
    let report = try SampleReport().report()
    #expect(report.table.contains("Nothing was delivered or interacted with"))
    #expect(report.table.contains("nothing read yet"))
    let rows = try readCSV(report.csv)
    #expect(rows.count == 4)
    let row = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[3]))
    #expect(row["scope"] == "crude")
    #expect(row["rich_delivered"] == "0")
    #expect(row["rich_rate"] == "")
    #expect(row["verdict"] == "too few")
    #expect(row["watermark"] == "")
    let document = try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any]
    #expect((document?["categories"] as? [Any])?.isEmpty == true)
    #expect(document?["watermark"] is NSNull)
  }

  @Test func everyRowHasTheHeadersColumns() throws {
    for report in try Self.edgeCases() {
      let text = String(decoding: report.csv, as: UTF8.self)
      #expect(text.unicodeScalars.filter { $0 == "\n" }.count == text.utf8.filter { $0 == 13 }.count)
      #expect(text.hasSuffix("\r\n"))
      let rows = readCSVSimply(report.csv)
      #expect(rows.count == report.categories.count + 4)
      #expect(rows.allSatisfy { $0.count == RateReport.csvHeader.count })
      #expect(rows.first == RateReport.csvHeader)
    }
  }

  /// Splits where no cell is quoted but by commas in reasons; Python would take its time for hundreds of reports.
  private func readCSVSimply(_ bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: rows[rows.count - 1].append("")
      case "\n" where !isQuoted: rows.append([""])
      case "\r" where !isQuoted: break
      default: rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(scalar)
      }
    }
    return rows.dropLast()
  }

  @Test func namesCannotBeMistakenForRowsOfAnotherKind() throws {
    var sample = SampleReport()
    for name in ["", "(none)", "(all)", "=1+1", "a,\"b\"\r\nc"] {
      sample.add(name, rich: (200, 20), text: (200, 10))
    }
    let report = try sample.report()
    let rows = try readCSV(report.csv)
    let scope = try #require(rows[0].firstIndex(of: "scope"))
    #expect(
      rows.dropFirst().map { [$0[scope], $0[scope + 1]] } == [
        ["uncategorised", "(none)"], ["category", "(all)"], ["category", "(none)"], ["category", "'=1+1"],
        ["category", "a,\"b\"\r\nc"], ["pooled", "(all)"],
        ["standardised", "(all)"], ["crude", "(all)"],
      ])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
    let names = (document["categories"] as? [[String: Any]])?.map { $0["category"] as? String }
    #expect(names == ["", "(all)", "(none)", "=1+1", "a,\"b\"\r\nc"])
    #expect((document["crude"] as? [String: Any])?["category"] is NSNull)
    // In the table no name breaks a line.
    #expect(report.table.contains("a,\"b\"<U+D><U+A>c"))
  }

  @Test func aCategoryThatIsCalledLikeAStandInIsQuoted() throws {
    var sample = SampleReport()
    for name in ["", "(none)", "(all)", "\"(all)\""] { sample.add(name, rich: (200, 20), text: (200, 10)) }
    let report = try sample.report()
    let starts = Set(
      report.table.split(separator: "\n").compactMap { $0.split(separator: "  ").first.map(String.init) })
    #expect(
      starts.isSuperset(of: ["(none)", "\"(none)\"", "\"(all)\"", "\"\"(all)\"\"", "(all, crude)"]),
      "\(starts)")
    #expect(String(decoding: try sample.page().html, as: UTF8.self).contains("<bdi>&quot;(none)&quot;</bdi>"))
  }

  @Test func jsonNamesTheCategoriesWithOneArm() throws {
    var sample = SampleReport()
    sample.add("both", rich: (200, 20), text: (200, 10))
    sample.add("rich", rich: (200, 20), text: (0, 0))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(sample.report().json)) as? [String: Any])
    let pooled = try #require(document["pooled"] as? [String: Any])
    #expect(pooled["oneArmed"] as? [String] == ["rich"] && pooled["leftOut"] as? [String] == [])
  }

  @Test func jsonHasTheFiguresOfTheCSV() throws {
    for report in try Self.edgeCases() {
      let rows = readCSVSimply(report.csv)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
      let objects =
        (document["categories"] as? [[String: Any]] ?? []) + [document["crude"] as? [String: Any] ?? [:]]
      // The pooled and the standardised row have figures of their own.
      let scope = try #require(rows[0].firstIndex(of: "scope"))
      let compared = rows.dropFirst().filter { !["pooled", "standardised"].contains($0[scope]) }
      #expect(objects.count == compared.count)
      for (object, row) in zip(objects, compared) {
        let cells = Dictionary(uniqueKeysWithValues: zip(rows[0], row))
        for (column, path) in Self.paths {
          let value = path.dropFirst().reduce(object[path[0]]) { ($0 as? [String: Any])?[$1] }
          let number = (value as? NSNumber).map { $0.doubleValue }
          let cell = cells[column].flatMap { Double($0) }
          #expect(
            (number == nil) == (cell == nil), "\(column): \(String(describing: value)) \(cells[column] ?? "")"
          )
          guard let number, let cell else { continue }
          #expect(abs(number - cell) <= 0.51e-8 * max(1, abs(number) * 1e-7), "\(column)")
        }
        #expect(object["verdict"] as? String == cells["verdict"])
        #expect(object["reason"] as? String ?? "" == cells["reason"])
      }
    }
  }

  private static let paths: [(String, [String])] = [
    ("rich_delivered", ["rich", "delivered"]), ("rich_devices", ["rich", "devices"]),
    ("rich_events", ["rich", "events"]), ("rich_rate", ["rich", "rate", "value"]),
    ("rich_rate_lower", ["rich", "rate", "lower"]), ("rich_rate_upper", ["rich", "rate", "upper"]),
    ("text_delivered", ["text", "delivered"]), ("text_events", ["text", "events"]),
    ("text_rate", ["text", "rate", "value"]), ("text_rate_upper", ["text", "rate", "upper"]),
    ("difference", ["difference", "value"]), ("difference_lower", ["difference", "lower"]),
    ("difference_upper", ["difference", "upper"]), ("uplift", ["uplift", "value"]),
    ("uplift_lower", ["uplift", "lower"]), ("uplift_upper", ["uplift", "upper"]), ("p_value", ["pValue"]),
    ("orphans", ["orphans"]), ("implausible", ["implausible"]), ("rich_immature", ["rich", "immature"]),
  ]

  /// What is undefined or unlimited is there as null, with the reason beside it.
  @Test func whatIsUnlimitedIsNullWithAReason() throws {
    var sample = SampleReport()
    sample.add("news", rich: (1_000, 50), text: (1_000, 0))
    sample.add("promo", rich: (100, 20), text: (0, 0), orphans: 30)
    let report = try sample.report()
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
    let categories = try #require(document["categories"] as? [[String: Any]])
    let uplift = try #require(categories[0]["uplift"] as? [String: Any])
    #expect(uplift["value"] is NSNull)
    #expect(uplift["upper"] is NSNull)
    #expect((uplift["reason"] as? String)?.contains("no upper limit") == true)
    #expect((uplift["lower"] as? NSNumber)?.doubleValue ?? 0 > 0)
    #expect(categories[1]["uplift"] is NSNull)
    #expect(categories[1]["pValue"] is NSNull)
    #expect((categories[1]["text"] as? [String: Any])?["rate"] is NSNull)
    #expect(document["firstDay"] is NSNull)
    #expect(report.table.contains("no upper limit"))
  }
}
