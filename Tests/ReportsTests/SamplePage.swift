import EngagementEvents
import Foundation
import Postgres
import Reports
import TestSupport
import Statistics

@testable import EventStore
@testable import Projections

extension SampleReport {
  /// The page of the sample, with days, a funnel, actions and fallbacks made up from the same counts.
  func page(days: Int = 14, _ change: (inout EngagementDetails) -> Void = { _ in }) throws -> EngagementReport
  {
    let report = try report()
    var details = EngagementDetails()
    // Shares that differ from day to day and add up to the whole.
    let weights = (0..<days).map { 3 + $0 * 7 % 5 }
    let sums = weights.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    for cell in Self.arms(report.result.cells) {
      for day in 0..<days {
        func share(_ count: Int) -> Int {
          count * sums[day + 1] / sums[days] - count * sums[day] / sums[days]
        }
        let units = Even(share(cell.units))
        details.days += units.spread(min(share(cell.units), share(cell.successes))).map {
          bucket, units, successes in
          let share = RateCell(
            category: "", isRich: cell.isRich, bucket: bucket, units: units, successes: successes)
          return DayCell(day: PostgresDate(daysSince1970: 20_770 + Int32(day)), cell: share)
        }
      }
      let all = Even(cell.units)
      let parts = [1, 2, 3, 4, 8].map { all.spread(cell.successes / $0) }
      details.funnel += parts[0].indices.map { place in
        FunnelCell(
          isRich: cell.isRich, bucket: parts[0][place].bucket, delivered: parts[0][place].units,
          interacted: parts[0][place].successes, expanded: parts[1][place].successes,
          opened: parts[2][place].successes, acted: parts[3][place].successes,
          replied: parts[4][place].successes)
      }
      for action in ["like", "reply"] {
        details.actions += all.spread(cell.successes / 5).enumerated().map { place, part in
          ActionCell(
            category: cell.category, action: action, isRich: cell.isRich, bucket: part.bucket,
            offered: part.units, taken: part.successes, takenUnoffered: place == 0 ? 1 : 0)
        }
      }
      if cell.isRich {
        details.fallbacks.append(
          FallbackCount(category: cell.category, reason: .tooLarge, units: cell.units / 20))
        details.fallbacks.append(
          FallbackCount(category: cell.category, reason: nil, units: cell.units / 50))
      }
    }
    details.actions.sort { ($0.category, $0.action) < ($1.category, $1.action) }
    details.rejected = ["unknown_value": 3]
    change(&details)
    return try EngagementReport(report, details)
  }

  /// Units in all buckets of devices alike, so that these say no more than that they are independent.
  private struct Even {
    private let units: Int

    init(_ units: Int) { self.units = units }

    /// How many of them, and how many of some successes, are in each bucket that has any.
    func spread(_ successes: Int) -> [(bucket: Int, units: Int, successes: Int)] {
      var counts = [Int](repeating: 0, count: 128)
      for number in 0..<successes { counts[number * units / successes % 128] += 1 }
      return (0..<min(units, 128)).map { ($0, (units - $0 + 127) / 128, counts[$0]) }
    }
  }

  /// The cells of each category's arms, added up.
  private static func arms(_ cells: [RateCell]) -> [RateCell] {
    cells.reduce(into: []) { arms, cell in
      if let last = arms.last, last.category == cell.category, last.isRich == cell.isRich {
        arms.removeLast()
        arms.append(
          RateCell(
            category: cell.category, isRich: cell.isRich, bucket: 0, units: last.units + cell.units,
            successes: last.successes + cell.successes))
      } else {
        arms.append(cell)
      }
    }
  }

  /// Five categories, one of each verdict.
  static func typical() -> SampleReport {
    var sample = SampleReport()
    sample.isSpread = true
    var hours = RateDetails.Group(value: "08")
    (hours.rich.units, hours.text.units) = (900, 100)
    var others = RateDetails.Group(value: nil)
    (others.rich.units, others.text.units) = (100, 900)
    let quartiles = RateDetails.Quartiles(units: 40, lower: 3, median: 95, upper: 7_300)
    sample.details = RateDetails(
      breakdowns: [RateDetails.Breakdown(dimension: .hour, groups: [others, hours])],
      times: [
        RateDetails.InteractionTimes(category: "chat", rich: quartiles, text: nil),
        RateDetails.InteractionTimes(category: nil, rich: quartiles, text: quartiles),
      ])
    sample.add("chat", rich: (4_000, 720), text: (4_100, 610))
    sample.add("news", rich: (9_000, 610), text: (9_100, 600)) { $0.implausible = 4 }
    sample.add("promo", rich: (6_000, 150), text: (6_100, 210), orphans: 3)
    sample.add("quiet", rich: (40, 2), text: (60, 1))
    sample.add("silent", rich: (3_000, 200), text: (0, 0), orphans: 150)
    return sample
  }
}

/// An element of a page, as Python's parser has it.
struct PageElement: Decodable, Hashable {
  let name: String
  /// Names and values of the attributes.
  let attributes: [String: String]
  /// The text in the element and in what it holds.
  let text: String
}

/// A page as Python's parser reads it: every element in order.
struct ParsedPage {
  let elements: [PageElement]

  init(_ html: [UInt8]) throws {
    let python = """
      import json, sys
      from html.parser import HTMLParser
      void = {'meta', 'br', 'hr', 'img', 'input', 'link'}
      class Reader(HTMLParser):
          def __init__(self):
              super().__init__(convert_charrefs=True)
              self.all, self.open, self.faults = [], [], []
          def handle_starttag(self, name, attributes):
              element = {'name': name, 'attributes': {k: v or '' for k, v in attributes}, 'text': ''}
              self.all.append(element)
              if name not in void: self.open.append(element)
          def handle_startendtag(self, name, attributes):
              self.all.append({'name': name, 'attributes': {k: v or '' for k, v in attributes}, 'text': ''})
          def handle_endtag(self, name):
              if not self.open or self.open.pop()['name'] != name:
                  self.all.append({'name': 'UNBALANCED ' + name, 'attributes': {}, 'text': ''})
          def handle_data(self, data):
              for element in self.open: element['text'] += data
          def handle_comment(self, data):
              self.all.append({'name': 'COMMENT', 'attributes': {}, 'text': data})
      reader = Reader()
      reader.feed(sys.stdin.buffer.read().decode('utf-8'))
      reader.close()
      if reader.open: reader.all.append({'name': 'UNCLOSED', 'attributes': {}, 'text': ''})
      print(json.dumps(reader.all))
      """
    elements = try JSONDecoder().decode([PageElement].self, from: runPython(python, input: html))
  }

  /// The rows of each table: the texts of their cells. Blanks that do not break are plain ones.
  var tables: [[[String]]] {
    var tables: [[[String]]] = []
    for element in elements {
      switch element.name {
      case "table": tables.append([])
      case "tr": tables[tables.count - 1].append([])
      case "th", "td":
        let row = tables[tables.count - 1].count - 1
        tables[tables.count - 1][row].append(
          element.text.replacingOccurrences(of: "\u{A0}", with: " "))
      default: break
      }
    }
    return tables
  }

  /// The table whose first row begins so.
  func table(_ header: String...) -> [[String]]? {
    tables.first { $0.first.map { Array($0.prefix(header.count)) } == header }
  }
}
