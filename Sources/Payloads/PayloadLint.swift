/// Judges APNs payload files: whether they are valid, rich, and set the Notification Service Extension going.
package struct PayloadLint: Sendable {
  /// The most bytes that APNs takes of a payload, except for VoIP.
  package static let sizeLimit = 4_096

  private let keys: MediaKeys
  private let categories: Set<String>?

  /// - Parameters:
  ///   - keys: where media may stand.
  ///   - categories: those that the app registers; nil where that is not known.
  package init(keys: MediaKeys = .usual, categories: Set<String>? = nil) {
    self.keys = keys
    self.categories = categories
  }

  /// Judges the bytes of one file. Never fails: what cannot be read is a finding.
  package func report(on bytes: [UInt8]) -> PayloadReport {
    var parser = PayloadParser(bytes)
    let root = parser.parse()
    var report = PayloadReport()
    report.findings = parser.findings
    let codes = Set(parser.findings.filter { $0.severity == .error }.map(\.code))
    if codes.contains("json_syntax") || root == nil, let dump = PropertyListDump.parse(bytes) {
      describe(dump, MediaSearch(dump, keys), PushShape(dump), &report)
      // Its values have lost their types, so that nothing else can be said of them.
      report.findings = [
        PayloadFinding(
          "not_json_dump", .error, at: dump.offset,
          "this is a dictionary as NSLog prints it (= and ;), not JSON",
          "copy the payload from the sender, or print it with JSONSerialization")
      ]
      return report
    }
    guard let root else { return report }
    guard root.members != nil else {
      if codes.isEmpty {
        report.findings.append(
          PayloadFinding(
            "not_an_object", .error, at: root.offset, "the payload is \(root.typeName)",
            "put it into an object with an aps dictionary"))
      }
      return report
    }
    let search = MediaSearch(root, keys)
    let push = PushShape(root)
    describe(root, search, push, &report)
    // A byte-order mark and half an emoji leave no doubt of what is meant.
    if codes.subtracting(["json_bom", "json_lone_surrogate"]).isEmpty {
      judge(root, search, push, &report, isExact: !codes.contains("json_lone_surrogate"))
    }
    if push.isLiveActivity { report.extensionRuns = .no }
    report.findings.sort { ($0.offset, $0.code) < ($1.offset, $1.code) }
    return report
  }

  /// What can be said of a file whose syntax is at fault as well.
  private func describe(
    _ root: PayloadNode, _ search: MediaSearch, _ push: PushShape, _ report: inout PayloadReport
  ) {
    report.category = root["aps"]?["category"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let usable = search.candidates.filter(\.isUsable)
    report.mediaKey = (usable.first ?? search.candidates.first)?.key
    var kinds: [PayloadReport.MediaKind] = []
    for candidate in usable where !kinds.contains(candidate.url.kind) { kinds.append(candidate.url.kind) }
    report.mediaKinds = kinds.isEmpty ? search.candidates.first.map { [$0.url.kind] } ?? [] : kinds
    var checks = PayloadChecks(root: root, push: push, categories: categories)
    checks.checkAll(search)
    report.findings += checks.findings
  }

  /// - Parameter isExact: false where readers do not agree on the payload.
  private func judge(
    _ root: PayloadNode, _ search: MediaSearch, _ push: PushShape, _ report: inout PayloadReport,
    isExact: Bool
  ) {
    let isTooLarge = report.findings.contains { $0.code == "too_large" }
    report.extensionRuns = push.extensionRuns(hasMedia: report.mediaKey != nil)
    if report.extensionRuns == .yes, !isExact { report.extensionRuns = .undefined }
    if isTooLarge, push.aps != nil { report.extensionRuns = .no }
    report.richness = push.richness(
      hasMedia: report.mediaKey != nil,
      isUsable: search.candidates.contains(where: \.isUsable))
    if report.richness == .no, push.hasAlert, report.extensionRuns == .no, !isTooLarge {
      report.findings.append(
        PayloadFinding(
          "not_counted", .warning, at: root["aps"]?.offset ?? 0,
          "no extension runs for this text-only push, so that its delivery is never reported",
          "add \"mutable-content\": 1, so that it can be compared with rich ones"))
    }
  }
}
