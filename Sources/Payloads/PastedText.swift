/// What a file holds that is no JSON from its beginning to its end: lines of a log, of a shell, of a web page.
enum PastedText {
  /// What a program printed of a dictionary.
  case dump(DictionaryDump.Language, PayloadNode)
  /// A payload with text around it.
  case payload(PayloadNode, findings: [PayloadFinding], before: Before)
  /// Text before the first bracket, and nothing plain behind it.
  case other(before: Before)

  /// What stands before the payload, and where.
  struct Before {
    let text: String
    let offset: Int
  }

  /// A log line has some before the payload's own; more than these are no such line.
  private static let mostBrackets = 32

  /// - Returns: nil where nothing better can be said than which character is wrong.
  init?(_ bytes: [UInt8]) {
    guard let start = bytes.firstIndex(where: { !" \t\r\n".utf8.contains($0) }),
      PayloadParser.otherEncoding(bytes) == nil
    else { return nil }
    // What begins as JSON is broken JSON, unless it is a dump.
    let isText = bytes[start] != UInt8(ascii: "{") && !Self.isList(bytes[start...])
    let brackets = bytes.indices.lazy.filter { [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[$0]) }
    var other: PastedText?
    for bracket in brackets.prefix(Self.mostBrackets) {
      if let (language, node) = DictionaryDump.parse(bytes, from: bracket) {
        if node["aps"] != nil {
          self = .dump(language, node)
          return
        }
        other = other ?? .dump(language, node)
      }
      guard isText, bytes[bracket] == UInt8(ascii: "{") else { continue }
      var parser = PayloadParser(bytes)
      guard let node = parser.parse(from: bracket), Self.isPush(node) else { continue }
      self = .payload(node, findings: parser.findings, before: Before(bytes, start, bracket))
      return
    }
    if let other {
      self = other
      return
    }
    guard isText, let bracket = brackets.first(where: { bytes[$0] == UInt8(ascii: "{") }), bracket > start,
      bytes[start] != UInt8(ascii: "\""), bytes[start] != UInt8(ascii: "[")
    else { return nil }
    self = .other(before: Before(bytes, start, bracket))
  }

  /// Whether a list of objects begins here.
  private static func isList(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: "[")
      && bytes.dropFirst().first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  private static func isPush(_ node: PayloadNode) -> Bool {
    guard node.members != nil else { return false }
    let push = PushShape(node)
    return push.aps != nil || push.nested != nil || push.envelope != nil
  }
}

extension PastedText.Before {
  init(_ bytes: [UInt8], _ start: Int, _ end: Int) {
    let text = bytes[start..<max(start, end)]
    let isBlank = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    let last = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    self.init(text: String(decoding: bytes[start..<last], as: UTF8.self), offset: start)
  }
}
