/// Reads JSON as strictly as APNs does, and goes on behind what can be understood all the same, so that all faults of a file are
/// named at once and its category and media are found in spite of them.
struct PayloadParser {
  private(set) var findings: [PayloadFinding] = []
  private let bytes: [UInt8]
  private var position = 0
  /// Nobody can tell what comes next.
  private var isLost = false

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

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var scalar: Unicode.Scalar? {
    String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
  }

  private mutating func fault(_ code: String, at offset: Int, _ message: String, _ remedy: String) {
    findings.append(PayloadFinding(code, .error, at: offset, message, remedy))
  }

  private mutating func lose(_ message: String) {
    guard !isLost else { return }
    isLost = true
    let what = byte == nil ? "the file ends too early" : "\(Self.name(of: scalar)) stands where \(message)"
    fault(
      byte == nil ? "json_cut" : "json_syntax", at: position, what,
      byte == nil ? "close all brackets and quotation marks" : "look at the character before it too")
  }

  private mutating func skipBlanks() {
    while let byte {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/"):
        guard skipComment() else { return }
      default: return
      }
    }
  }

  private mutating func skipComment() -> Bool {
    let start = position
    guard position + 1 < bytes.count else { return false }
    switch bytes[position + 1] {
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
      return PayloadNode(value: .null, offset: start)
    }
    let value: PayloadValue
    switch byte {
    case UInt8(ascii: "{"): value = .object(object(depth: depth))
    case UInt8(ascii: "["): value = .array(array(depth: depth))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): value = .string(string())
    default: value = bare()
    }
    return PayloadNode(value: value, offset: start)
  }

  private mutating func object(depth: Int) -> [PayloadMember] {
    var members: [PayloadMember] = []
    var seen: Set<String> = []
    elements(closing: UInt8(ascii: "}")) { parser in
      let start = parser.position
      let isQuoted = parser.byte == UInt8(ascii: "\"") || parser.byte == UInt8(ascii: "'")
      guard isQuoted else { return parser.lose("a key in quotation marks is expected") }
      let key = parser.string()
      if !seen.insert(key).inserted {
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

  private mutating func bare() -> PayloadValue {
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
      return .number(text)
    default: break
    }
    if Self.isNumber(text) { return .number(text) }
    position = start
    lose("a value is expected")
    return .null
  }

  // MARK: strings

  private mutating func string() -> String {
    let start = position
    let mark = bytes[position]
    if mark == UInt8(ascii: "'") {
      fault("json_single_quotes", at: start, "a string stands in single quotation marks", "use double ones")
    }
    position += 1
    var units: [UInt16] = []
    var plain = position
    func flush(_ parser: PayloadParser, _ units: inout [UInt16]) {
      units.append(contentsOf: String(decoding: parser.bytes[plain..<parser.position], as: UTF8.self).utf16)
    }
    while let byte, byte != mark {
      if byte == UInt8(ascii: "\\") {
        flush(self, &units)
        escape(&units)
        plain = position
        if isLost { break }
        continue
      }
      if byte < 0x20 {
        // A quotation mark was forgotten, more likely than a line feed meant.
        if byte == 0x0A { break }
        fault(
          "json_raw_control", at: position, "a control character stands in a string as it is",
          "write it as an escape such as \\t")
      }
      position += 1
    }
    flush(self, &units)
    if byte == mark { position += 1 } else { lose("a closing quotation mark is expected") }
    return text(of: units, at: start)
  }

  private mutating func escape(_ units: inout [UInt16]) {
    let start = position
    let names: [UInt8: UInt16] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    position += 1
    guard let byte else { return lose("an escape ends") }
    position += 1
    if let unit = names[byte] { return units.append(unit) }
    let digits = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    guard byte == UInt8(ascii: "u"), digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
      fault("json_escape", at: start, "JSON knows no such escape", "write a backslash itself as \\\\")
      return units.append(0xFFFD)
    }
    position += 4
    units.append(unit)
  }

  private mutating func text(of units: [UInt16], at start: Int) -> String {
    var text = ""
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        if scalar.value == 0 {
          findings.append(
            PayloadFinding(
              "control_character", .warning, at: start, "a string holds U+0000",
              "remove it: databases refuse it"))
        }
        text.unicodeScalars.append(scalar)
      case .error:
        fault(
          "json_lone_surrogate", at: start, "a string holds half an emoji", "cut texts between characters")
        text.unicodeScalars.append("\u{FFFD}")
      case .emptyInput: return text
      }
    }
  }
}
