internal import EventStore
internal import Projections

/// Rows with named columns, as CSV and as JSON alike.
package struct ReportRows: Sendable {
  package typealias Cells = [String: CSV.Cell]

  /// The names of the columns, in order.
  package let header: [String]
  /// What a row does not have is empty.
  package let rows: [Cells]

  package init(_ header: [String], _ rows: [Cells]) {
    self.header = header
    self.rows = rows
  }

  package var csv: [UInt8] {
    var csv = CSV(header: header)
    for row in rows { csv.append(header.map { row[$0] ?? .empty }) }
    return csv.utf8
  }

  /// An array of objects, whose names are those of the columns; what is empty is null.
  package var json: [UInt8] {
    var text = "["
    for (place, row) in rows.enumerated() {
      text += place == 0 ? "\n  {" : ",\n  {"
      text += header.map { "\(Self.quoted($0)): \(Self.json(row[$0] ?? .empty))" }.joined(separator: ", ")
      text += "}"
    }
    return Array((text + (rows.isEmpty ? "]\n" : "\n]\n")).utf8)
  }

  private static func json(_ cell: CSV.Cell) -> String {
    switch cell {
    case .text(let text): quoted(text)
    case .integer(let value): String(value)
    case .decimal(let value, let digits): Format.decimal(value, digits: digits)
    case .empty: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\u{0}"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
