/// Goes through a file line by line in constant memory; blank lines are skipped.
struct LineReader: ImportItems {
  private let source: ByteSource
  private var piece: ArraySlice<UInt8> = []
  private var line = 0

  /// What is kept of a line at most. It is far over the limit of an event, so that a longer one is rejected for its size.
  static let keptBytes = 1 << 18

  /// What comes next, where it was looked at before its time.
  private var ahead: ImportItem?
  private var isFirst = true

  /// - Throws: `ImportError.format` where the file is no text in UTF-8.
  init(_ source: ByteSource) throws(ImportError) {
    self.source = source
    _ = try source.beginning()
  }

  /// - Throws: `ImportError.format` where the first lines are those of another form than an event a line.
  mutating func next() throws(ImportError) -> ImportItem? {
    if let item = ahead {
      ahead = nil
      return item
    }
    guard let item = try nextFilled() else { return nil }
    if isFirst {
      isFirst = false
      try checkForm(beginning: item)
    }
    return item
  }

  /// The next line that is not blank.
  private mutating func nextFilled() throws(ImportError) -> ImportItem? {
    while let text = try nextLine() {
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

  /// One record over several lines, and one array of all, cannot be told apart line by line. An array that is a line among
  /// others is a bad line.
  private mutating func checkForm(beginning first: ImportItem) throws(ImportError) {
    guard case .event(_, let text, _) = first else { return }
    if text == [UInt8(ascii: "{")] {
      throw ImportError(
        .format,
        "\(source.name): its first record goes over several lines. Import it as: jq -c . FILE | pushlift import -"
      )
    }
    guard text.first == UInt8(ascii: "[") else { return }
    if Self.isClosed(text) {
      ahead = try nextFilled()
      if ahead != nil { return }
    }
    throw ImportError(
      .format,
      "\(source.name) is one JSON array, not an event a line. Import it as: jq -c '.[]' FILE | pushlift import -"
    )
  }

  /// Whether every bracket that the text opens is closed in it.
  private static func isClosed(_ text: [UInt8]) -> Bool {
    var depth = 0
    var isText = false
    var isEscaped = false
    for byte in text {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isText ? 0 : 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isText ? 0 : 1
      default: break
      }
    }
    return depth <= 0 && !isText
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
