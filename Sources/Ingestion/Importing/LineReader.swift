/// Goes through a file line by line in constant memory; blank lines are skipped.
struct LineReader: ImportItems {
  private let source: ByteSource
  private var piece: ArraySlice<UInt8> = []
  private var line = 0

  /// What is kept of a line at most. It is far over the limit of an event, so that a longer one is rejected for its size.
  static let keptBytes = 1 << 18

  /// - Throws: `ImportError.format` where the file is no text of an event a line.
  init(_ source: ByteSource) throws(ImportError) {
    self.source = source
    let start = try source.beginning()
    if start.first(where: { !$0.isBlank && $0 != UInt8(ascii: "\n") }) == UInt8(ascii: "[") {
      throw ImportError(
        .format,
        "\(source.name) is one JSON array, not an event a line. Import it as: jq -c '.[]' FILE | pushlift import -"
      )
    }
  }

  mutating func next() throws(ImportError) -> ImportItem? {
    while let text = try nextLine() {
      if line == 1, text.filter({ !$0.isBlank }) == [UInt8(ascii: "{")] {
        throw ImportError(
          .format,
          "\(source.name): its first record goes over several lines. Import it as: jq -c . FILE | pushlift import -"
        )
      }
      // Nearly all lines; the others are copied once more.
      if let first = text.first, let last = text.last, !first.isBlank, !last.isBlank {
        return .event(line: line, json: text)
      }
      let trimmed = text.drop(while: \.isBlank)
      guard let last = trimmed.lastIndex(where: { !$0.isBlank }) else { continue }
      return .event(line: line, json: Array(trimmed[...last]))
    }
    return nil
  }

  /// The next line without its end; nil at the end of the file.
  private mutating func nextLine() throws(ImportError) -> [UInt8]? {
    var text: [UInt8] = []
    var hasAny = false
    while true {
      if piece.isEmpty {
        guard let next = try source.next() else { break }
        piece = next[...]
      }
      hasAny = true
      let end = piece.firstIndex(of: UInt8(ascii: "\n"))
      let part = piece[..<(end ?? piece.endIndex)]
      text += part.prefix(max(0, Self.keptBytes - text.count))
      piece = piece[(end.map { $0 + 1 } ?? piece.endIndex)...]
      if end != nil { break }
    }
    line += hasAny ? 1 : 0
    return hasAny ? text : nil
  }
}

extension UInt8 {
  /// A space, a tab or a carriage return.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
