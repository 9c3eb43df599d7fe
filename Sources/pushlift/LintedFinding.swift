internal import Foundation
internal import Payloads

/// A finding as JSON has it.
struct LintedFinding: Encodable {
  let code: String
  let severity: String
  /// Null for what stands in no file.
  let line: Int?
  let column: Int?
  let message: String
  let remedy: String

  /// Finding by finding, with their places in a file.
  static func all(_ findings: [PayloadFinding], in bytes: [UInt8]) -> [LintedFinding] {
    findings.map { finding in
      let place = TextPlace(of: finding.offset, in: bytes)
      return LintedFinding(
        code: finding.code, severity: finding.severity.rawValue, line: place.line, column: place.column,
        message: finding.message, remedy: finding.remedy)
    }
  }

  /// Prints what was linted as a list.
  static func write(_ linted: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try Terminal.write(Array(try encoder.encode(linted)) + [0x0A])
  }
}
