internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Foundation

/// The events of a CSV file: each row as the JSON that the contract has for it, so that the same rules judge it.
struct CSVEvents: ImportItems {
  private let file: String
  private var reader: CSVReader
  private let columns: CSVColumns
  private(set) var times: LocalTime

  /// - Throws: `ImportError` where the file is empty or its columns will not do.
  init(
    _ source: ByteSource, zone: TimeZone?, derivesIDs: Bool, ignoresUnknownColumns: Bool
  ) throws(ImportError) {
    file = source.name
    reader = try CSVReader(source)
    guard let header = try reader.header() else {
      throw ImportError(.columns, "\(file) is empty; a CSV file begins with a line of column names.")
    }
    columns = try CSVColumns(
      header.cells, file: file, derivesIDs: derivesIDs, ignoresUnknown: ignoresUnknownColumns)
    times = LocalTime(zone: zone)
  }

  mutating func next() throws(ImportError) -> ImportItem? {
    guard let record = try reader.next() else { return nil }
    if let fault = record.fault(columns: columns.columns.count) { return .fault(line: record.line, fault) }
    do throws(RowFault) {
      return .event(line: record.line, json: try json(record))
    } catch {
      return try .fault(error, file: file, line: record.line)
    }
  }

  private mutating func json(_ record: CSVReader.Record) throws(RowFault) -> [UInt8] {
    var row = CSVRow()
    for (column, cell) in zip(columns.columns, record.cells) {
      let text = CSVRow.withoutGuard(cell)
      if text.isEmpty { continue }
      if case .field(let field) = column, let fault = CSVCell.fault(of: text, as: field) { throw fault }
      switch column {
      case nil, .campaign: continue
      case .experimentName: row.experimentName = text
      case .experimentArm: row.experimentArm = text
      case .replyLength: row.replyLength = text
      case .replyWithheld: row.replyWithheld = text
      case .field(.occurredAt): row.append(.occurredAt, try times.occurredAt(text))
      case .field(let field):
        if !CSVCell.isAbsent(text, as: field) { row.append(field, text) }
      }
    }
    return row.json(derivesID: !columns.hasID)
  }
}

extension CSVReader.Record {
  /// Why the row cannot be read under a header of so many columns; nil where it can.
  func fault(columns: Int) -> RowFault? {
    if isMalformed {
      return RowFault(
        code: "invalid_csv",
        message: "text follows a closing quotation mark; double the quotation marks within a quoted cell")
    }
    guard cells.count != columns else { return nil }
    return RowFault(
      code: "wrong_column_count", message: "the row has \(cells.count) cells under a header of \(columns)")
  }
}
