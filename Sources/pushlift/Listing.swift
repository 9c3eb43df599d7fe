internal import EngagementEvents
internal import Reports

/// Rows that a command lists, as a table, CSV or JSON.
struct Listing {
  enum Format: String, CaseIterable, Sendable {
    case table, csv, json
  }

  enum Cell {
    case text(String)
    case number(Int)
    case time(Timestamp)
    /// Empty in a table and in CSV, null in JSON.
    case none

    /// `none` for nil.
    init(_ time: Timestamp?) { self = time.map(Cell.time) ?? .none }
    init(_ text: String?) { self = text.map(Cell.text) ?? .none }
  }

  /// In CSV and JSON the titles are the names of the columns, blanks as underscores.
  let columns: [String]
  private(set) var rows: [[Cell]] = []

  init(_ columns: [String]) { self.columns = columns }

  mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row of \(row.count) cells under \(columns.count) titles")
    rows.append(row)
  }

  /// - Parameter empty: what to say on standard error where there is no row.
  func print(_ format: Format, empty: String) throws {
    switch format {
    case .table:
      if rows.isEmpty { Terminal.complain(empty) } else { try Terminal.print(table) }
    case .csv: try Terminal.write(csv)
    case .json: try Terminal.write(json)
    }
  }

  private var table: String {
    var table = TextTable(columns.map { (title: $0, alignment: .left) })
    for row in rows { table.append(row.map(Self.shown)) }
    return table.lines(fitting: Terminal.width).joined(separator: "\n")
  }

  /// Times to the second, and no text wider than a terminal bears.
  private static func shown(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text.count > 60 ? text.prefix(59) + "…" : text
    case .number(let number): String(number)
    case .time(let time): time.rfc3339.prefix(19) + "Z"
    case .none: ""
    }
  }

  private var names: [String] { columns.map { $0.split(separator: " ").joined(separator: "_") } }

  private var csv: [UInt8] {
    var csv = CSV(header: names)
    for row in rows {
      csv.append(
        row.map { cell in
          switch cell {
          case .text(let text): .text(text)
          case .number(let number): .integer(number)
          case .time(let time): .text(time.rfc3339)
          case .none: .empty
          }
        })
    }
    return csv.utf8
  }

  private var json: [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (place, row) in rows.enumerated() {
      bytes += Array((place == 0 ? "\n  {" : ",\n  {").utf8)
      for (column, (name, cell)) in zip(names, row).enumerated() {
        if column > 0 { bytes += Array(", ".utf8) }
        bytes.appendJSONString(name)
        bytes += Array(": ".utf8)
        switch cell {
        case .text(let text): bytes.appendJSONString(text)
        case .number(let number): bytes += Array(String(number).utf8)
        case .time(let time): bytes.appendJSONString(time.rfc3339)
        case .none: bytes += Array("null".utf8)
        }
      }
      bytes.append(UInt8(ascii: "}"))
    }
    return bytes + Array((rows.isEmpty ? "]\n" : "\n]\n").utf8)
  }
}
