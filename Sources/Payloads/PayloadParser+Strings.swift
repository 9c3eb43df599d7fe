internal import EngagementEvents

/// Strings, keys among them.
extension PayloadParser {
  mutating func string() -> String {
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
    let digits = bytes[position..<min(position + 4, bytes.count)]
    guard byte == UInt8(ascii: "u"), let unit = Self.codeUnit(digits) else {
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
