internal import EngagementEvents

/// Reads JSON as strictly as APNs does, and goes on behind what can be understood all the same, so that all faults of a file are
/// named at once and its category and media are found in spite of them.
struct PayloadParser {
  var findings: [PayloadFinding] = []
  let bytes: [UInt8]
  var position = 0
  /// Nobody can tell what comes next, nor what is not there.
  private(set) var isLost = false
  /// A file that was indented with odd blanks has hundreds of them.
  private var hasOddBlank = false

  /// What the file is meant to hold.
  private let subject: String

  static let depthLimit = 64

  init(_ bytes: [UInt8], subject: String = "a JSON object with an aps dictionary") {
    self.bytes = bytes
    self.subject = subject
  }

  /// - Returns: nil where there is no value at all.
  mutating func parse() -> PayloadNode? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      fault("json_bom", at: 0, "the file begins with a byte-order mark", "save it as UTF-8 without one")
    }
    if let name = Self.otherEncoding(bytes) {
      fault("json_encoding", at: 0, "the file is \(name)", "save it as UTF-8")
      return nil
    }
    if let bad = Self.firstBadUTF8(bytes) {
      fault("json_encoding", at: bad, "the file is not UTF-8", "save it as UTF-8")
      return nil
    }
    skipBlanks()
    guard position < bytes.count else {
      fault("json_empty", at: position, "the file is empty", "write \(subject)")
      return nil
    }
    let node = value(depth: 0)
    skipBlanks()
    if !isLost, position < bytes.count {
      fault(
        "json_extra_data", at: position, "\(Self.name(of: scalar)) follows the end", "remove what follows")
    }
    return node
  }

  /// The value that begins at an offset of a file in UTF-8, whatever stands around it; nil where it cannot be read to its end.
  mutating func parse(from offset: Int) -> PayloadNode? {
    position = offset
    let node = value(depth: 0)
    return isLost ? nil : node
  }

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var scalar: Unicode.Scalar? {
    String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
  }

  mutating func fault(_ code: String, at offset: Int, _ message: String, _ remedy: String) {
    findings.append(PayloadFinding(code, .error, at: offset, message, remedy))
  }

  mutating func lose(_ message: String) {
    guard !isLost else { return }
    isLost = true
    let what = byte == nil ? "the file ends too early" : "\(Self.name(of: scalar)) stands where \(message)"
    guard byte != nil else {
      return fault("json_cut", at: position, what, "close all brackets and quotation marks")
    }
    fault("json_syntax", at: position, what, Self.remedy(against: scalar))
  }

  mutating func skipBlanks() {
    while let byte {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/"), UInt8(ascii: "#"):
        guard skipComment() else { return }
      case 0x0B, 0x0C, 0x80...:
        guard skipOddBlank() else { return }
      default: return
      }
    }
  }

  /// A blank of some word processor or web page, such as U+00A0.
  private mutating func skipOddBlank() -> Bool {
    guard let scalar, scalar.isInvisible else { return false }
    if !hasOddBlank {
      hasOddBlank = true
      fault(
        "json_blank", at: position,
        "\(Self.name(of: scalar)) stands where JSON knows only blanks, tabs and line breaks",
        "replace it by a blank, here and elsewhere")
    }
    position += UTF8.width(scalar)
    return true
  }

  private mutating func skipComment() -> Bool {
    let start = position
    let mark = bytes[position] == UInt8(ascii: "#") ? UInt8(ascii: "/") : bytes[position...].dropFirst().first
    switch mark {
    case UInt8(ascii: "/"): position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    case UInt8(ascii: "*"):
      position += 2
      while position + 1 < bytes.count, !(bytes[position] == 0x2A && bytes[position + 1] == 0x2F) {
        position += 1
      }
      position = min(position + 2, bytes.count)
    default: return false
    }
    fault("json_comment", at: start, "JSON has no comments", "remove it")
    return true
  }

  // MARK: values

  private mutating func value(depth: Int) -> PayloadNode {
    let start = position
    guard depth <= Self.depthLimit else {
      fault("json_depth", at: start, "more than \(Self.depthLimit) levels of brackets", "nest less deeply")
      isLost = true
      return PayloadNode(value: .unknown, offset: start)
    }
    let value: PayloadValue
    switch byte {
    case UInt8(ascii: "{"): value = .object(object(depth: depth))
    case UInt8(ascii: "["): value = .array(array(depth: depth))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): value = .string(string())
    default: value = bare(isWithin: depth > 0)
    }
    return PayloadNode(value: value, offset: start)
  }

  private mutating func object(depth: Int) -> [PayloadMember] {
    var members: [PayloadMember] = []
    // By bytes: Swift takes a letter with its accent and the two one after the other for the same.
    var seen: Set<[UInt8]> = []
    elements(closing: UInt8(ascii: "}")) { parser in
      let start = parser.position
      let isQuoted = parser.byte == UInt8(ascii: "\"") || parser.byte == UInt8(ascii: "'")
      guard let key = isQuoted ? parser.string() : parser.bareKey() else {
        return parser.lose("a key in quotation marks is expected")
      }
      if !seen.insert(Array(key.utf8)).inserted {
        parser.fault(
          "json_duplicate_key", at: start, "the key \(quoted(key)) stands twice", "keep one of them")
      }
      parser.skipBlanks()
      guard parser.byte == UInt8(ascii: ":") else { return parser.lose("a colon is expected") }
      parser.position += 1
      parser.skipBlanks()
      members.append(PayloadMember(key: key, keyOffset: start, node: parser.value(depth: depth + 1)))
    }
    return members
  }

  private mutating func array(depth: Int) -> [PayloadNode] {
    var nodes: [PayloadNode] = []
    elements(closing: UInt8(ascii: "]")) { nodes.append($0.value(depth: depth + 1)) }
    return nodes
  }

  /// Goes from the opening bracket over all elements to behind the closing one.
  private mutating func elements(closing: UInt8, _ element: (inout PayloadParser) -> Void) {
    position += 1
    skipBlanks()
    if byte == closing { return position += 1 }
    while !isLost {
      element(&self)
      if isLost { return }
      skipBlanks()
      switch byte {
      case closing: return position += 1
      case UInt8(ascii: ","):
        let comma = position
        position += 1
        skipBlanks()
        guard byte == closing else { continue }
        fault(
          "json_trailing_comma", at: comma, "a comma stands before the closing bracket", "remove the comma")
        return position += 1
      default: lose("a comma or a closing bracket is expected")
      }
    }
  }

  /// A key without quotation marks, as JavaScript has it; nil where no colon follows.
  private mutating func bareKey() -> String? {
    let start = position
    while let byte, Self.isAlphanumeric(byte) || "_$-.".utf8.contains(byte) { position += 1 }
    let end = position
    skipBlanks()
    guard end > start, byte == UInt8(ascii: ":") else {
      position = start
      return nil
    }
    let key = String(decoding: bytes[start..<end], as: UTF8.self)
    fault(
      "json_unquoted_key", at: start, "the key \(quoted(key)) stands without quotation marks",
      "write \"\(key)\"")
    return key
  }

  /// - Parameter isWithin: whether brackets stand around it, so that it is plain where it ends.
  private mutating func bare(isWithin: Bool) -> PayloadValue {
    let start = position
    while let byte, byte == 0x2B || byte == 0x2D || byte == 0x2E || Self.isAlphanumeric(byte) {
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "NaN", "Infinity", "-Infinity", "nan", "inf":
      fault("json_nonfinite", at: start, "JSON knows no \(text)", "write a number, or leave the key out")
      return .unknown
    default: break
    }
    if Self.isNumber(text) { return .number(text) }
    if isWithin, !text.isEmpty, byte.map(Self.endsWord) ?? true {
      faultWord(text, at: start)
    } else {
      position = start
      lose("a value is expected")
    }
    return .unknown
  }
}
