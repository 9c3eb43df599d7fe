import Foundation
import Payloads
import Testing

/// A payload of somebody's, and what is to be said of it.
struct PayloadFixture: Sendable, CustomTestStringConvertible {
  let file: String
  let verdict: [String]

  var testDescription: String { file }

  static let all: [PayloadFixture] = {
    let folder = Bundle.module.resourceURL!.appending(path: "Fixtures")
    let text = (try? String(contentsOf: folder.appending(path: "verdicts.csv"), encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return PayloadFixture(file: cells[0], verdict: Array(cells[1...]))
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
}
