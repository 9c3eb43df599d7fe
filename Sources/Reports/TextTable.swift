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
  /// by their number.
  package static func visible(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "<U+" + String(scalar.value, radix: 16, uppercase: true) + ">"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
