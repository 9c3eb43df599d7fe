internal import EngagementEvents
internal import EventStore
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
    if record.isMalformed {
      return .fault(
        line: record.line,
        RowFault(
          code: "invalid_csv",
          message: "text follows a closing quotation mark; double the quotation marks within a quoted cell"))
    }
    guard record.cells.count == columns.columns.count else {
      return .fault(
        line: record.line,
        RowFault(
          code: "wrong_column_count",
          message: "the row has \(record.cells.count) cells under a header of \(columns.columns.count)"))
    }
    do throws(RowFault) {
      return .event(line: record.line, json: try json(record))
    } catch {
      guard error.code == EventFault.Code.missingTimeZone.rawValue else {
        return .fault(line: record.line, error)
      }
      throw ImportError(.missingZone, "\(file), line \(record.line): \(error.message)")
    }
  }

  private mutating func json(_ record: CSVReader.Record) throws(RowFault) -> [UInt8] {
    var row = CSVRow()
    for (column, cell) in zip(columns.columns, record.cells) {
      let text = CSVRow.withoutGuard(cell)
      if text.isEmpty { continue }
      switch column {
      case .ignored: continue
      case .experimentName: row.experimentName = text
      case .experimentArm: row.experimentArm = text
      case .field(.occurredAt): row.append(.occurredAt, try time(text))
      case .field(let field): row.append(field, text)
      }
    }
    return row.json(derivesID: !columns.hasID)
  }

  private mutating func time(_ text: [UInt8]) throws(RowFault) -> [UInt8] {
    let shown = EventFault.quote(String(decoding: text, as: UTF8.self))
    do throws(LocalTime.Fault) {
      return try times.rfc3339(text)
    } catch {
      let zone = times.zone?.identifier ?? ""
      throw switch error {
      case .noZone:
        RowFault(
          field: EventField.occurredAt.rawValue, code: EventFault.Code.missingTimeZone.rawValue,
          message:
            "occurredAt is \(shown), which does not tell its time zone. Name the zone that the file's times are in "
            + "with --timezone, such as --timezone Europe/Berlin or --timezone UTC.")
      case .nonexistent:
        RowFault(
          field: EventField.occurredAt.rawValue, code: EventFault.Code.clockOutOfRange.rawValue,
          message: "occurredAt is \(shown), which no clock in \(zone) showed: they were put forward over it")
      }
    }
  }
}
