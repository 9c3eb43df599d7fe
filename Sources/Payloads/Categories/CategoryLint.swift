/// Judges files that register an app's categories.
package enum CategoryLint {
  /// The most bytes of a file.
  package static let sizeLimit = 1 << 20

  private static let subject = "a JSON object with a list of categories"

  /// The categories that a plain list of their names holds, such as `["social_post"]`; nil where a file is something else.
  package static func names(in bytes: [UInt8]) -> Set<String>? {
    guard bytes.count <= sizeLimit else { return nil }
    var parser = PayloadParser(bytes, subject: subject)
    guard let elements = parser.parse()?.elements, !parser.isLost, parser.findings.isEmpty, !elements.isEmpty
    else {
      return nil
    }
    let names = elements.compactMap(\.string)
    return names.count == elements.count ? Set(names) : nil
  }

  /// Judges the bytes of one file. Never fails: what cannot be read is a finding.
  package static func report(on bytes: [UInt8]) -> CategoryReport {
    guard bytes.count <= sizeLimit else {
      return CategoryReport(findings: [
        PayloadFinding(
          "file_too_large", .error, at: 0, "the file has \(bytes.count) bytes; \(sizeLimit) are the limit",
          "name the file with the categories alone")
      ])
    }
    var parser = PayloadParser(bytes, subject: subject)
    let root = parser.parse()
    // What a payload may hold at a pinch the store cannot keep.
    var report = CategoryReport(
      findings: parser.findings.map { $0.code == "control_character" ? $0.with(.error) : $0 })
    // Half a file would seem to lack whatever its other half has.
    guard let root, report.isValid else { return report }
    var checks = CategoryChecks()
    checks.check(root: root)
    report.findings += checks.findings
    report.findings.sort { ($0.offset, $0.code) < ($1.offset, $1.code) }
    report.categories = checks.categoryCount
    report.actions = checks.actionCount
    return report
  }
}

/// What the linter says of a file of categories.
package struct CategoryReport: Sendable {
  /// In the order of their places.
  package internal(set) var findings: [PayloadFinding]
  package internal(set) var categories = 0
  package internal(set) var actions = 0

  /// Whether the file can be imported.
  package var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// A line of verdict, and a line for each finding with its remedy, as compilers print them.
  package func text(file: String, bytes: [UInt8]) -> String {
    func count(_ number: Int, _ one: String, _ many: String) -> String {
      "\(number) \(number == 1 ? one : many)"
    }
    let words = [
      isValid ? "valid" : "not valid", count(categories, "category", "categories"),
      count(actions, "action", "actions"),
    ]
    let lines = ["\(file): \(words.joined(separator: ", "))"] + findings.lines(file: file, bytes: bytes)
    return lines.joined(separator: "\n") + "\n"
  }
}
