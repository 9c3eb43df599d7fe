/// Comma-separated values by RFC 4180, safe to open in a spreadsheet.
package struct CSV: Sendable {
  /// A cell: its kind says whether a spreadsheet could take it for a formula.
  package enum Cell: Sendable, Hashable {
    /// Text that people or apps chose. One that starts with `=`, `+`, `-`, `@`, a tab, a line break, their full-width
    /// twins or an apostrophe gets an apostrophe in front, which a reader takes off again.
    case text(String)
    case integer(Int)
    /// With so many decimals.
    case decimal(Double, digits: Int)
    /// Undefined, unlimited or not applicable.
    case empty

    /// Empty for nil and for values that are not finite.
    package static func decimal(_ value: Double?, digits: Int) -> Cell {
      guard let value, value.isFinite else { return .empty }
      return .decimal(value, digits: digits)
    }
  }

  private var bytes: [UInt8] = []
  private let columns: Int

  package init(header: [String]) {
    columns = header.count
    append(header.map(Cell.text))
  }

  /// Appends a row; it must have as many cells as the header.
  package mutating func append(_ cells: [Cell]) {
    precondition(cells.count == columns, "a row of \(cells.count) cells under a header of \(columns)")
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: Self.rendered(cell).utf8)
    }
    bytes.append(contentsOf: "\r\n".utf8)
  }

  /// Takes out what was appended so far, for files that are written piece by piece.
  package mutating func drain() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// What tells Excel that a file is UTF-8; others may take it for part of the first column's name.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The file, UTF-8, every line ended by CR LF.
  package var utf8: [UInt8] { bytes }

  private static func rendered(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): quoted(neutralised(text))
    case .integer(let value): String(value)
    case .decimal(let value, let digits): Format.decimal(value, digits: digits)
    case .empty: ""
    }
  }

  private static let dangerous: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'",
  ]

  private static func neutralised(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, dangerous.contains(first) else { return text }
    return "'" + text
  }

  private static func quoted(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { [",", "\"", "\r", "\n"].contains($0) }) else { return text }
    // By scalars: a quote that is one character with the mark after it is still a quote to whoever reads the file.
    var quoted = "\""
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    quoted.unicodeScalars.append("\"")
    return quoted
  }
}
