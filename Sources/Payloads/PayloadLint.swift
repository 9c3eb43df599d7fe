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
    let isRead = !parser.isLost && root != nil
    let isSound = isRead && (root?.members != nil || root?.elements != nil && report.isValid)
    if !isSound, let pasted = PastedText(bytes) {
      describe(pasted, &report)
    } else if let root {
      if root.members != nil {
        judge(root, bytes, isWhole: !parser.isLost, &report)
      } else if isRead, report.isValid {
        report.findings.append(Self.misfit(root))
      }
    }
    // A sender needs no bundle id: whatever is wrong comes first.
    report.findings.sort {
      ($0.isLast ? 1 : 0, $0.offset, $0.code) < ($1.isLast ? 1 : 0, $1.offset, $1.code)
    }
    return report
  }

  /// What is no object, and may be a list of them.
  private static func misfit(_ root: PayloadNode) -> PayloadFinding {
    let first = root.elements?.first
    if let envelope = first.flatMap({ $0["aps"] == nil ? PushEnvelope($0) : nil }) {
      return PayloadFinding(
        "envelope_\(envelope.rawValue)", .error, at: root.offset,
        "this is a list of requests to \(envelope.name), not a payload of APNs",
        "lint what reaches the device: the object with aps in it")
    }
    let isWrapped = root.string.map { $0.utf8.first { $0 > 0x20 } == UInt8(ascii: "{") } ?? false
    return PayloadFinding(
      "not_an_object", .error, at: root.offset, "the payload is \(root.typeName)",
      isWrapped
        ? "take it out of its quotation marks, without the backslashes"
        : first?["aps"] == nil
          ? "put it into an object with an aps dictionary" : "lint each of its payloads alone")
  }

  // MARK: what was pasted

  private func describe(_ pasted: PastedText, _ report: inout PayloadReport) {
    switch pasted {
    case .dump(let language, let node):
      describe(node, MediaSearch(node, keys), PushShape(node), isWhole: true, &report)
      // Its values have lost their types, so that nothing else can be said of them.
      report.findings =
        [PayloadFinding("not_json_dump", .error, at: node.offset, language.message, language.remedy)]
        + report.findings.filter(\.isLast)
    case .payload(let node, let findings, let before):
      report.findings = findings
      describe(node, MediaSearch(node, keys), PushShape(node), isWhole: true, &report)
      report.findings.append(
        PayloadFinding(
          "text_around", .error, at: before.offset, "\(quoted(before.text)) stands before the payload",
          "keep what is from { to } alone"))
    case .other(let before):
      report.findings = [
        PayloadFinding(
          "text_around", .error, at: before.offset, "\(quoted(before.text)) stands before the first bracket",
          "keep the JSON alone, from { to }")
      ]
    }
  }

  /// What can be said of a file whose syntax is at fault as well.
  private func describe(
    _ root: PayloadNode, _ search: MediaSearch, _ push: PushShape, isWhole: Bool,
    _ report: inout PayloadReport
  ) {
    report.category = root["aps"]?["category"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let usable = search.candidates.filter(\.isUsable)
    report.mediaKey = (usable.first ?? search.candidates.first)?.key
    var kinds: [PayloadReport.MediaKind] = []
    for candidate in usable where !kinds.contains(candidate.url.kind) { kinds.append(candidate.url.kind) }
    report.mediaKinds = kinds.isEmpty ? search.candidates.first.map { [$0.url.kind] } ?? [] : kinds
    var checks = PayloadChecks(root: root, push: push, categories: categories, isWhole: isWhole)
    checks.checkAll(search)
    report.findings += checks.findings
  }

  // MARK: verdicts

  private func judge(_ root: PayloadNode, _ bytes: [UInt8], isWhole: Bool, _ report: inout PayloadReport) {
    let codes = Set(report.findings.filter { $0.severity == .error }.map(\.code))
    let search = MediaSearch(root, keys)
    let push = PushShape(root, isWhole: isWhole)
    describe(root, search, push, isWhole: isWhole, &report)
    // A byte-order mark and half an emoji leave no doubt of what is meant.
    if codes.subtracting(["json_bom", "json_lone_surrogate"]).isEmpty {
      judge(search, push, isExact: !codes.contains("json_lone_surrogate"), &report)
      report.findings += RawSize.finding(root, bytes)
      report.findings += reach(push, report)
    }
    if push.isLiveActivity { report.extensionRuns = .no }
  }

  /// - Parameter isExact: false where readers do not agree on the payload.
  private func judge(
    _ search: MediaSearch, _ push: PushShape, isExact: Bool, _ report: inout PayloadReport
  ) {
    report.extensionRuns = push.extensionRuns(hasMedia: report.mediaKey != nil)
    if report.extensionRuns == .yes, !isExact { report.extensionRuns = .undefined }
    if report.isTooLarge, push.aps != nil { report.extensionRuns = .no }
    report.richness = push.richness(
      hasMedia: report.mediaKey != nil,
      isUsable: search.candidates.contains(where: \.isUsable))
  }

  /// What does not happen for want of an extension.
  private func reach(_ push: PushShape, _ report: PayloadReport) -> [PayloadFinding] {
    guard push.hasAlert, report.extensionRuns == .no, !report.isTooLarge, let aps = push.aps else {
      return []
    }
    switch report.richness {
    case .no:
      return [
        PayloadFinding(
          "not_counted", .warning, at: aps.offset,
          "no extension runs for this text-only push, so that its delivery is never reported",
          "add \"mutable-content\": 1, so that it can be compared with rich ones")
      ]
    case .declaredOnly:
      return [
        PayloadFinding(
          "media_without_extension", .warning, at: aps.offset,
          "media is named, but no extension runs that would attach it", "add \"mutable-content\": 1 to aps")
      ]
    case .yes, .notApplicable: return []
    }
  }
}

extension PayloadReport {
  fileprivate var isTooLarge: Bool { findings.contains { $0.code == "too_large" } }
}

extension PayloadFinding {
  fileprivate var isLast: Bool { code == "no_target_bundle" }
}

extension DictionaryDump.Language {
  fileprivate var message: String {
    switch self {
    case .nsLog: "this is a dictionary as NSLog prints it (= and ;), not JSON"
    case .swift: "this is a dictionary as Swift prints it, not JSON"
    case .java: "this is a map as Java prints it (=), not JSON"
    case .ruby: "this is a hash as Ruby prints it (=>), not JSON"
    case .php: "this is an array as PHP has it (=>), not JSON"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .nsLog, .swift: "copy the payload from the sender, or print it with JSONSerialization"
    case .java: "copy the payload from the sender, or print it with a JSON library"
    case .ruby: "copy the payload from the sender, or print it with to_json"
    case .php: "copy the payload from the sender, or print it with json_encode"
    }
  }
}
