/// Columns of text for a terminal.
package struct TextTable: Sendable {
  package enum Alignment: Sendable { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  package init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  /// Fewer cells than columns leave the rest empty.
  package mutating func append(_ cells: [String]) {
    rows.append(cells.map(Self.visible) + Array(repeating: "", count: max(0, alignments.count - cells.count)))
  }

  /// The lines, padded so that columns stand under each other, without trailing blanks.
  package var lines: [String] { lines(fitting: nil) }

  /// So much stays of a column of words, however narrow the terminal.
  private static let narrowest = 8

  /// The same, no wider than a terminal where that can be: the widest columns of words are cut off first, with an ellipsis.
  ///
  /// - Parameter width: nil for as wide as it takes.
  package func lines(fitting width: Int?) -> [String] {
    var widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var excess = width.map { widths.reduce(0, +) + 2 * (widths.count - 1) - $0 } ?? 0
    while excess > 0,
      let widest = widths.indices.filter({
        alignments[$0] == .left && widths[$0] > Self.narrowest && isWords($0)
      })
      .max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
      excess -= 1
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell -> String in
        let cell = cell.count > widths[column] ? cell.prefix(widths[column] - 1) + "…" : cell
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return alignments[column] == .left ? cell + padding : padding + cell
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Whether nobody would take a cell of this column that was cut off for another figure.
  private func isWords(_ column: Int) -> Bool {
    !rows.dropFirst().contains { $0[column].contains("%") || $0[column].hasPrefix("p ") }
  }

  /// A name that came from outside must not move the cursor, turn the line around or hide: such characters are shown
  /// by their number. So are blanks at its ends, and those that are not the common one.
  package static func visible(_ text: String) -> String {
    var shown = ""
    let scalars = text.unicodeScalars
    for place in scalars.indices {
      let scalar = scalars[place]
      let isAtEnd = place == scalars.startIndex || scalars.index(after: place) == scalars.endIndex
      if scalar == " " ? isAtEnd : isHidden(scalar) {
        shown += "<U+" + String(scalar.value, radix: 16, uppercase: true) + ">"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    // Those that choose the look of an emoji are part of its name.
    default:
      scalar.properties.isDefaultIgnorableCodePoint && !(0xFE00...0xFE0F).contains(scalar.value)
    }
  }
}
