internal import EngagementEvents
internal import Ingestion
internal import Reports

/// The rows of a nightly file by their meaning, to be compared with those of another.
struct NightlyTable {
  private let header: [String]
  /// In the file's order, each with what tells it from the others.
  private let rows: [(name: ExactText, cells: [String: ExactText])]

  /// Columns that differ whenever the log was read further, whether or not a figure did, one that only repeats what the
  /// rates tell, and the titles, which are no figures.
  private static let frame: Set = ["position", "watermark", "of", "title"]
  /// What has to be alike in two files of which one restates the other.
  private static let identity = [
    "app", "first_day", "last_day", "zone", "window_seconds", "metric", "rich_means",
  ]
  /// Columns worth telling; the others follow from them.
  private static let told = [
    "rich_delivered", "rich_events", "text_delivered", "text_events", "orphans", "implausible", "verdict",
    "rich_offered", "rich_taken", "text_offered", "text_taken", "count",
  ]

  /// - Throws: `ImportError` for what is no CSV.
  init(path: String) throws { try self.init(ByteSource(path: path)) }

  /// - Parameter name: as messages call it.
  init(name: String, _ bytes: [UInt8]) throws { try self.init(ByteSource(name: name, bytes)) }

  private init(_ source: ByteSource) throws {
    var reader = try CSVReader(source)
    header = try reader.header()?.cells.map { String(decoding: $0, as: UTF8.self) } ?? []
    var rows: [(name: ExactText, cells: [String: ExactText])] = []
    while let record = try reader.next() {
      let texts = record.cells.map { ExactText(String(decoding: $0, as: UTF8.self)) }
      let cells = Dictionary(zip(header, texts)) { first, _ in first }
      let scope = cells["scope"] ?? ""
      let name = scope == "category" ? cells["category"] ?? "" : scope
      // What tells the rows of a category apart, where a file has several.
      let keys = cells["measure"] == nil ? ["action"] : ["measure", "reason"]
      let parts = [name] + keys.compactMap { cells[$0] }.filter { $0 != "" }
      rows.append((ExactText(parts.map(\.string).joined(separator: " · ")), cells))
    }
    self.rows = rows
  }

  /// A cell of the first row; empty where there is none.
  subscript(column: String) -> String { rows.first?.cells[column]?.string ?? "" }

  /// Whether both report the same day of the same app by the same definitions.
  func reportsTheSame(as other: NightlyTable) -> Bool {
    guard let mine = rows.first?.cells, let others = other.rows.first?.cells else { return false }
    return Self.identity.allSatisfy { mine[$0] == others[$0] }
  }

  /// What another has instead, a line a row; empty where no figure differs. Columns that only one of them has are no
  /// difference.
  func changes(to other: NightlyTable) -> [String] {
    let columns = header.filter { other.header.contains($0) && !Self.frame.contains($0) }
    var lines: [String] = []
    for (name, cells) in other.rows {
      let shown = TextTable.visible(name.string)
      guard let former = rows.first(where: { $0.name == name && $0.cells["scope"] == cells["scope"] })?.cells
      else {
        lines.append("\(shown): new")
        continue
      }
      let changed = columns.filter { former[$0] != cells[$0] }
      guard !changed.isEmpty else { continue }
      let figures = changed.filter(Self.told.contains).map { column in
        "\(column) \(former[column]?.string ?? "") → \(cells[column]?.string ?? "")"
      }
      lines.append(
        "\(shown): \(figures.isEmpty ? "only \(changed.joined(separator: ", "))" : figures.joined(separator: ", "))"
      )
    }
    for (name, cells) in rows
    where !other.rows.contains(where: { $0.name == name && $0.cells["scope"] == cells["scope"] }) {
      lines.append("\(TextTable.visible(name.string)): gone")
    }
    return lines
  }
}
