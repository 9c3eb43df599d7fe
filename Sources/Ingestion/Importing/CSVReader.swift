/// Goes through a CSV file record by record (RFC 4180) in constant memory.
///
/// Lines end in LF, CR LF or CR. A quotation mark within an unquoted cell stands for itself. Blank lines are skipped.
package struct CSVReader {
  /// A line of the file, or several where a quoted cell has line breaks.
  package struct Record {
    /// Where it begins, from 1.
    package let line: Int
    package let cells: [[UInt8]]
    /// Text behind a closing quotation mark, or another fault of form.
    package let isMalformed: Bool
  }

  private let source: ByteSource
  /// Nil until it was found in the header.
  private var separator: UInt8?
  private var piece: [UInt8] = []
  private var position = 0
  private var line = 1

  // Of the record under way.
  private var cells: [[UInt8]] = []
  private var cell: [UInt8] = []
  private var recordBytes = 0
  private var isMalformed = false
  private var state = State.start

  private enum State {
    /// At the beginning of a cell.
    case start
    case unquoted
    case quoted
    /// Behind a quotation mark within a quoted cell: its end, or the first half of a doubled one.
    case quoteInQuoted
  }

  /// A record beyond this is what an unclosed quotation mark makes of the rest of the file.
  static let recordBytes = 1 << 20

  /// - Throws: `ImportError.format` for what is no text in UTF-8.
  package init(_ source: ByteSource) throws(ImportError) {
    self.source = source
    _ = try source.beginning()
  }

  private mutating func byte() throws(ImportError) -> UInt8? {
    if position == piece.count {
      guard let next = try source.next() else { return nil }
      piece = next
      position = 0
    }
    defer { position += 1 }
    return piece[position]
  }

  private mutating func skipLineFeed() throws(ImportError) {
    guard let next = try byte() else { return }
    if next != UInt8(ascii: "\n") { position -= 1 }
  }

  /// The header: the first line that is not blank. Its separator is whichever of comma, semicolon and tab it has most of
  /// outside quotation marks.
  package mutating func header() throws(ImportError) -> Record? {
    var bytes: [UInt8] = []
    var isQuoted = false
    var end = UInt8(ascii: "\n")
    while let byte = try byte() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        end = byte
        if !bytes.isEmpty { break }
        _ = try take(byte)
      } else {
        bytes.append(byte)
      }
      guard bytes.count <= Self.recordBytes else { throw unclosed(from: line) }
    }
    guard !bytes.isEmpty else { return nil }
    guard !isQuoted else { throw unclosed(from: line) }
    if bytes.starts(with: "sep=".utf8), bytes.count <= 5 {
      throw ImportError(
        .columns,
        "\(source.name) begins with the line \(String(decoding: bytes, as: UTF8.self)), which is for spreadsheets alone: remove it."
      )
    }
    separator = Self.separator(of: bytes)
    cells = []
    let first = line
    for byte in bytes { _ = try take(byte) }
    _ = try take(end)
    return Record(line: first, cells: cells, isMalformed: isMalformed)
  }

  private static func separator(of header: [UInt8]) -> UInt8 {
    var counts: [(separator: UInt8, count: Int)] = ",;\t".utf8.map { ($0, 0) }
    var isQuoted = false
    for byte in header {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      for place in counts.indices where !isQuoted && counts[place].separator == byte {
        counts[place].count += 1
      }
    }
    let most = counts.map(\.count).max()
    return counts.first { $0.count == most }?.separator ?? UInt8(ascii: ",")
  }

  /// The next record that is not blank; nil at the end.
  ///
  /// - Throws: `ImportError.unclosedQuote`, behind which nothing can be told apart any more.
  package mutating func next() throws(ImportError) -> Record? {
    while true {
      guard let record = try nextRecord() else { return nil }
      if record.cells.count > 1 || !record.cells[0].isEmpty || record.isMalformed { return record }
    }
  }

  private mutating func nextRecord() throws(ImportError) -> Record? {
    let first = line
    cells = []
    recordBytes = 0
    isMalformed = false
    var hasAny = false
    while let byte = try byte() {
      hasAny = true
      recordBytes += 1
      guard recordBytes <= Self.recordBytes else { throw unclosed(from: first) }
      if try take(byte) { return Record(line: first, cells: cells, isMalformed: isMalformed) }
    }
    guard hasAny else { return nil }
    guard state != .quoted else { throw unclosed(from: first) }
    endCell()
    return Record(line: first, cells: cells, isMalformed: isMalformed)
  }

  /// - Returns: whether the byte ended the record.
  private mutating func take(_ byte: UInt8) throws(ImportError) -> Bool {
    let isQuote = byte == UInt8(ascii: "\"")
    if state == .quoted {
      if isQuote { state = .quoteInQuoted } else { cell.append(byte) }
      if byte == UInt8(ascii: "\n") { line += 1 }
      return false
    }
    switch byte {
    case separator: endCell()
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      if byte == UInt8(ascii: "\r") { try skipLineFeed() }
      line += 1
      endCell()
      return true
    case _ where isQuote && state == .start: state = .quoted
    case _ where isQuote && state == .quoteInQuoted:
      cell.append(byte)
      state = .quoted
    default:
      if state == .quoteInQuoted { isMalformed = true } else { state = .unquoted }
      cell.append(byte)
    }
    return false
  }

  private mutating func endCell() {
    cells.append(cell)
    cell = []
    state = .start
  }

  private func unclosed(from line: Int) -> ImportError {
    ImportError(
      .unclosedQuote,
      "\(source.name), line \(line): a quotation mark that opens in this row is not closed, so that nobody can tell where the "
        + "row ends. Close it (a quotation mark within a quoted cell is doubled), and run the import again.")
  }
}
