import Foundation
import Testing

/// A report as `pushlift rates --format json` prints it.
struct RateJSON: Decodable {
  struct Row: Decodable {
    struct Arm: Decodable {
      let delivered: Int
      let events: Int
    }
    struct Estimate: Decodable {
      let value: Double?
      let lower: Double?
      let upper: Double?
    }
    let category: String?
    let rich: Arm
    let text: Arm
    let uplift: Estimate?
    let verdict: String
  }

  let categories: [Row]
  let crude: Row

  init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }
}

/// The file that `pushlift simulate` writes beside its events.
struct TruthJSON: Decodable {
  struct Category: Decodable {
    struct Arm: Decodable { let delivered: Int }
    let category: String
    let uplift: Double
    let rich: Arm
    let text: Arm
  }

  let categories: [Category]

  init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

/// A report as CSV.
struct CSVTable {
  let rows: [[String: String]]

  init(_ text: String) throws {
    let lines = text.split(separator: "\r\n").map { Self.fields(String($0)) }
    let header = try #require(lines.first)
    rows = try lines.dropFirst().map { fields in
      try #require(fields.count == header.count)
      return Dictionary(zip(header, fields)) { first, _ in first }
    }
  }

  /// The fields of a line, which ends within none of them.
  private static func fields(_ line: String) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    return fields
  }

  /// The rows of categories, then the one that adds them up.
  var comparisons: [[String: String]] {
    rows.filter { ["category", "uncategorised", "crude"].contains($0["scope"]) }
  }

  /// The rows without what tells only how far the log was read.
  var figures: [[String: String]] {
    rows.map { row in row.filter { $0.key != "position" && $0.key != "watermark" } }
  }
}

/// Days by UTC's calendar, counted from today.
enum Day {
  static func text(daysAgo days: Int) -> String {
    let parts = Date(timeIntervalSinceNow: -86_400 * Double(days)).formatted(.iso8601.year().month().day())
    return parts
  }
}
