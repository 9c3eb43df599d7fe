internal import ForeignEvents

extension EventImport.Format {
  /// As many lines as are looked at: the first may be about something that is not measured.
  private static let lines = 200

  /// The format that the first lines of a file look like; nil where they look like none.
  ///
  /// - Throws: `ImportError` where the file cannot be read.
  package init?(lookingAt source: ByteSource) throws(ImportError) {
    var reader = try LineReader(source)
    let decoder = ForeignDecoder()
    for number in 0..<Self.lines {
      guard case .event(_, let line, _)? = try reader.next() else { return nil }
      if let format = try? decoder.withRecord(line, Self.format) {
        self = format
        return
      }
      let isTable = line.first != UInt8(ascii: "{") && line.contains { ",;\t".utf8.contains($0) }
      if number == 0, isTable {
        self = .csv
        return
      }
    }
    return nil
  }

  private static func format(of record: TapeNode) -> Self? {
    if record.member("notificationId") != nil, record.member("deviceId") != nil { return .ndjson }
    let foreign = ForeignFormat.allCases.first { format in
      if case .event = Translator(format).translate(record) { true } else { false }
    }
    return foreign.flatMap { Self(rawValue: $0.rawValue) }
  }
}
