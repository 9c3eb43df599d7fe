internal import EngagementEvents
internal import ForeignEvents
internal import Foundation

/// The events of somebody's CSV file, whose columns a mapping explains.
struct MappedRows: ImportItems {
  private let file: String
  private var reader: CSVReader
  private let mapping: ColumnMapping
  private let options: ForeignOptions
  private let columns: Int
  /// Where in a row the cells stand that are ours, in the order in which an event is made of them.
  private let cells: [(place: Int, column: CSVColumn)]
  private(set) var times: LocalTime
  private(set) var campaigns: CampaignTally

  /// As the limits of its records name it.
  static let system = "csv"

  /// - Parameter campaigns: of the files before.
  /// - Throws: `ImportError` where the file is empty or has not the columns that the mapping names.
  init(
    _ source: ByteSource, _ mapping: ColumnMapping, _ options: ForeignOptions, zone: TimeZone?,
    campaigns: CampaignTally
  ) throws(ImportError) {
    file = source.name
    reader = try CSVReader(source)
    guard let header = try reader.header() else {
      throw ImportError(.columns, "\(file) is empty; a CSV file begins with a line of column names.")
    }
    let names = header.cells.map { String(decoding: $0.trimmed, as: UTF8.self) }
    let missing = mapping.columns.keys.filter { !names.contains($0) }.sorted()
    guard missing.isEmpty else {
      throw ImportError(
        .columns,
        "\(file): these columns of the mapping are missing: \(Self.listed(missing)). The header has: \(Self.listed(names))."
      )
    }
    let twice = mapping.columns.keys.filter { name in names.count { $0 == name } > 1 }.sorted()
    guard twice.isEmpty else {
      throw ImportError(
        .columns, "\(file): these columns stand twice: \(Self.listed(twice)). Keep one of each.")
    }
    columns = names.count
    cells = CSVColumn.ofMappings.compactMap { column in
      names.firstIndex { mapping.columns[$0] == column }.map { ($0, column) }
    }
    self.mapping = mapping
    self.options = options
    times = LocalTime(zone: zone)
    self.campaigns = campaigns
  }

  private static func listed(_ names: [String]) -> String {
    names.prefix(20).map { $0.isEmpty ? "''" : EventFault.escape($0) }.joined(separator: ", ")
  }

  mutating func next() throws(ImportError) -> ImportItem? {
    guard let record = try reader.next() else { return nil }
    if let fault = record.fault(columns: columns) { return .fault(line: record.line, fault) }
    var row = ColumnMapping.Cells(reservingCapacity: cells.count)
    for (place, column) in cells {
      let cell = CSVRow.withoutGuard(record.cells[place])
      // Bytes that are no UTF-8 are not to be mended silently.
      guard let text = String(validating: cell, as: UTF8.self) else {
        return .fault(
          line: record.line,
          RowFault(
            code: EventFault.Code.invalidUTF8.rawValue,
            message: "a cell is not valid UTF-8; save the file as UTF-8, or convert it"))
      }
      if text.isEmpty { continue }
      var json: [UInt8]?
      if case .field(let field) = column {
        if let fault = CSVCell.fault(of: cell, as: field) { return .fault(line: record.line, fault) }
        if CSVCell.isAbsent(cell, as: field) { continue }
        json = CSVCell.json(of: cell, as: field)
      }
      row.append(text, json: json, for: column)
    }
    let translation: Translation
    do throws(ColumnMapping.CellFault) {
      translation = try mapping.translate(
        row, campaigns: options.campaigns, ignoresSent: options.ignoresSent)
    } catch {
      return .fault(
        line: record.line,
        RowFault(field: error.field.rawValue, code: error.code.rawValue, message: error.message))
    }
    return try ImportItem(translation, of: Self.system, file: file, line: record.line, &times, &campaigns)
  }
}
