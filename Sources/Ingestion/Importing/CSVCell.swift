internal import EngagementEvents

/// How the cells of a CSV file become the values of an event, whatever its columns are called.
enum CSVCell {
  /// The value of a cell, where it is no text, as JSON; nil for fields that are texts.
  ///
  /// What a field cannot be becomes a JSON string, for the event's rules to name.
  static func json(of cell: [UInt8], as field: EventField) -> [UInt8]? {
    switch field {
    case .sequence, .relevanceScore: number(Array(cell.trimmed))
    case .customInterface: boolean(Array(cell.trimmed))
    case .attachments, .intended, .actions: list(Array(cell.trimmed), isAttachments: field == .attachments)
    default: nil
    }
  }

  /// Whether a cell tells nothing of a field. Only in a text are blanks something.
  static func isAbsent(_ cell: [UInt8], as field: EventField) -> Bool {
    cell.isEmpty || cell.trimmed.isEmpty && json(of: cell, as: field) != nil
  }

  /// Why a cell cannot be a field's text, though the contract would take it; nil where it can.
  static func fault(of cell: [UInt8], as field: EventField) -> RowFault? {
    if cell.contains(where: { $0 > 0x7F }), String(validating: cell, as: UTF8.self) == nil {
      return RowFault(
        field: field.rawValue, code: EventFault.Code.invalidUTF8.rawValue,
        message: "the cell of \(field.rawValue) is not valid UTF-8; save the file as UTF-8, or convert it")
    }
    let ids: [EventField] = [.id, .notificationId, .deviceId]
    guard ids.contains(field), isRounded(cell.trimmed) else { return nil }
    return RowFault(
      field: field.rawValue, code: "rounded_number",
      message:
        "\(field.rawValue) is \(field == .deviceId ? "a number" : EventFault.quote(String(decoding: cell, as: UTF8.self))) "
        + "as spreadsheets round it, in which digits are lost; export the file anew, and keep the column as text"
    )
  }

  /// `9.99999E+17`, which is what is left of an id of 18 digits.
  private static func isRounded(_ cell: ArraySlice<UInt8>) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { byte &- 48 <= 9 }
    guard let first = cell.first, isDigit(first), cell.count >= 4 else { return false }
    var rest = cell.dropFirst()
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      if digits.isEmpty { return false }
      rest = rest[digits.endIndex...]
    }
    guard let letter = rest.first, letter | 0x20 == UInt8(ascii: "e"),
      rest.dropFirst().first == UInt8(ascii: "+")
    else { return false }
    let exponent = rest.dropFirst(2)
    return !exponent.isEmpty && exponent.allSatisfy(isDigit)
  }

  /// The words between bars; none of `none`.
  static func words(of cell: [UInt8]) -> [ArraySlice<UInt8>] {
    if cell.trimmed.elementsEqual("none".utf8) { return [] }
    return cell.split(separator: UInt8(ascii: "|")).map(\.trimmed)
  }

  /// The number as it is written if JSON has it so; `007` and `.5` as JSON would.
  static func number(_ cell: [UInt8]) -> [UInt8] {
    let isNumber = cell.allSatisfy { $0 &- 48 <= 9 || "+-.eE".utf8.contains($0) }
    guard isNumber else { return string(cell) }
    if JSONDiagnosis.firstFault(in: cell) == nil { return cell }
    let text = String(decoding: cell, as: UTF8.self)
    if let integer = Int64(text) { return Array(String(integer).utf8) }
    if let number = Double(text), number.isFinite { return Array(String(number).utf8) }
    return string(cell)
  }

  /// `TRUE` and `1` too, as spreadsheets and databases write it.
  static func boolean(_ cell: [UInt8]) -> [UInt8] {
    switch String(decoding: cell, as: UTF8.self).lowercased() {
    case "true", "1": Array("true".utf8)
    case "false", "0": Array("false".utf8)
    default: string(cell)
    }
  }

  /// JSON as it is, or else words between bars.
  private static func list(_ cell: [UInt8], isAttachments: Bool) -> [UInt8] {
    if cell.first == UInt8(ascii: "["), JSONDiagnosis.firstFault(in: cell) == nil { return cell }
    var json = [UInt8(ascii: "[")]
    for word in words(of: cell) {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      if isAttachments { json += Array(#"{"kind":"#.utf8) }
      json.append(string: word)
      if isAttachments { json.append(UInt8(ascii: "}")) }
    }
    json.append(UInt8(ascii: "]"))
    return json
  }

  private static func string(_ cell: [UInt8]) -> [UInt8] {
    var json: [UInt8] = []
    json.append(string: cell)
    return json
  }
}

extension [UInt8] {
  /// A JSON string; bytes that are no UTF-8 stay as they are, for the event's rules to name.
  mutating func append(string bytes: some Sequence<UInt8>) {
    append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
        append(contentsOf: String(byte & 15, radix: 16).utf8)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// Without the blanks around it.
  var trimmed: SubSequence {
    let start = drop(while: \.isBlank)
    return start.lastIndex { !$0.isBlank }.map { start[...$0] } ?? start.prefix(0)
  }
}
