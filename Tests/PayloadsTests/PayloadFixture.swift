import Foundation
import Payloads
import Testing

/// A payload of somebody's, and what is to be said of it.
struct PayloadFixture: Sendable, CustomTestStringConvertible {
  let file: String
  let verdict: [String]
  /// Severities and codes in their order, as in `note no_target_bundle`.
  let findings: [String]

  var testDescription: String { file }

  static let all: [PayloadFixture] = {
    let folder = Bundle.module.resourceURL!.appending(path: "Fixtures")
    let text = (try? String(contentsOf: folder.appending(path: "verdicts.csv"), encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return PayloadFixture(
        file: cells[0], verdict: Array(cells[1...6]),
        findings: cells[7].split(separator: ";").map(String.init))
    }
  }()

  func bytes() throws -> [UInt8] {
    let folder = Bundle.module.resourceURL!.appending(path: "Fixtures/payloads")
    return Array(try Data(contentsOf: folder.appending(path: file)))
  }
}

extension PayloadReport {
  /// In the words of the fixtures' table.
  var verdict: [String] {
    let rich = ["declaredOnly": "declared_only", "notApplicable": "n/a"]
    return [
      isValid ? "yes" : "no", rich[richness.rawValue] ?? richness.rawValue,
      mediaKinds.map(\.rawValue).joined(separator: "+"), mediaKey ?? "", category ?? "",
      rich[extensionRuns.rawValue] ?? extensionRuns.rawValue,
    ]
  }

  var codes: [String] { findings.map(\.code) }

  /// Severities and codes, but for the note that no simulator is meant.
  var told: [String] {
    findings.filter { $0.code != "no_target_bundle" }.map { "\($0.severity.rawValue) \($0.code)" }
  }

  /// What is said under a code, with its remedy; nil where it is not said.
  func words(_ code: String) -> String? {
    findings.first { $0.code == code }.map { "\($0.message); \($0.remedy)" }
  }
}

/// What is said of a file.
func lint(_ json: String, keys: [String] = [], categories: Set<String>? = nil) -> PayloadReport {
  PayloadLint(keys: .usual.adding(keys), categories: categories).report(on: Array(json.utf8))
}

/// What is said of a push that the extension runs for, with more members beside aps.
func lint(beside members: String) -> PayloadReport {
  lint(#"{"aps":{"alert":"x","mutable-content":1},\#(members)}"#)
}

/// The same with more members in aps.
func lint(aps members: String) -> PayloadReport {
  lint(#"{"aps":{"alert":"x","mutable-content":1,\#(members)}}"#)
}
