internal import EngagementEvents
internal import Ingestion
internal import Reports

/// The rows of a nightly file by their meaning, to be compared with those of another.
struct NightlyTable {
  /// What tells a row from the others of its file.
  private struct Key: Hashable {
    let scope: String
    /// As it is told.
    let name: ExactText
  }

  private let header: [String]
  /// In the file's order, each with a cell for each name of the header.
  private let rows: [(key: Key, cells: [ExactText])]

  /// Columns that differ whenever the log was read further, whether or not a figure did, one that only repeats what the
  /// rates tell, and the titles, which are no figures.
  private static let frame: Set = ["position", "watermark", "of", "title"]
  /// What has to be alike in two files of which one restates the other.
  private static let identity = [
    "app", "first_day", "last_day", "zone", "window_seconds", "metric", "rich_means",
  ]
  /// Columns worth telling; the others follow from them.
  private static let told: Set = [
    "rich_delivered", "rich_events", "text_delivered", "text_events", "orphans", "implausible", "verdict",
    "rich_offered", "rich_taken", "text_offered", "text_taken", "count",
  ]

  /// - Throws: `ImportError` for what is no CSV.
  init(path: String) throws { try self.init(ByteSource(path: path)) }

  /// - Parameter name: as messages call it.
  init(name: String, _ bytes: [UInt8]) throws { try self.init(ByteSource(name: name, bytes)) }

  private init(_ source: ByteSource) throws {
    var reader = try CSVReader(source)
    let header = try reader.header()?.cells.map { String(decoding: $0, as: UTF8.self) } ?? []
    let places = Dictionary(zip(header, header.indices)) { first, _ in first }
    let scope = places["scope"]
    let category = places["category"]
    // What tells the rows of a category apart, where a file has several.
    let others = (places["measure"] == nil ? ["action", "day"] : ["measure", "reason"])
      .compactMap { places[$0] }
    var rows: [(key: Key, cells: [ExactText])] = []
    while let record = try reader.next() {
      var cells = record.cells.map { ExactText(String(decoding: $0, as: UTF8.self)) }
      // A file that was damaged may have short rows.
      while cells.count < header.count { cells.append("") }
      let scope = scope.map { cells[$0].string } ?? ""
      let name = scope == "category" ? category.map { cells[$0].string } ?? "" : scope
      let parts = [name] + others.map { cells[$0].string }.filter { !$0.isEmpty }
      rows.append((Key(scope: scope, name: ExactText(parts.joined(separator: " · "))), cells))
    }
    self.header = header
    self.rows = rows
  }

  /// A cell of the first row; empty where there is none.
  subscript(column: String) -> String { first(column)?.string ?? "" }

  private func first(_ column: String) -> ExactText? {
    guard let row = rows.first, let place = header.firstIndex(of: column) else { return nil }
    return row.cells[place]
  }

  /// Whether both report the same day of the same app by the same definitions.
  func reportsTheSame(as other: NightlyTable) -> Bool {
    guard !rows.isEmpty, !other.rows.isEmpty else { return false }
    return Self.identity.allSatisfy { first($0) == other.first($0) }
  }

  /// What another has instead, a line a row; empty where no figure differs. Columns that only one of them has are no
  /// difference.
  func changes(to other: NightlyTable) -> [String] {
    let columns = header.enumerated().compactMap { place, name in
      other.header.firstIndex(of: name).flatMap {
        Self.frame.contains(name) ? nil : (name: name, here: place, there: $0)
      }
    }
    let formers = Dictionary(rows.map { ($0.key, $0.cells) }) { first, _ in first }
    var lines: [String] = []
    for (key, cells) in other.rows {
      let shown = TextTable.visible(key.name.string)
      guard let former = formers[key] else {
        lines.append("\(shown): new")
        continue
      }
      let changed = columns.filter { former[$0.here] != cells[$0.there] }
      guard !changed.isEmpty else { continue }
      let figures = changed.filter { Self.told.contains($0.name) }.map { column in
        "\(column.name) \(former[column.here].string) → \(cells[column.there].string)"
      }
      let names = changed.map(\.name).joined(separator: ", ")
      lines.append("\(shown): \(figures.isEmpty ? "only \(names)" : figures.joined(separator: ", "))")
    }
    let present = Set(other.rows.map(\.key))
    for (key, _) in rows where !present.contains(key) {
      lines.append("\(TextTable.visible(key.name.string)): gone")
    }
    return lines
  }
}
