import Foundation
import Testing

/// A row of `golden.csv`: what a function must answer, how nearly, and who says so.
struct GoldenRow: Sendable, Hashable, CustomTestStringConvertible {
  let function: String
  let inputs: String
  let expected: String
  let tolerance: String
  let source: String

  var testDescription: String { "\(function) \(inputs)" }

  /// All rows. A file that cannot be read gives a single row that names the fault and fails as an unknown
  /// function.
  static let all: [GoldenRow] = {
    do {
      guard let file = Bundle.module.url(forResource: "golden", withExtension: "csv") else {
        throw GoldenError("golden.csv is not in the bundle")
      }
      let records = csvRecords(try String(contentsOf: file, encoding: .utf8))
      return try records.dropFirst().map { fields in
        guard fields.count == 5 else { throw GoldenError("\(fields.count) fields in \(fields)") }
        return GoldenRow(
          function: fields[0], inputs: fields[1], expected: fields[2], tolerance: fields[3],
          source: fields[4])
      }
    } catch {
      return [
        GoldenRow(function: "\(error)", inputs: "{}", expected: "{}", tolerance: "exact", source: "")
      ]
    }
  }()
}

/// The records of RFC 4180 text: quoted fields may hold commas and line ends, and double their quotes.
func csvRecords(_ text: String) -> [[String]] {
  var records: [[String]] = []
  var fields: [String] = []
  var field = ""
  var isQuoted = false
  var characters = text[...]
  while let character = characters.popFirst() {
    switch character {
    case "\"" where isQuoted && characters.first == "\"":
      characters.removeFirst()
      field.append("\"")
    case "\"": isQuoted.toggle()
    case "," where !isQuoted:
      fields.append(field)
      field = ""
    case "\n" where !isQuoted, "\r\n" where !isQuoted:
      records.append(fields + [field])
      fields = []
      field = ""
    default: field.append(character)
    }
  }
  if !field.isEmpty || !fields.isEmpty { records.append(fields + [field]) }
  return records
}

extension GoldenRow {
  /// What in `actual` differs from what the row expects; empty if nothing does.
  func differences(from actual: [String: GoldenValue]) throws -> [String] {
    try GoldenValue(json: expected).members.sorted { $0.key < $1.key }.flatMap { key, wanted in
      guard let found = actual[key] else { return ["\(key): not computed"] }
      return try differences(key, wanted: wanted, found: found)
    }
  }

  private func differences(_ key: String, wanted: GoldenValue, found: GoldenValue) throws -> [String] {
    if case .list(let wanted) = wanted, case .list(let found) = found, wanted.count == found.count {
      return try zip(wanted, found).enumerated().flatMap { index, pair in
        try differences("\(key)[\(index)]", wanted: pair.0, found: pair.1)
      }
    }
    if case .number(let found) = found, let number = wanted.asNumber {
      return try isWithinTolerance(found, of: number) ? [] : ["\(key): \(found), not \(number)"]
    }
    return wanted == found ? [] : ["\(key): \(found), not \(wanted)"]
  }

  private func isWithinTolerance(_ found: Double, of wanted: Double) throws -> Bool {
    if found == wanted { return true }
    if tolerance == "exact" || found.isNaN || wanted.isInfinite { return false }
    let parts = tolerance.split(separator: ":")
    guard parts.count == 2, let bound = Double(parts[1]) else {
      throw GoldenError("tolerance \(tolerance) is not understood")
    }
    switch parts[0] {
    case "abs": return abs(found - wanted) <= bound
    case "rel": return abs(found - wanted) <= bound * abs(wanted)
    default: throw GoldenError("tolerance \(tolerance) is not understood")
    }
  }
}

extension GoldenValue {
  /// The number that a number, "inf" or a fraction such as "4/9" stands for.
  fileprivate var asNumber: Double? {
    switch self {
    case .number(let value): return value
    case .string("inf"): return .infinity
    case .string(let text):
      let parts = text.split(separator: "/").map { Double($0) }
      if parts.count == 1 { return parts[0] }
      guard parts.count == 2, let top = parts[0], let bottom = parts[1] else { return nil }
      return top / bottom
    default: return nil
    }
  }
}
