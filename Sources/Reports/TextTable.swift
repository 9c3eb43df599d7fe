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
  package var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return alignments[column] == .left ? cell + padding : padding + cell
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
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
