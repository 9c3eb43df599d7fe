internal import EngagementEvents
internal import Foundation
internal import Ingestion
internal import Reports

/// What an import says of its events, whatever they come from.
struct ImportReport {
  /// In which times without one were read; nil for none.
  let zone: String?
  let isDry: Bool

  func print(_ tally: ImportTally) throws {
    for rejection in tally.rejections { Terminal.complain(rejection.description) }
    if tally.rejected > tally.rejections.count {
      let more = "… and \(tally.rejected - tally.rejections.count) more"
      Terminal.complain(isDry ? more : more + ": pushlift deadletters list")
    }
    for warning in tally.warnings.named { Terminal.complain("warning: \(warning)") }
    if tally.warnings.others > 0 {
      Terminal.complain("… and \(Format.count(tally.warnings.others, "more warning"))")
    }
    for finding in tally.campaigns.findings { Terminal.complain(finding) }
    if let zone {
      let twice = tally.ambiguousTimes
      Terminal.complain(
        "times without a zone were read in \(zone)"
          + (twice > 0 ? "; \(twice) that its clocks showed twice were taken for the earlier" : ""))
    }
    if tally.unknownFields > 0 {
      Terminal.complain("ignored: \(Format.count(tally.unknownFields, "unknown field"))")
    }
    let ignored = tally.ignored.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !ignored.isEmpty {
      Terminal.complain(
        "\(Format.count(ignored.reduce(0) { $0 + $1.value }, "record")) left out: "
          + ignored.map { "\(EventFault.escape($0.key)) \($0.value)" }.joined(separator: ", "))
    }
    if tally.tooOld > 0 {
      Terminal.complain(
        "\(Format.count(tally.tooOld, "event")) from before --history-from: kept, never counted")
    }
    guard !isDry else {
      return try Terminal.print(
        "\(tally.stored) would be stored, but for those that are there; \(tally.rejected) rejected")
    }
    try Terminal.print("\(tally.stored) stored, \(tally.duplicates) duplicates, \(tally.rejected) rejected")
  }

  /// What to try where no file had a good event.
  func hint(_ files: [(path: String, format: EventImport.Format)]) {
    for (path, format) in files {
      // A pipe is read once only, and waits for its writer if it is opened again.
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      guard type == .typeRegular, let source = try? ByteSource(path: path),
        let likely = try? EventImport.Format(lookingAt: source), likely != format
      else { continue }
      Terminal.complain("\(path) looks like \(likely.rawValue): --format \(likely.rawValue)")
      return
    }
    if !files.contains(where: { $0.format.foreign != nil }) {
      Terminal.complain(
        "There is no good event in it. If these are records of another system, name it: --format")
    }
  }
}

extension ImportTally {
  /// Whether something was read, and none of it makes an event.
  var hasNothingGood: Bool { kinds.isEmpty && (rejected > 0 || !ignored.isEmpty) }
}
