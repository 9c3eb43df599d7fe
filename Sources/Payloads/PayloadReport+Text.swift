internal import EngagementEvents

extension PayloadReport {
  /// A line of verdicts, and a line for each finding with its remedy, as compilers print them.
  package func text(file: String, bytes: [UInt8]) -> String {
    let lines = ["\(file): \(summary)"] + findings.lines(file: file, bytes: bytes)
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let media =
      mediaKey.map { " (\(mediaKinds.map(\.rawValue).joined(separator: "+")) at \(EventFault.escape($0)))" }
      ?? ""
    let rich =
      switch richness {
      case .yes: "rich" + media
      case .no: "text-only"
      case .declaredOnly: "names media that cannot be attached" + media
      case .notApplicable: (extensionRuns == .notApplicable ? "not to be judged" : "not displayed") + media
      }
    let runs: String? =
      switch extensionRuns {
      case .yes: "the extension runs"
      case .no: "the extension does not run"
      case .undefined: "nobody knows whether the extension runs"
      case .notApplicable: nil
      }
    return [
      isValid ? "valid" : "not valid", rich, category.map { "category \(quoted($0))" } ?? "no category", runs,
    ]
    .compactMap(\.self).joined(separator: ", ")
  }
}

extension Sequence<PayloadFinding> {
  /// A line each.
  package func lines(file: String, bytes: [UInt8]) -> [String] {
    map { finding in
      let place = TextPlace(of: finding.offset, in: bytes)
      return "\(file):\(place.line):\(place.column): \(finding.severity.rawValue): \(finding.message); "
        + "\(finding.remedy) [\(finding.code)]"
    }
  }
}
